import { z } from "zod";
import { fieldError } from "../kit/field-error.ts";
import { instant } from "../kit/fields.ts";
import { type Code, texts } from "../kit/texts.ts";
import { recordingErrors } from "../recordings/record.ts";
import { mediums } from "./commands.ts";
import { liveStream } from "./live.ts";
import {
  captured,
  enteredRoom,
  type MediaPath,
  mediaWay,
  peerTypes,
  qualities,
} from "./meetings.ts";
import { metadataOf, secondDevice } from "./metadata.ts";
import { spoken } from "./transcripts.ts";

/*
 * The messages of the meeting socket (`/api/meeting/socket`, JSON texts). The client first sends its ticket,
 * `{ "ticket": "..." }`, then commands, `{ "id": 1, "do": "chat", "text": "..." }`. Each command gets a reply
 * with its ID. The messages to a client describe the meeting as this person may see it: `welcome` is
 * everything, and each later message replaces a part of it. A seat may send 300 commands at once and 50 a
 * second after that; of those that others see 30 at once and 3 a second, of `quality` 10 at once and one each
 * 5 seconds. More are refused with `too_many_requests`.
 * After a lost connection a new socket with the same ticket begins with a new `welcome`.
 *
 * The AsyncAPI document, the reference and the typed client are made from these schemas; pages import types only.
 */

/** A part of a message: nothing in it changes. Browsers take the path of media only as it is. */
type Arrived<T> = T extends MediaPath
  ? T
  : T extends readonly (infer Entry)[]
    ? readonly Arrived<Entry>[]
    : T extends object
      ? { readonly [K in keyof T]: Arrived<T[K]> }
      : T;

const peerName = () => z.string().describe("The name that others see.");
const peerIdOf = (whom: string) => z.string().describe(`The peerId ${whom}.`);
const peerType = () => z.enum(peerTypes).describe("The role.");
const since = (what: string) => instant().describe(`${what}: ISO 8601, UTC.`);

const metadata = metadataOf().describe(
  "What the application that invited the person keeps with them (createSessionToken); only for moderators.",
);
const second = (what: string) =>
  secondDevice().describe(`Whether ${what}; omitted where it is not.`);
/** The data that an application keeps with a person whom it invited. */
export type Metadata = Readonly<Record<string, unknown>>;

const peer = z
  .strictObject({
    peerId: peerIdOf("of the person"),
    peerName: peerName(),
    peerType: peerType(),
    away: z.boolean().describe("Whether the connection is lost; the seat is kept for a while."),
    guest: z
      .boolean()
      .describe("Whether the person came with the link, without an account or an invitation."),
    since: since("When the person came"),
    audio: z.boolean().describe("Whether the microphone is on."),
    video: z.boolean().describe("Whether the camera is on."),
    share: z.boolean().describe("Whether a screen is shared."),
    hand: instant().nullable().describe("When the hand was raised; null if it is not."),
    quality: z
      .enum(qualities)
      .nullable()
      .describe(
        "The quality of the connection, as the page reports it (`quality`); null if unknown.",
      ),
    metadata,
    secondDevice: second("it is the second device of somebody of the same name"),
  })
  .meta({ title: "MeetingPeer" });
/** Somebody inside, as others see them. */
export type Peer = Arrived<z.output<typeof peer>>;

const waiting = z
  .strictObject({
    peerId: peerIdOf("of the person"),
    peerName: peerName(),
    since: since("Since when they wait"),
    away: z
      .boolean()
      .describe("Whether the connection is lost; the place is kept for some minutes."),
    metadata,
  })
  .meta({ title: "WaitingPerson" });
/** Somebody waiting in the lobby. */
export type Waiting = Arrived<z.output<typeof waiting>>;

const upgrade = z
  .strictObject({
    peerId: peerIdOf("of the viewer"),
    state: z.enum(["asked", "offered"]).describe("asked: by the viewer; offered: by a moderator."),
    since: since("Since when"),
  })
  .meta({ title: "PeerUpgrade" });
/** A request to take part, or a moderator's offer. */
export type Upgrade = Arrived<z.output<typeof upgrade>>;

const receiver = z
  .strictObject({
    peerId: peerIdOf("of the receiver"),
    video: z.boolean().describe("Whether it receives cameras and screens; otherwise only sound."),
  })
  .meta({ title: "CaptureReceiver" });
/**
 * A capture that records, streams or transcribes a direct meeting: not a person, and in no list of people.
 * Each browser whose media it receives connects to it as to a peer, and only sends.
 */
export type Receiver = Arrived<z.output<typeof receiver>>;

const chatMessage = z
  .strictObject({
    number: z
      .int()
      .describe(
        "Later messages have larger numbers. They differ by reader, so that they reveal no hidden messages, and may change when the socket is opened again.",
      ),
    peerId: peerIdOf("of the person who wrote it"),
    peerName: peerName(),
    text: z.string().describe("What was written."),
    sentAt: since("When it was sent"),
  })
  .meta({ title: "ChatMessage" });
/** A message of the chat. */
export type ChatMessage = Arrived<z.output<typeof chatMessage>>;

const allowed = z
  .strictObject({
    audio: z.boolean().describe("Whether the person may send sound."),
    video: z.boolean().describe("Whether the person may send a picture."),
    share: z.boolean().describe("Whether the person may share a screen."),
    chat: z.boolean().describe("Whether the person may write and read in the chat."),
    moderate: z.boolean().describe("Whether the person may moderate."),
    presenterOnly: z
      .boolean()
      .describe("Whether sharing a screen first needs the only presenter's place (`present`)."),
    upgrade: z.boolean().describe("Whether the person may ask to take part (`upgrade`)."),
    promote: z
      .boolean()
      .describe("Whether the person owns the room and may become a moderator (`promote`)."),
    stream: z.boolean().describe("Whether the person may begin and end a live stream."),
    transcribe: z.boolean().describe("Whether the person may begin and end the transcription."),
    speechLanguage: z
      .exactOptional(z.literal(true))
      .describe("Whether `startTranscription` takes a `language`; omitted where it does not."),
  })
  .meta({ title: "AllowedActions" });
/** The current rights of this person; the service enforces them, the page shows them. */
export type Allowed = Arrived<z.output<typeof allowed>>;

const meetingState = z
  .strictObject({
    meetingId: z.string().describe("The ID of the meeting."),
    startedAt: since("When it began"),
    locked: z.boolean().describe("Whether nobody new may enter."),
    presenter: z
      .string()
      .nullable()
      .describe(
        "Who has the only presenter's place: their peerId, or `hidden` if this person may not see them; null if nobody has it, or there is no such limit.",
      ),
    peopleHidden: z
      .boolean()
      .describe(
        "Whether people other than moderators are hidden from each other, with what they write (participantPrivacy).",
      ),
    picturesHidden: z
      .boolean()
      .describe(
        "Whether people other than moderators do not see each other's pictures (participantVideoPrivacy).",
      ),
    recording: z.boolean().describe("Whether it is recorded now."),
    liveStream: liveStream.nullable().describe("The live stream; null: it is not streamed live."),
    transcribing: z.boolean().describe("Whether it is transcribed now."),
    mutesEntry: z
      .boolean()
      .describe("Whether people enter with the microphone off (`muteOnEntry`)."),
  })
  .meta({ title: "MeetingState" });
/** The meeting's own state. */
export type MeetingState = Arrived<z.output<typeof meetingState>>;

const before = (what: string) =>
  z.int().nullable().describe(`How many others precede it, if it waits for a recorder; ${what}.`);

const recorderState = z
  .strictObject({
    problem: z
      .enum(["recording_off", "nothing_to_record", "recorder_missing"])
      .nullable()
      .describe("Why none can begin now, or why the queued one does not begin; null if it can."),
    state: z.enum(["idle", "queued", "starting", "active"]).describe("The state of the recording."),
    before: z.int().describe("How many others precede it, if it is queued."),
    error: z
      .enum(recordingErrors)
      .nullable()
      .describe(
        "Why the meeting's last recording failed or ended early; for a queued one, why it could not begin yet. Null if nothing went wrong.",
      ),
  })
  .meta({ title: "RecorderState" });
/** The recording, as moderators see it. */
export type RecorderState = Arrived<z.output<typeof recorderState>>;

const topic = () => z.enum(["stream", "transcription"]).describe("What runs.");

const runState = z
  .strictObject({
    topic: topic(),
    before: before("null if it does not wait"),
    error: z.string().nullable().describe("Why it does not work now; null if it works."),
  })
  .meta({ title: "RunState" });
/** The live stream or the transcription, as moderators see it. */
export type RunState = Arrived<z.output<typeof runState>>;

const runFailure = z
  .strictObject({
    topic: topic(),
    endedAt: since("When it ended"),
    error: z.string().describe("Why it ended."),
  })
  .meta({ title: "RunFailure" });
/** The last live stream or transcription, if it ended early. */
export type RunFailure = Arrived<z.output<typeof runFailure>>;

/** The parts of a view that `changed` may replace. */
const parts = {
  you: z
    .strictObject({
      peerId: peerIdOf("of this person"),
      peerName: peerName(),
      peerType: peerType(),
      hand: instant().nullable().describe("When this person's hand was raised; null if it is not."),
      secondDevice: second("this is the person's second device, without sound"),
    })
    .meta({ title: "OwnSeat" })
    .describe("The person of this socket."),
  room: enteredRoom.describe("The room."),
  meeting: meetingState.describe("The meeting's own state."),
  allowed: allowed.describe("What this person may do now."),
  waiting: z.array(waiting).describe("Who waits in the lobby; only for moderators."),
  recorder: recorderState.nullable().describe("The recording; for moderators, null for others."),
  runs: z.array(runState).describe("Requested live streams and transcriptions; for moderators."),
  failed: z
    .array(runFailure)
    .describe("Those that failed and were not started again; for moderators."),
  upgrades: z
    .array(upgrade)
    .describe("Requests and offers: all of them for moderators, only their own for others."),
  receivers: z
    .array(receiver)
    .describe(
      "Capture peers that also receive what this person sends. Empty if a media engine carries it.",
    ),
};

/** The whole meeting, as one person may see it. */
export const meetingView = z
  .strictObject({
    ...parts,
    peers: z
      .array(peer)
      .describe("Everybody else inside whom this person may see, in the order of arrival."),
  })
  .meta({ title: "MeetingView" });
/** The whole meeting, as one person may see it. */
export type View = Arrived<z.output<typeof meetingView>>;

export const endReasons = [
  "left",
  "removed",
  "banned",
  "closed",
  "refused",
  "lobby_full",
  "lost",
  "moved",
  "signed_out",
  "room_deleted",
] as const;
/** Why a seat ended. */
export type EndReason = (typeof endReasons)[number];

/**
 * The texts of `ended`, by code, unless a moderator wrote one; pages have texts of their own. The code is
 * the reason where a reason has one text.
 */
export const endings = {
  left: "You have left the meeting.",
  removed: "A moderator has removed you from the meeting.",
  banned: "A moderator has excluded you from this room.",
  closed: "It was ended for everybody.",
  everybody_left: "Everybody has left the meeting.",
  refused: "A moderator has not let you in.",
  lobby_full: "Too many people are waiting. Your place went to somebody else.",
  lost: "Your connection was lost for too long.",
  moved: "You have entered this meeting in another window.",
  signed_out: "Your account may not be used any more.",
  room_deleted: "The room was deleted.",
  ticket_ended: texts.ticket_ended.text,
} as const;
/** Why a seat ended, as precisely as its text. */
export type EndCode = keyof typeof endings;

/** Each of them may be missing. */
const someOf = <S extends Readonly<Record<string, z.ZodType>>>(shape: S) =>
  Object.fromEntries(Object.entries(shape).map(([name, one]) => [name, z.exactOptional(one)])) as {
    [K in keyof S]: z.ZodExactOptional<S[K]>;
  };

/** A code, open for those of later versions. */
const codeOf = <C extends string>(what: string) =>
  z.string().describe(what) as unknown as z.ZodType<C, C>;
const type = <T extends string>(name: T) => z.literal(name).describe("Which message it is.");
const id = () => z.int().describe("The ID of the command.");

/** The messages of the service, by name; the two replies have one type. */
export const serverMessages = {
  welcome: z
    .strictObject({
      type: type("welcome"),
      media: mediaWay.describe("How sound and pictures travel."),
      chat: z.array(chatMessage).describe("The messages so far that this person may read."),
      ...meetingView.shape,
    })
    .meta({ title: "WelcomeMessage" })
    .describe(
      "The person is inside: everything that they see. Sent first, and again on each new socket.",
    ),
  lobby: z
    .strictObject({
      type: type("lobby"),
      room: enteredRoom.describe("The room."),
      moderated: z.boolean().describe("Whether a moderator is inside."),
      passwordRequired: z
        .boolean()
        .describe("Whether the room's password now admits the person without a moderator."),
      waitsFor: z
        .enum(["moderator", "host", "seat"])
        .describe("For whom or what: a moderator who lets them in, a host who comes, a free seat."),
      ...captured,
    })
    .meta({ title: "LobbyMessage" })
    .describe("The person waits before the door; sent again when that changes."),
  changed: z
    .strictObject({ type: type("changed"), ...someOf(parts) })
    .meta({ title: "ChangedMessage" })
    .describe("Parts of the view that changed, each as a whole, without the people."),
  peers: z
    .strictObject({
      type: type("peers"),
      changed: z.array(peer).describe("People who came or changed."),
      gone: z.array(z.string()).describe("The peerIds of those who left."),
    })
    .meta({ title: "PeersMessage" })
    .describe("People who came or changed, and those who left."),
  chat: z
    .strictObject({
      type: type("chat"),
      messages: z.array(chatMessage).describe("The new messages, in order."),
    })
    .meta({ title: "ChatMessages" })
    .describe("New messages of the chat, also the person's own."),
  captions: z
    .strictObject({
      type: type("captions"),
      spoken: z.array(spoken).describe("What was said."),
    })
    .meta({ title: "CaptionsMessage" })
    .describe("New captions, of people whom this person sees."),
  signal: z
    .strictObject({
      type: type("signal"),
      from: peerIdOf("of the sender"),
      data: z.string().describe("A description or a candidate (W3C WebRTC), as it was sent."),
    })
    .meta({ title: "SignalMessage" })
    .describe("From another browser of a direct meeting."),
  signalsLost: z
    .strictObject({ type: type("signalsLost") })
    .meta({ title: "SignalsLostMessage" })
    .describe(
      "Signals were dropped, because this person's network was slow or away: the client negotiates again.",
    ),
  muted: z
    .strictObject({
      type: type("muted"),
      media: z.array(z.enum(mediums)).describe("What was ended."),
      by: z.string().describe("The name of the moderator."),
      entering: z
        .exactOptional(z.literal(true))
        .describe(
          "The person has just entered a meeting that people enter with the microphone off.",
        ),
    })
    .meta({ title: "MutedMessage" })
    .describe("A moderator ended this person's sound, picture or share."),
  reply: z
    .strictObject({ type: type("reply"), id: id(), ok: z.literal(true).describe("Always true.") })
    .meta({ title: "ReplyMessage" })
    .describe("A command was carried out."),
  refusal: z
    .strictObject({
      type: type("reply"),
      id: id(),
      ok: z.literal(false).describe("Always false."),
      code: codeOf<Code>("The code of the failure, as over HTTP."),
      message: z.string().describe("What went wrong, in English."),
      errors: z
        .exactOptional(z.array(fieldError))
        .describe("What is wrong, field by field, as in answers over HTTP."),
    })
    .meta({ title: "RefusalMessage" })
    .describe("A command was refused."),
  ended: z
    .strictObject({
      type: type("ended"),
      reason: z.enum(endReasons).describe("Why the seat ended."),
      code: z.exactOptional(
        codeOf<EndCode>(
          `The code of the message, omitted for a moderator's own: ${Object.keys(endings)
            .map((code) => `\`${code}\``)
            .join(", ")}.`,
        ),
      ),
      message: z.string().describe("Why, in English, or in the words of the moderator."),
    })
    .meta({ title: "EndedMessage" })
    .describe("The seat has ended; the socket closes, and the ticket opens no other one."),
} as const;

type Sent = { readonly [K in keyof typeof serverMessages]: z.output<(typeof serverMessages)[K]> };
/** The messages of the service. */
export type ServerMessage = Arrived<Sent[keyof Sent]>;
