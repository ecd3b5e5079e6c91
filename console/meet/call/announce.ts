import { newerThan } from "../../../contract/meeting-client.ts";
import type { View } from "../../../contract/meetings/socket.ts";
import { m } from "../../texts/meet.ts";
import { capturedOf } from "./captured.ts";
import type { Meeting } from "./state.ts";

type By = { readonly peerId: string };

/** The elements that are in the first list and not in the second. */
const without = <T extends By>(list: readonly T[], other: readonly By[]): readonly T[] =>
  list.filter(({ peerId }) => !other.some((one) => one.peerId === peerId));

/** The state of the meeting that somebody enters. */
const sayFirst = (view: View): readonly string[] => [
  m.said.inside,
  ...(view.meeting.recording ? [m.said.recording] : []),
  ...(capturedOf(view).streaming ? [m.said.live] : []),
  ...(view.meeting.transcribing ? [m.said.transcribing] : []),
];

const sayView = (before: View, now: View): readonly string[] => {
  const name = (peerId: string) =>
    now.peers.find((peer) => peer.peerId === peerId)?.peerName ?? m.stage.you;
  const was = (peerId: string) => before.peers.find((peer) => peer.peerId === peerId);
  const { locked, recording, transcribing } = now.meeting;
  const [isLive, wasLive] = [capturedOf(now).streaming, capturedOf(before).streaming];
  const asked = ({ upgrades }: View) => upgrades.filter(({ state }) => state === "asked");
  const others = (list: readonly By[]) => list.filter(({ peerId }) => peerId !== now.you.peerId);
  return [
    ...without(now.peers, before.peers).map(({ peerName }) => m.said.came(peerName)),
    ...without(before.peers, now.peers).map(({ peerName }) => m.said.left(peerName)),
    ...now.peers
      .filter(({ peerId, hand }) => hand !== null && was(peerId)?.hand === null)
      .map(({ peerName }) => m.said.hand(peerName)),
    ...now.peers
      .filter(({ peerId, share }) => share && was(peerId)?.share === false)
      .map(({ peerName }) => m.said.shares(peerName)),
    ...without(now.waiting, before.waiting).map(({ peerName }) => m.said.waits(peerName)),
    ...others(without(asked(now), asked(before))).map(({ peerId }) => m.said.asks(name(peerId))),
    ...(locked === before.meeting.locked ? [] : [locked ? m.said.locked : m.said.unlocked]),
    ...(recording === before.meeting.recording
      ? []
      : [recording ? m.said.recording : m.said.notRecording]),
    ...(isLive === wasLive ? [] : [isLive ? m.said.live : m.said.notLive]),
    ...(transcribing === before.meeting.transcribing
      ? []
      : [transcribing ? m.said.transcribing : m.said.notTranscribing]),
  ];
};

/** The text that a screen reader speaks after a change. */
export const sayChanges = (before: Meeting, now: Meeting): readonly string[] => {
  if (now.view === undefined) return [];
  if (before.view === undefined) return sayFirst(now.view);
  const written = now.chat === before.chat ? [] : newerThan(before.chat, now.chat);
  return [
    ...sayView(before.view, now.view),
    ...written
      .filter(({ peerId }) => peerId !== now.view?.you.peerId)
      .map(({ peerName, text }) => m.said.wrote(peerName, text)),
  ];
};
