import {
  type AddTrackRequest,
  ICEServer,
  type JoinRequest,
  type JoinResponse,
  LeaveRequest,
  LeaveRequest_Action,
  ParticipantInfo,
  ParticipantInfo_State,
  ParticipantUpdate,
  type Room,
  SignalRequest,
  SignalResponse,
  type SyncState,
} from "@livekit/protocol";
import { askedTrack, cleanDescription, cleanJoinRequest } from "./asked.ts";
import type { MessageBudget } from "./budget.ts";
import { type Credit, openCredit } from "./credit.ts";
import { MOST_TRACKS, openPublishing, type Published, publishedOf, refusal } from "./publishing.ts";
import { filterSyncState, keepTracks, passes } from "./requests.ts";
import { shownPerson, shownTrack } from "./shown.ts";
import type { IceServer } from "./turn.ts";
import { type MediaView, type Memory, openView, type See } from "./view.ts";
import { withinBudget } from "./within-budget.ts";

/** The messages to send after one was received, each a whole frame. */
export interface Step {
  readonly client: readonly Uint8Array[];
  readonly engine: readonly Uint8Array[];
}

export interface FilterOptions {
  readonly seat: string;
  readonly see: See;
  /** The people whom the client knows from earlier connections of the seat; nobody if omitted. */
  readonly memory?: Memory;
  readonly ice: readonly IceServer[];
  /** Of the client's person; omitted: a full one. */
  readonly credit?: Credit;
  /** How many others get what LiveKit passes on; omitted: nobody. */
  readonly others?: () => number;
  /** Called with what the engine says that the client publishes; omitted: nobody listens. */
  readonly onPublished?: (published: Published) => void;
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

type Gone = ReturnType<MediaView["overdue"]>;

/** People who are not there any more. */
const goneUpdate = (gone: Gone): ParticipantInfo[] =>
  gone.map((one) => new ParticipantInfo({ ...one, state: ParticipantInfo_State.DISCONNECTED }));

const goneFrame = (gone: Gone): Uint8Array[] => {
  if (gone.length === 0) return [];
  const value = new ParticipantUpdate({ participants: goneUpdate(gone) });
  return [new SignalResponse({ message: { case: "update", value } }).toBinary()];
};

/** Makes a client join again, which empties its list. */
const joinAgain = (): Uint8Array => {
  const value = new LeaveRequest({ canReconnect: true, action: LeaveRequest_Action.RECONNECT });
  return new SignalResponse({ message: { case: "leave", value } }).toBinary();
};

/** Clears the TURN password and the counts: only the list of people may say how many are inside. */
const uncount = (room: Room | undefined): void => {
  if (room === undefined) return;
  room.numParticipants = 0;
  room.numPublishers = 0;
  room.turnPassword = "";
};

/** LiveKit's messages that tell a client only of itself, or of its own requests. */
const harmless: ReadonlySet<SignalResponse["message"]["case"]> = new Set([
  "offer",
  "trickle",
  "leave",
  "mute",
  "subscribedQualityUpdate",
  "subscribedAudioCodecUpdate",
  "trackUnpublished",
  "trackSubscribed",
  "mediaSectionsRequirement",
  "pong",
  "pongResp",
] as const);

/**
 * The filter of one connection: decides what of LiveKit's signaling passes, in both directions.
 * Messages of unknown kinds do not pass, and bytes that are not a message throw an error.
 *
 * LiveKit's automatic subscription is switched off; the filter subscribes for the client, to what
 * it may see. To the client this looks like automatic subscription.
 */
export class Filter {
  readonly #view: MediaView;
  readonly #publishing = openPublishing();
  readonly #credit: Credit;
  readonly #others: () => number;
  readonly #onPublished: (published: Published) => void;
  readonly #servers: ICEServer[];
  /** True if the client resumes a connection. */
  readonly #resumes: boolean;
  /** True if nobody here knows whom a resuming client has in its list. */
  readonly #isStranger: boolean;
  /** True if the client wants everything that it may have. */
  readonly #wantsAll: boolean;
  /**
   * Tracks that a resuming client gets once LiveKit has answered the offer by which it restarts its
   * connection, which follows its `syncState`: while an offer is open, LiveKit's client for Node does not
   * take up what a subscription adds.
   */
  #waiting: string[] | undefined;
  #hasLeft = false;
  /** The last `mute` of each track that did not pass yet. */
  readonly #mutes = new Map<string, Uint8Array>();

  /** @param request the client's request to join, changed to the one for LiveKit */
  constructor(
    {
      seat,
      see,
      memory = { people: undefined },
      ice,
      credit = openCredit(),
      others = () => 0,
      onPublished = () => {},
    }: FilterOptions,
    request: JoinRequest,
  ) {
    this.#resumes = request.reconnect;
    this.#isStranger = this.#resumes && memory.people === undefined;
    memory.people = (this.#resumes ? memory.people : undefined) ?? new Map();
    this.#view = openView(seat, see, memory.people);
    this.#credit = credit;
    this.#others = others;
    this.#onPublished = onPublished;
    this.#servers = ice.map((server) => new ICEServer({ ...server, urls: [...server.urls] }));
    this.#wantsAll = request.connectionSettings?.autoSubscribe ?? false;
    this.#waiting = this.#resumes ? [] : undefined;
    cleanJoinRequest(request);
    request.addTrackRequests = request.addTrackRequests.flatMap(
      (track) => this.#announced(track) ?? [],
    );
    if (request.syncState) filterSyncState(request.syncState, this.#view);
    if (this.#resumes) this.#view.setOwnSid(request.participantSid);
  }

  /** Returns whether the client has said that it leaves. */
  hasLeft(): boolean {
    return this.#hasLeft;
  }

  /** Returns whether some mutes have not passed yet: `releaseMutes` is to be called again. */
  holdsMutes(): boolean {
    return this.#mutes.size > 0;
  }

  /** @throws Error if the bytes are no message */
  fromEngine(bytes: Uint8Array): Step {
    return this.#passToClient(SignalResponse.fromBinary(bytes));
  }

  /** @throws Error if the bytes are no message that a page sends, or have more fields than the budget */
  fromClient(bytes: Uint8Array, budget: MessageBudget): Step {
    return this.#passToEngine(SignalRequest.fromBinary(bytes, withinBudget(budget)));
  }

  /**
   * Changes what the client may see from now on.
   *
   * @returns what to send, and whether the client has to resume, because only LiveKit can send it
   *   what it may now see in addition
   */
  look(next: See): Step & { readonly resume: boolean } {
    const { gone, ended, more } = this.#view.look(next);
    return {
      client: goneFrame(gone),
      engine: subscription(ended, false),
      resume: more,
    };
  }

  /**
   * The mutes that may go to LiveKit now. It tells everybody of each, so somebody who mutes and unmutes
   * without end is heard of at a bounded rate, and in the end as they are.
   */
  releaseMutes(): Uint8Array[] {
    const released: Uint8Array[] = [];
    for (const [sid, frame] of this.#mutes) {
      if (!this.#credit.mayTell(this.#others())) break;
      this.#mutes.delete(sid);
      released.push(frame);
    }
    return released;
  }

  #passToClient(message: SignalResponse): Step {
    const view = this.#view;
    const { case: kind, value } = message.message;
    switch (kind) {
      case "join":
        return this.#join(message, value);
      case "update":
        return this.#update(message, value);
      case "reconnect":
        value.iceServers = this.#servers;
        return { client: [message.toBinary(), ...goneFrame(this.#view.overdue())], engine: [] };
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
        this.#publishing.published(value.cid);
        if (value.track) value.track = shownTrack(value.track);
        return toClient(message);
      case "answer":
        return this.#answer(message);
      case "requestResponse":
        if (value.request.case === "addTrack") this.#publishing.refused(value.request.value.cid);
        return toClient(message);
      default:
        // The rest is dropped, refreshed tokens included: nothing that our key signed leaves this machine.
        return harmless.has(kind) ? toClient(message) : nothing;
    }
  }

  #join(message: SignalResponse, value: JoinResponse): Step {
    if (value.participant) {
      this.#show([value.participant]);
      value.participant = shownPerson(value.participant);
    }
    const { shown, engine } = this.#show(value.otherParticipants);
    value.otherParticipants = shown;
    value.iceServers = this.#servers;
    uncount(value.room);
    return { client: [message.toBinary()], engine };
  }

  #update(message: SignalResponse, value: ParticipantUpdate): Step {
    const { shown, engine } = this.#show(value.participants);
    // It may have the hidden ones in its list, and a word that they are gone would tell others of them.
    if (this.#isStranger && this.#view.hides()) return { client: [joinAgain()], engine };
    const participants = [...shown, ...goneUpdate(this.#view.overdue())];
    if (participants.length === 0) return { client: [], engine };
    value.participants = participants;
    return { client: [message.toBinary()], engine };
  }

  /** The participants as far as the client may know of them, and the subscriptions for new ones. */
  #show(people: readonly ParticipantInfo[]) {
    const view = this.#view;
    // Of nobody else: most messages are about one person.
    const those = new Set(people.map(({ identity }) => identity));
    const before = new Set(view.tracksOf(those));
    const known = people.flatMap(({ identity, tracks }) =>
      view.isOwn(identity) ? [] : tracks.map(({ sid }) => sid),
    );
    const shown = people.flatMap((info) => this.#shownOf(info));
    const added = this.#wantsAll ? view.tracksOf(those).filter((sid) => !before.has(sid)) : [];
    // The rights of the client can have changed while it was away, and a codec can come to light later.
    const ended = known.filter((sid) => (this.#resumes || before.has(sid)) && !view.mayTrack(sid));
    this.#waiting?.push(...added);
    const begun = this.#waiting === undefined ? subscription(added, true) : [];
    return { shown: shown.map(shownPerson), engine: [...begun, ...subscription(ended, false)] };
  }

  #shownOf(info: ParticipantInfo): readonly ParticipantInfo[] {
    const view = this.#view;
    if (view.isOwn(info.identity)) {
      view.setOwnSid(info.sid);
      this.#publishing.has(info.tracks.map(({ sid }) => sid));
      // An earlier connection of the same seat may be the one that has ended.
      if (info.state !== ParticipantInfo_State.DISCONNECTED) this.#onPublished(publishedOf(info));
      return [info];
    }
    if (info.state === ParticipantInfo_State.DISCONNECTED) {
      return view.forget(info.identity) ? [info] : [];
    }
    const shown = view.show(info);
    return shown ? [shown] : [];
  }

  #passToEngine(message: SignalRequest): Step {
    const view = this.#view;
    const { case: kind, value } = message.message;
    switch (kind) {
      case "addTrack":
        return this.#addTrack(value);
      case "mute":
        if (this.#mutes.size < MOST_TRACKS || this.#mutes.has(value.sid)) {
          this.#mutes.set(value.sid, message.toBinary());
        }
        return { client: [], engine: this.releaseMutes() };
      case "offer":
      case "answer":
        cleanDescription(value);
        return toEngine(message);
      case "subscription":
        return keepTracks(value, view) ? toEngine(message) : nothing;
      case "trackSetting":
        value.trackSids = value.trackSids.filter(view.mayTrack);
        return value.trackSids.length > 0 ? toEngine(message) : nothing;
      case "syncState":
        return this.#synchronize(message, value);
      default:
        if (kind === "leave") this.#hasLeft = true;
        return passes(kind) ? toEngine(message) : nothing;
    }
  }

  /** A resuming client says what it has; it gets what came meanwhile, except what it does not want. */
  #synchronize(message: SignalRequest, value: SyncState): Step {
    const unwanted = filterSyncState(value, this.#view);
    this.#waiting = this.#waiting?.filter((sid) => !unwanted.has(sid));
    return toEngine(message);
  }

  #answer(message: SignalResponse): Step {
    const added = (this.#waiting ?? []).filter(this.#view.mayTrack);
    this.#waiting = undefined;
    return { client: [message.toBinary()], engine: subscription(added, true) };
  }

  #addTrack(track: AddTrackRequest): Step {
    const value = this.#announced(track);
    return value === undefined
      ? toClient(refusal(track))
      : toEngine(new SignalRequest({ message: { case: "addTrack", value } }));
  }

  /** The request that goes on to LiveKit; undefined if the track may not be published. */
  #announced(track: AddTrackRequest): AddTrackRequest | undefined {
    const asked = askedTrack(track);
    return asked && this.#publishing.add(asked) && this.#credit.mayAnnounce() ? asked : undefined;
  }
}
