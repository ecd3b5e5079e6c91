import { operations as o } from "../../contract/index.ts";
import { type CommandName, commands as inputs } from "../../contract/meetings/commands.ts";
import { refuse } from "../lib/refusal.ts";
import { type Abilities, openRuns } from "../live/rules.ts";
import * as own from "../meetings/doors/own-commands.ts";
import * as upgrades from "../meetings/doors/upgrades.ts";
import { openAllowance, SIGNALS } from "../meetings/state/rate.ts";
import * as recording from "../recordings/commands.ts";
import {
  type Command,
  ofModerators,
  ofModeratorsInside,
  ofPeople,
  type Passing,
  withoutChange,
} from "./command.ts";
import * as moderators from "./moderator-commands.ts";

const mayCarry = openAllowance(SIGNALS);

/** Passes a description or a candidate on to another browser of a direct meeting. */
const passSignal = (
  { connected: { meeting, seat }, sender, hub }: Passing,
  { to, data }: { readonly to: string; readonly data: string },
): void => {
  if (meeting.media !== "direct") refuse("not_in_this_room");
  if (!mayCarry(sender, Buffer.byteLength(data))) refuse("too_many_requests");
  if (!hub.signal(meeting.id, seat.id, to, data)) refuse("peer_not_found");
};

/*
 * Every command of a meeting: who may send it, what it takes, what it does, and its operation. The meeting
 * socket (session.ts) and the HTTP routes (http/command-routes.ts) are made from it.
 */

export type Registry = Readonly<Record<CommandName, Command>>;

const ok = () => ({ success: true }) as const;
/** If nobody is inside, there is nothing to end. */
const nothing = () => {};
const nobodyThere = () => refuse("peer_not_found");

/** Opens the commands of a service. @param abilities what it can do besides carrying meetings */
export const openMeetingCommands = (abilities: Abilities): Registry => {
  const runs = openRuns(abilities);
  return {
    chat: ofPeople({ input: inputs.chat, counts: "changes", rule: own.chat }),
    hand: ofPeople({ input: inputs.hand, counts: "changes", rule: own.hand }),
    media: ofPeople({
      input: inputs.media,
      counts: "changes",
      isDone: (current, input) => own.isReported(current, current.seat, input),
      rule: own.media,
    }),
    quality: ofPeople({ input: inputs.quality, counts: "reports", rule: own.quality }),
    present: ofPeople({ input: inputs.present, counts: "changes", rule: own.present }),
    upgrade: ofPeople({ input: inputs.upgrade, counts: "changes", rule: upgrades.upgrade }),
    promote: ofPeople({ input: inputs.promote, counts: "changes", rule: upgrades.promote }),
    leave: ofPeople({ who: "everybody", input: inputs.leave, rule: own.leave }),
    signal: withoutChange(inputs.signal, passSignal),
    beat: withoutChange(inputs.beat, nothing),

    allowRoomJoin: ofModerators({
      input: inputs.allowRoomJoin,
      rule: moderators.allowRoomJoin,
      operation: o.allowRoomJoin,
      answer: ok,
      alone: nobodyThere,
    }),
    denyRoomJoin: ofModerators({
      input: inputs.denyRoomJoin,
      rule: moderators.denyRoomJoin,
      operation: o.denyRoomJoin,
      answer: ok,
      alone: nobodyThere,
    }),
    removePeer: ofModerators({
      input: inputs.removePeer,
      rule: moderators.removePeer,
      operation: o.removePeer,
      answer: ok,
      alone: moderators.excludeFormer,
    }),
    mutePeer: ofModerators({
      input: inputs.mutePeer,
      rule: moderators.mutePeer,
      operation: o.mutePeer,
      answer: ok,
      alone: nobodyThere,
    }),
    changePeer: ofModerators({
      input: inputs.changePeer,
      rule: moderators.changePeer,
      operation: o.changePeer,
      answer: ok,
      alone: nobodyThere,
    }),
    upgradeRequest: ofModerators({
      input: inputs.upgradeRequest,
      rule: upgrades.upgradeRequest,
      operation: o.upgradeRequest,
      answer: ok,
      alone: nobodyThere,
    }),
    lockRoom: ofModerators({
      input: inputs.lockRoom,
      rule: moderators.lockRoom,
      operation: o.lockRoom,
      answer: ok,
    }),
    muteOnEntry: ofModerators({
      input: inputs.muteOnEntry,
      rule: moderators.muteOnEntry,
      operation: o.muteOnEntry,
      answer: ok,
    }),
    closeRoom: ofModerators({
      input: inputs.closeRoom,
      rule: moderators.closeRoom,
      operation: o.closeRoom,
      answer: ok,
      alone: nothing,
    }),

    startRecording: ofModerators({
      input: inputs.startRecording,
      rule: recording.startRecording,
      operation: o.startRecording,
      answer: (begun) => ({ ...ok(), recording: begun }),
    }),
    // The operation also ends a recording by its own ID, or after its meeting.
    stopRecording: ofModeratorsInside(inputs.stopRecording, recording.stopRecording),
    startStream: ofModerators({
      input: inputs.startStream,
      rule: runs.startStream,
      operation: o.startStream,
      answer: (liveStream) => ({ ...ok(), liveStream }),
    }),
    stopStream: ofModerators({
      input: inputs.stopStream,
      rule: runs.stopStream,
      operation: o.stopStream,
      answer: ok,
      alone: nothing,
    }),
    startTranscription: ofModerators({
      input: inputs.startTranscription,
      rule: runs.startTranscription,
      operation: o.startTranscription,
      answer: ok,
    }),
    stopTranscription: ofModerators({
      input: inputs.stopTranscription,
      rule: runs.stopTranscription,
      operation: o.stopTranscription,
      answer: ok,
      alone: nothing,
    }),
  };
};
