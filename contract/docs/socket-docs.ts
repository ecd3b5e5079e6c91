import type { z } from "zod";
import { operations } from "../index.ts";
import {
  type CommandName,
  type Commands,
  commands,
  type ownCommands,
} from "../meetings/commands.ts";
import type { serverMessages } from "../meetings/socket.ts";
import { answerOf, type Schema } from "./json-schema.ts";

/*
 * The meanings of the meeting socket's messages, for the AsyncAPI document and the reference. Neither the client
 * nor the console imports this file.
 */

/** The people who may send a command: everybody also means people who wait. */
export type MaySend = "moderators" | "people inside" | "everybody";

const inside = "people inside";
const bySender: Readonly<Record<keyof typeof ownCommands, MaySend>> = {
  chat: inside,
  hand: inside,
  media: inside,
  quality: inside,
  signal: "everybody",
  present: inside,
  upgrade: inside,
  promote: inside,
  beat: "everybody",
  leave: "everybody",
};

const isOwn = (name: string): name is keyof typeof bySender => name in bySender;

/** The people who may send a command. */
export const senderOf = (name: CommandName): MaySend =>
  isOwn(name) ? bySender[name] : "moderators";

/** The summary of a command: that of its operation, if it is one, otherwise its own. */
export const purposeOf = (name: CommandName): string =>
  isOwn(name) ? (commands[name].description ?? "") : `${operations[name].summary}.`;

/** The operation that is the same from outside; undefined if there is none. */
export const outsideOf = (name: CommandName): string | undefined =>
  isOwn(name) ? undefined : operations[name].id;

/** The field of an operation's answer, with the meanings of its fields. */
const fieldOf = (id: keyof typeof operations, ...path: readonly string[]): Schema =>
  path.reduce<Schema>(
    (schema, name) => schema.properties?.[name] ?? schema.items?.properties?.[name] ?? {},
    answerOf(operations[id]),
  );

/** The type of a nullable field without null. */
const held = (schema: Schema): Schema => schema.anyOf?.[0] ?? schema;

/** Records that answers of operations have too, with the meanings of their fields. */
const described: Readonly<Record<string, Schema>> = Object.fromEntries(
  [
    fieldOf("joinRoom", "room"),
    held(fieldOf("joinRoom", "media")),
    held(fieldOf("startStream", "liveStream")),
    fieldOf("getTranscript", "transcript", "spoken").items ?? {},
  ].map((schema) => [schema.title, schema]),
);

/** A schema of the socket with the meanings of all fields. */
export const withKnownMeanings = (schema: Schema): Schema => {
  const known = described[schema.title ?? ""] ?? schema;
  const { properties, items, anyOf } = known;
  return {
    ...known,
    ...(schema.description === undefined ? {} : { description: schema.description }),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, one]) => [name, withKnownMeanings(one)]),
      ),
    }),
    ...(items && { items: withKnownMeanings(items) }),
    ...(anyOf && { anyOf: anyOf.map(withKnownMeanings) }),
  };
};

const meetingId = "0199c2b1-4c9a-7b15-8d34-6e2a9f0c5b71";
const peerId = "0199c2b1-4d20-7c83-a5e6-1f9b3d7c8a42";
const moderatorId = "0199c2b1-4d18-7e02-b1c4-82f7a6d05e93";
const startedAt = "2026-01-14T15:00:03.112Z";
const since = "2026-01-14T15:01:10.004Z";
const sentAt = "2026-01-14T15:02:41.250Z";
const room = {
  roomId: "4815162342",
  name: "Board meeting",
  roomType: "conferencing",
  roomAgenda: "Budget",
  scheduledDateTime: "2026-01-14T15:00:00.000Z",
};
const moderator = {
  peerId: moderatorId,
  peerName: "Mo Example",
  peerType: "moderator" as const,
  away: false,
  guest: false,
  since: startedAt,
  audio: true,
  video: true,
  share: false,
  hand: null,
  quality: "good" as const,
};
const message = {
  number: 1_768_402_961_250,
  peerId: moderatorId,
  peerName: "Mo Example",
  text: "Welcome!",
  sentAt,
};

/** An example of each message of the service. */
export const messageExamples: {
  readonly [K in keyof typeof serverMessages]: z.output<(typeof serverMessages)[K]>;
} = {
  welcome: {
    type: "welcome",
    media: { type: "livekit", url: "wss://meet.example.org/api/meeting/media", iceServers: [] },
    chat: [message],
    you: { peerId, peerName: "Ann Example", peerType: "participant", hand: null },
    room,
    meeting: {
      meetingId,
      startedAt,
      locked: false,
      presenter: null,
      peopleHidden: false,
      picturesHidden: false,
      recording: false,
      liveStream: null,
      transcribing: false,
      mutesEntry: false,
    },
    allowed: {
      audio: true,
      video: true,
      share: true,
      chat: true,
      moderate: false,
      presenterOnly: false,
      upgrade: false,
      promote: false,
      stream: false,
      transcribe: false,
    },
    peers: [moderator],
    waiting: [],
    recorder: null,
    runs: [],
    failed: [],
    upgrades: [],
    receivers: [],
  },
  lobby: {
    type: "lobby",
    room,
    moderated: true,
    passwordRequired: false,
    waitsFor: "moderator",
    recording: false,
    streaming: false,
    transcribing: false,
  },
  changed: {
    type: "changed",
    you: { peerId, peerName: "Ann Example", peerType: "participant", hand: since },
  },
  peers: { type: "peers", changed: [{ ...moderator, hand: since }], gone: [] },
  chat: { type: "chat", messages: [message] },
  captions: {
    type: "captions",
    spoken: [
      {
        startedAt: since,
        endedAt: sentAt,
        peerId: moderatorId,
        peerName: "Mo Example",
        text: "Let us begin with the budget.",
      },
    ],
  },
  signal: { type: "signal", from: moderatorId, data: "{}" },
  signalsLost: { type: "signalsLost" },
  muted: { type: "muted", media: ["audio"], by: "Mo Example" },
  reply: { type: "reply", id: 1, ok: true },
  refusal: {
    type: "reply",
    id: 2,
    ok: false,
    code: "moderators_only",
    message: "Only a moderator of the meeting may do this.",
  },
  ended: {
    type: "ended",
    reason: "removed",
    code: "removed",
    message: "A moderator has removed you from the meeting.",
  },
};

/** An example of what each command takes. */
export const commandExamples: { readonly [K in CommandName]: Commands[K] } = {
  chat: { text: "Good morning" },
  hand: { up: true },
  media: { audio: true, video: false, share: false },
  quality: { level: "good" },
  signal: { to: moderatorId, data: "{}" },
  present: { on: true },
  upgrade: { action: "ask" },
  promote: {},
  beat: {},
  leave: {},
  allowRoomJoin: { requesterPeerId: peerId },
  denyRoomJoin: { all: true },
  removePeer: { peerId, ban: "meeting" },
  mutePeer: { peerId, type: "audio" },
  changePeer: { peerId, peerType: "viewer" },
  upgradeRequest: { peerId, action: "accept" },
  lockRoom: { action: "lock" },
  muteOnEntry: { on: true },
  closeRoom: { message: "Until next week" },
  startRecording: {},
  stopRecording: {},
  startStream: {},
  stopStream: {},
  startTranscription: {},
  stopTranscription: {},
};

/** An example of the first message. */
export const helloExample = { ticket: "Zr6Wn1cVq8TbY4kXo9SgJd5MfLh2PaUe7RiC0vKt3wE" };
