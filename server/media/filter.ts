import {
  type AddTrackRequest,
  ICEServer,
  type JoinRequest,
  ParticipantInfo,
  ParticipantInfo_State,
  ParticipantUpdate,
  type Room,
  SignalRequest,
  SignalResponse,
} from "@livekit/protocol";
import { askedTrack, cleanDescription, cleanJoinRequest } from "./asked.ts";
import { type MessageBudget, withinBudget } from "./budget.ts";
import { type Credit, openCredit } from "./credit.ts";
import { MOST_TRACKS, openPublishing, refusal } from "./publishing.ts";
import { filterSyncState, keepTracks, passes } from "./requests.ts";
import { shownPerson, shownTrack } from "./shown.ts";
import type { IceServer } from "./turn.ts";
import { openView, type See } from "./view.ts";

/** The messages to send after one was received, each a whole frame. */
export interface Step {
  readonly client: readonly Uint8Array[];
  readonly engine: readonly Uint8Array[];
}

export interface FilterOptions {
  readonly seat: string;
  readonly see: See;
  readonly ice: readonly IceServer[];
  /** Of the client's person; omitted: a full one. */
  readonly credit?: Credit;
  /** How many others get what LiveKit passes on; omitted: nobody. */
  readonly others?: () => number;
}

const nothing: Step = { client: [], engine: [] };
const toClient = (message: SignalResponse): Step => ({ client: [message.toBinary()], engine: [] });
const toEngine = (message: SignalRequest): Step => ({ client: [], engine: [message.toBinary()] });

const subscription = (trackSids: string[], subscribe: boolean): Uint8Array[] =>
  trackSids.length === 0
    ? []
    : [
        new SignalRequest({
          message: { case: "subscription", value: { trackSids, subscribe } },
        }).toBinary(),
      ];

/** Clears the TURN password and the counts: only the list of people may say how many are inside. */
const uncount = (room: Room | undefined): void => {
  if (room === undefined) return;
  room.numParticipants = 0;
  room.numPublishers = 0;
  room.turnPassword = "";
};

/**
 * The filter of one connection: decides what of LiveKit's signaling passes, in both directions.
 * Messages of unknown kinds do not pass, and bytes that are not a message throw an error.
 *
 * LiveKit's automatic subscription is switched off; the filter subscribes for the client, to what
 * it may see. To the client this looks like automatic subscription.
 *
 * @param request the client's request to join, changed to the one for LiveKit
 */
export const openFilter = (
  { seat, see, ice, credit = openCredit(), others = () => 0 }: FilterOptions,
  request: JoinRequest,
) => {
  const view = openView(seat, see);
  const publishing = openPublishing();
  const wantsAll = request.connectionSettings?.autoSubscribe ?? false;
  const servers = ice.map((server) => new ICEServer({ ...server, urls: [...server.urls] }));
  /** Tracks that a resuming client gets once its `syncState` has said what it had unsubscribed. */
  let waiting: string[] | undefined = request.reconnect ? [] : undefined;
  let left = false;
  /** The last `mute` of each track that did not pass yet. */
  const mutes = new Map<string, Uint8Array>();

  /** The request that goes on to LiveKit; undefined if the track may not be published. */
  const announced = (track: AddTrackRequest): AddTrackRequest | undefined => {
    const asked = askedTrack(track);
    return asked && publishing.add(asked) && credit.mayAnnounce() ? asked : undefined;
  };

  cleanJoinRequest(request);
  request.addTrackRequests = request.addTrackRequests.flatMap((track) => announced(track) ?? []);
  if (request.syncState) filterSyncState(request.syncState, view);
  if (request.reconnect) view.setOwnSid(request.participantSid);

  /** What the client may know of some participants, and the subscriptions for what is new. */
  const show = (people: readonly ParticipantInfo[]) => {
    const before = new Set(view.tracks());
    const known = people.flatMap(({ identity, tracks }) =>
      view.isOwn(identity) ? [] : tracks.map(({ sid }) => sid),
    );
    const shown = people.flatMap((info) => {
      if (view.isOwn(info.identity)) {
        view.setOwnSid(info.sid);
        publishing.has(info.tracks.map(({ sid }) => sid));
        return [info];
      }
      if (info.state === ParticipantInfo_State.DISCONNECTED) {
        return view.forget(info.identity) ? [info] : [];
      }
      return view.show(info) ?? [];
    });
    const added = wantsAll ? view.tracks().filter((sid) => !before.has(sid)) : [];
    // The rights of the client can have changed while it was away, and a codec can come to light later.
    const ended = known.filter(
      (sid) => (request.reconnect || before.has(sid)) && !view.mayTrack(sid),
    );
    waiting?.push(...added);
    const begun = waiting === undefined ? subscription(added, true) : [];
    return { shown: shown.map(shownPerson), engine: [...begun, ...subscription(ended, false)] };
  };

  const fromEngine = (message: SignalResponse): Step => {
    const { case: kind, value } = message.message;
    switch (kind) {
      case "join": {
        if (value.participant) {
          show([value.participant]);
          value.participant = shownPerson(value.participant);
        }
        const { shown, engine } = show(value.otherParticipants);
        value.otherParticipants = shown;
        value.iceServers = servers;
        uncount(value.room);
        return { client: [message.toBinary()], engine };
      }
      case "update": {
        const { shown, engine } = show(value.participants);
        if (shown.length === 0) return { client: [], engine };
        value.participants = shown;
        return { client: [message.toBinary()], engine };
      }
      case "reconnect":
        value.iceServers = servers;
        return toClient(message);
      case "roomUpdate":
        uncount(value.room);
        return toClient(message);
      case "speakersChanged":
        value.speakers = value.speakers.filter(({ sid }) => view.mayKnow(sid));
        return value.speakers.length > 0 ? toClient(message) : nothing;
      case "connectionQuality":
        value.updates = value.updates.filter(({ participantSid }) => view.mayKnow(participantSid));
        return value.updates.length > 0 ? toClient(message) : nothing;
      case "streamStateUpdate":
        value.streamStates = value.streamStates.filter(({ trackSid }) => view.mayTrack(trackSid));
        return value.streamStates.length > 0 ? toClient(message) : nothing;
      case "subscriptionPermissionUpdate":
      case "subscriptionResponse":
        return view.mayTrack(value.trackSid) ? toClient(message) : nothing;
      case "trackPublished":
        publishing.published(value.cid);
        if (value.track) value.track = shownTrack(value.track);
        return toClient(message);
      case "requestResponse":
        if (value.request.case === "addTrack") publishing.refused(value.request.value.cid);
        return toClient(message);
      case "answer":
      case "offer":
      case "trickle":
      case "leave":
      case "mute":
      case "subscribedQualityUpdate":
      case "subscribedAudioCodecUpdate":
      case "trackUnpublished":
      case "trackSubscribed":
      case "mediaSectionsRequirement":
      case "pong":
      case "pongResp":
        return toClient(message);
      default:
        // Among these is a refreshed token: nothing that our key signed leaves this machine.
        return nothing;
    }
  };

  const addTrack = (track: AddTrackRequest): Step => {
    const value = announced(track);
    return value === undefined
      ? toClient(refusal(track))
      : toEngine(new SignalRequest({ message: { case: "addTrack", value } }));
  };

  /**
   * The mutes that may go to LiveKit now. It tells everybody of each, so somebody who mutes and unmutes
   * without end is heard of at a bounded rate, and in the end as they are.
   */
  const releaseMutes = (): Uint8Array[] => {
    const released: Uint8Array[] = [];
    for (const [sid, frame] of mutes) {
      if (!credit.mayTell(others())) break;
      mutes.delete(sid);
      released.push(frame);
    }
    return released;
  };

  const fromClient = (message: SignalRequest): Step => {
    const { case: kind, value } = message.message;
    switch (kind) {
      case "addTrack":
        return addTrack(value);
      case "mute":
        if (mutes.size < MOST_TRACKS || mutes.has(value.sid)) {
          mutes.set(value.sid, message.toBinary());
        }
        return { client: [], engine: releaseMutes() };
      case "offer":
      case "answer":
        cleanDescription(value);
        return toEngine(message);
      case "subscription":
        return keepTracks(value, view) ? toEngine(message) : nothing;
      case "trackSetting":
        value.trackSids = value.trackSids.filter(view.mayTrack);
        return value.trackSids.length > 0 ? toEngine(message) : nothing;
      case "syncState": {
        const unwanted = filterSyncState(value, view);
        const added = (waiting ?? []).filter((sid) => view.mayTrack(sid) && !unwanted.has(sid));
        waiting = undefined;
        return { client: [], engine: [message.toBinary(), ...subscription(added, true)] };
      }
      default:
        if (kind === "leave") left = true;
        return passes(kind) ? toEngine(message) : nothing;
    }
  };

  return {
    /** @throws Error if the bytes are no message */
    fromEngine: (bytes: Uint8Array): Step => fromEngine(SignalResponse.fromBinary(bytes)),
    /** @throws Error if the bytes are no message that a page sends, or have more fields than the budget */
    fromClient: (bytes: Uint8Array, budget: MessageBudget): Step =>
      fromClient(SignalRequest.fromBinary(bytes, withinBudget(budget))),
    releaseMutes,
    /** Whether some mutes have not passed yet: `releaseMutes` is to be called again. */
    holdsMutes: (): boolean => mutes.size > 0,
    /** Whether the client has said that it leaves. */
    hasLeft: (): boolean => left,
    /**
     * Changes what the client may see from now on.
     *
     * @returns what to send, and whether the client has to resume, because only LiveKit can send it
     *   what it may now see in addition
     */
    look(next: See): Step & { readonly resume: boolean } {
      const { gone, ended, more } = view.look(next);
      const participants = gone.map(
        (one) => new ParticipantInfo({ ...one, state: ParticipantInfo_State.DISCONNECTED }),
      );
      const update = new SignalResponse({
        message: { case: "update", value: new ParticipantUpdate({ participants }) },
      });
      return {
        client: participants.length > 0 ? [update.toBinary()] : [],
        engine: subscription(ended, false),
        resume: more,
      };
    },
  };
};

export type Filter = ReturnType<typeof openFilter>;
