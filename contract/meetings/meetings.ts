import { z } from "zod";
import {
  choice,
  flag,
  instant,
  pastedId,
  pathLink,
  textField,
  webAddress,
  webLink,
  whole,
} from "../kit/fields.ts";
import { operation, success } from "../kit/operation.ts";
import { PEER_NAME, peerTypes } from "../kit/plain.ts";
import { brand } from "../organization/brand.ts";
import { metadataField, secondDevice } from "./metadata.ts";

export {
  CHAT_TEXT,
  DIRECT_SEATS,
  PEER_NAME,
  type PeerType,
  peerTypes,
  type Quality,
  qualities,
} from "../kit/plain.ts";

import { says } from "../kit/reasons.ts";
import { speechLanguages } from "../kit/speech-languages.ts";

/*
 * Parley's own operations: meetings. joinRoom enters a room's meeting; what happens inside travels over the
 * meeting socket (socket.ts).
 */

/** The path of the meeting socket. */
export const MEETING_SOCKET = "/api/meeting/socket";

const peerType = () => choice(peerTypes);

const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

/** Returns whether nobody on the way can read or change what is at an address. */
const isPrivate = (address: string): boolean => {
  const { protocol, hostname } = new URL(address);
  return protocol === "https:" || LOOPBACK.test(hostname);
};

/** Where somebody goes on after a meeting. */
const returnAddress = () =>
  webAddress().refine(isPrivate, {
    error: says("not_https_address"),
    when: ({ issues }) => issues.length === 0,
  });

export const roomId = () => pastedId();
export const peerId = () => textField(64, { required: says("required") });

const seat = z.strictObject({ taken: z.int(), allowed: z.int() }).meta({ title: "SeatCount" });
/** Seats by role: how many are taken, and how many there are. */
export const seats = z
  .strictObject({ moderator: seat, participant: seat, viewer: seat })
  .meta({ title: "Seats" });
export type SeatsTaken = z.output<typeof seats>;

const iceServer = z
  .strictObject({
    urls: z.array(z.string()),
    username: z.string().optional(),
    credential: z.string().optional(),
  })
  .meta({ title: "IceServer" });

/** How media travels: directly between all browsers, or through the media engine. */
export const mediaWay = z
  .strictObject({
    type: z
      .enum(["direct", "livekit"])
      .describe("direct: each browser with each; livekit: by the media engine."),
    /** The address for livekit-client's `connect`, with the ticket as its token; null for direct. */
    url: webLink().nullable(),
    iceServers: z.array(iceServer),
  })
  .meta({ title: "MediaPath" });
export type MediaPath = z.output<typeof mediaWay>;

/** The room, as a person who enters may see it. */
export const enteredRoom = z
  .strictObject({
    roomId: z.string(),
    name: z.string(),
    roomType: z.string(),
    roomAgenda: z.string().nullable(),
    scheduledDateTime: instant().nullable(),
  })
  .meta({ title: "EnteredRoom" });
export type EnteredRoom = z.output<typeof enteredRoom>;

/** How the meeting is captured, so that people know before they enter. */
export const captured = {
  recording: z.boolean().describe("Whether the meeting is being recorded."),
  streaming: z.boolean().describe("Whether it is being streamed live, wherever it is watched."),
  transcribing: z.boolean().describe("Whether what is said in it is written down."),
};
export type Captured = { readonly [K in keyof typeof captured]: boolean };

const meetings = { group: "Meetings", failure: "message" } as const;

export const fetchInvitation = operation({
  ...meetings,
  id: "fetchInvitation",
  // Not in the address, which proxies log: the body may have a session token.
  method: "POST",
  scope: "read",
  path: "/api/meeting/invitation",
  summary: "What a link opens: the room's name, and what is needed to enter",
  access: "anyone or token",
  in: "body",
  input: z.object({
    roomId: roomId().describe("The code of the room's link; with a token also the room ID."),
    sessionToken: textField(128)
      .optional()
      .describe("An invitation that createSessionToken made, instead of a token."),
  }),
  reply: success({
    invitation: enteredRoom
      .extend({
        organization: z.string(),
        brand,
        /** True if the caller must give the room's password. */
        passwordRequired: z.boolean(),
        /** True if a moderator must let the caller in. */
        lobby: z.boolean(),
        /** True if anybody is inside. */
        running: z.boolean(),
        locked: z.boolean(),
        /** True if a live stream can be watched without a seat. */
        stream: z.boolean(),
        ...captured,
        /** The roles that the caller may take and that have free seats, the default first. */
        peerTypes: z.array(z.enum(peerTypes)),
        /** The name of the signed-in caller, or of the invited person; null for a guest. */
        peerName: z.string().nullable(),
        /** True if the caller is an owner of the room, an administrator or an access key. */
        host: z.boolean(),
        /** True if people may rate the connection after the meeting (rateMeeting). */
        rating: z.boolean(),
        /** The organization's language of transcriptions; omitted where it has none. */
        speechLanguage: z.exactOptional(z.enum(speechLanguages)),
        /** True if the caller waits for a host. */
        waitsForHost: z.boolean(),
        /** Where the invited person goes after the meeting. */
        returnUrl: webLink().optional(),
      })
      .meta({ title: "Invitation" }),
  }),
  status: 200,
  refusals: ["room_not_found", "link_ended", "too_many_requests"],
});

export const joinRoom = operation({
  ...meetings,
  id: "joinRoom",
  method: "POST",
  path: "/api/meeting/joinRoom",
  summary: "Take a seat in a room",
  access: "anyone or token",
  in: "body",
  input: z.object({
    roomId: roomId().describe("The code of the room's link; with a token also the room ID."),
    peerName: textField(PEER_NAME, { filled: true, shown: "line" })
      .optional()
      .describe(
        "The name that others see; of a signed-in person the account's name is the default.",
      ),
    password: textField(128).optional().describe("The room's password, where it has one."),
    peerType: peerType().optional().describe("The wanted role; the room's usual one by default."),
    sessionToken: textField(128)
      .optional()
      .describe("An invitation that createSessionToken made, instead of a token."),
    takesOver: flag()
      .default(true)
      .describe(
        "Whether a seat to which the person is connected, as from another window, moves here; otherwise that is refused.",
      ),
    secondDevice: flag()
      .default(false)
      .describe(
        "Whether a person who has a seat keeps it, and this is their second device: it takes a seat of the same role, and has no sound. Without a seat it is an ordinary join.",
      ),
    waitsForSeat: flag()
      .default(false)
      .describe(
        "Whether to wait before the door where no seat is free: the person comes in by themselves when one is, in the order in which people came. Otherwise that is refused.",
      ),
  }),
  reply: success({
    /** True if they wait before the door (202): see `waitsFor` of the meeting socket. */
    waiting: z.boolean(),
    /** Opens the meeting socket and the media engine. Ends with the seat. */
    ticket: z.string(),
    peer: z
      .strictObject({
        peerId: z.string(),
        peerName: z.string(),
        peerType: z.enum(peerTypes),
        /** True if it is the person's second device. */
        secondDevice: secondDevice(),
      })
      .meta({ title: "JoinedPeer" }),
    room: enteredRoom,
    /** The path of the meeting socket. */
    socket: pathLink(),
    /** null while waiting. */
    media: mediaWay.nullable(),
  }),
  status: 200,
  otherStatus: {
    status: 202,
    when: "They wait before the door: a moderator must let them in, or a host must come, or a seat must become free.",
  },
  refusals: [
    "room_not_found",
    "wrong_room_password",
    "banned",
    "role_not_allowed",
    "already_inside",
    "no_second_device",
    "seats_full",
    "lobby_full",
    "link_ended",
    "room_locked",
    "media_engine_needed",
    "media_unavailable",
    "too_many_requests",
  ],
});

export const leaveRoom = operation({
  ...meetings,
  id: "leaveRoom",
  method: "POST",
  path: "/api/meeting/leaveRoom",
  summary: "Give a seat back",
  access: "anyone",
  in: "body",
  input: z.object({
    ticket: textField(128, { required: says("required") }).describe(
      "The ticket of the seat. Giving it back twice is no failure.",
    ),
    mayReturn: flag()
      .default(false)
      .describe(
        "Whether the page was closed or is being reloaded: the seat is free at once, and for 20 seconds the person may come back to the meeting as to a seat that was kept.",
      ),
  }),
  reply: success({}),
  status: 200,
  refusals: [],
});

export const rateMeeting = operation({
  ...meetings,
  id: "rateMeeting",
  method: "POST",
  path: "/api/meeting/rateMeeting",
  summary: "Rate the connection of a meeting that one has left",
  access: "anyone",
  in: "body",
  input: z.object({
    ticket: textField(128, { required: says("required") }).describe(
      "The ticket of the seat, which has ended.",
    ),
    rating: whole(1, 5).describe("From 1, bad, to 5, very good. A later one replaces it."),
  }),
  reply: success({}),
  status: 200,
  refusals: ["ticket_ended", "too_many_requests"],
});

/** The first text, or the second if the person already has a seat in the room's meeting. */
export const sessionTokenMessages = [
  "Session token generated successfully",
  "Active session exists for this roomId",
] as const;

/** A room accessed by an access key, whose secret replaces the token. */
const roomBySecret = {
  accessKey: pastedId().describe("The access key."),
  secretAccessKey: pastedId().describe("Its secret."),
  roomId: roomId().describe("The room ID."),
};

const secretRefusals = [
  "wrong_access_key",
  "access_key_ended",
  "rooms_scope_needed",
  "room_not_found",
  "too_many_requests",
] as const;

export const createSessionToken = operation({
  ...meetings,
  id: "createSessionToken",
  method: "POST",
  path: "/api/siteSetting/sessionToken",
  summary: "Invite one named person into a room, for an application of yours",
  access: "anyone",
  in: "body",
  input: z.object({
    ...roomBySecret,
    peerName: textField(PEER_NAME, { filled: true, shown: "line" })
      .default("Guest")
      .describe("The name that others see."),
    peerType: peerType().default("participant").describe("The role."),
    peerId: textField(64, { filled: true })
      .optional()
      .describe("Your own ID of the person: the same ID gets the same seat."),
    expiresIn: whole(60, 86_400)
      .default(3600)
      .describe("How long it may be used to enter, in seconds."),
    until: choice(["meeting"])
      .optional()
      .describe(
        "`meeting`: it may be used until the running meeting of the room ends, or else the next one, instead of `expiresIn`.",
      ),
    withLink: flag()
      .default(true)
      .describe(
        "Whether `joinUrl` contains the room's link, which lets in anybody who has it. Without, it leads to the room's ID, which opens nothing but with the invitation.",
      ),
    lobby: flag()
      .optional()
      .describe(
        "Whether a moderator must let the person in, whatever the room says; `false`: nobody has to, and the person does not wait for a host either. By default, invited people wait for a host where the room says so, and never for a moderator.",
      ),
    returnUrl: returnAddress()
      .optional()
      .describe(
        "Where the person goes on after the meeting, an https address (http on this machine itself): the page leads there when the person has left, or the meeting has ended.",
      ),
    metadata: metadataField()
      .optional()
      .describe(
        "What you want to know again of the person: a JSON object of at most 1,024 bytes, which webhooks, getMeeting, getAttendance and moderators get.",
      ),
  }),
  reply: success({
    message: z.enum(sessionTokenMessages),
    sessionToken: z.string(),
    roomDisplayName: z.string(),
    joinUrl: webLink(),
  }),
  status: 201,
  changes: true,
  refusals: secretRefusals,
});

export const revokeSessionToken = operation({
  ...meetings,
  id: "revokeSessionToken",
  method: "POST",
  path: "/api/siteSetting/revokeSessionToken",
  summary: "End an invitation, or all of a person's invitations into a room",
  access: "anyone",
  in: "body",
  input: z
    .object({
      ...roomBySecret,
      sessionToken: textField(128, { filled: true })
        .optional()
        .describe("The invitation; or send the peerId."),
      peerId: textField(64, { filled: true })
        .optional()
        .describe("The person, as createSessionToken named them: ends all of their invitations."),
    })
    .superRefine(({ sessionToken, peerId: person }, context) => {
      if ((sessionToken === undefined) === (person === undefined)) {
        context.addIssue({
          code: "custom",
          path: ["sessionToken"],
          message: says("one_not_both", { other: "peerId" }),
        });
      }
    }),
  reply: success({}),
  status: 200,
  changes: true,
  refusals: [...secretRefusals, "peer_not_found"],
});
