import { z } from "zod";
import { choice, flag, textField, whole } from "../kit/fields.ts";
import { operation, success } from "../kit/operation.ts";
import { says } from "../kit/reasons.ts";
import { streaming } from "./live.ts";
import { CHAT_TEXT, peerId, peerTypes, qualities, roomId } from "./meetings.ts";
import { recordingCommands } from "./recording.ts";
import { transcribing } from "./transcripts.ts";

/*
 * The commands of moderators in a meeting. Each is a command of the meeting socket, for moderators
 * inside, and an operation, for administrators, access keys and the room's owners.
 */

/** The media that a person can send. */
export const mediums = ["audio", "video", "share"] as const;
const medium = () => choice(mediums);
export type Medium = (typeof mediums)[number];

/** The longest ban that ends by itself, in minutes: a year. */
const BAN_MINUTES = 525_600;
const ban = () =>
  z.union([choice(["no", "meeting", "always"]), whole(1, BAN_MINUTES)], {
    error: says("not_ban", { max: BAN_MINUTES }),
  });

/** One person, or everybody to whom it applies. */
const oneOrAll = {
  peerId: peerId().optional().describe("Whom; omitted with `all`."),
  all: flag().default(false).describe("Everybody whom it can mean, instead of one person."),
};

const upgradeActions = ["accept", "refuse", "offer", "demote"] as const;

/** The inputs, without the room. */
export const moderation = {
  allowRoomJoin: z.object({
    requesterPeerId: peerId().optional().describe("Who waits; omitted with `all`."),
    all: oneOrAll.all,
  }),
  denyRoomJoin: z.object({
    requesterPeerId: peerId().optional().describe("Who waits; omitted with `all`."),
    all: oneOrAll.all,
  }),
  removePeer: z.object({
    peerId: peerId().describe("Whom."),
    ban: ban()
      .default("no")
      .describe(
        "Whether they may come back: `no`, at once; `meeting`, after this meeting; `always`, never; or after so many minutes.",
      ),
  }),
  mutePeer: z.object({ ...oneOrAll, type: medium().default("audio").describe("What is ended.") }),
  changePeer: z.object({
    peerId: peerId().describe("Whom."),
    peerType: choice(peerTypes).describe("The role from now on."),
  }),
  upgradeRequest: z.object({
    peerId: peerId().describe("Whom."),
    action: choice(upgradeActions).describe(
      "accept or refuse a request; offer without one, with one the same as accept; demote: back to a viewer.",
    ),
  }),
  lockRoom: z.object({
    action: choice(["lock", "unlock"]).describe("Whether nobody new may enter."),
  }),
  muteOnEntry: z.object({
    on: flag().describe("Whether people who enter from now on begin with the microphone off."),
  }),
  closeRoom: z.object({
    message: textField(500, { shown: "lines" })
      .default("")
      .describe("The message that everybody sees."),
  }),
} as const;

const action = { group: "Meetings", failure: "message", method: "POST", access: "token" } as const;
const asked = {
  ...action,
  in: "body",
  reply: success({}),
  status: 200,
  changes: true,
} as const;
const ofRoom = <S extends z.ZodRawShape>(input: z.ZodObject<S>) =>
  input.extend({ roomId: roomId().describe("The room ID.") });

export const allowRoomJoin = operation({
  ...asked,
  id: "allowRoomJoin",
  path: "/api/meeting/allowRoomJoin",
  summary: "Let somebody in who waits",
  input: ofRoom(moderation.allowRoomJoin),
  refusals: ["room_not_found", "peer_not_found", "seats_full", "media_engine_needed"],
});

export const denyRoomJoin = operation({
  ...asked,
  id: "denyRoomJoin",
  path: "/api/meeting/denyRoomJoin",
  summary: "Refuse somebody who waits",
  input: ofRoom(moderation.denyRoomJoin),
  refusals: ["room_not_found", "peer_not_found"],
});

export const removePeer = operation({
  ...asked,
  id: "removePeer",
  path: "/api/meeting/removePeer",
  summary: "Remove somebody from a meeting",
  input: ofRoom(moderation.removePeer),
  refusals: ["room_not_found", "peer_not_found"],
});

export const mutePeer = operation({
  ...asked,
  id: "mutePeer",
  path: "/api/meeting/mutePeer",
  summary: "End somebody's sound, picture or shared screen",
  input: ofRoom(moderation.mutePeer),
  refusals: ["room_not_found", "peer_not_found"],
});

export const changePeer = operation({
  ...asked,
  id: "changePeer",
  path: "/api/meeting/changePeer",
  summary: "Change somebody's role in a meeting",
  input: ofRoom(moderation.changePeer),
  refusals: ["room_not_found", "peer_not_found", "seats_full"],
});

export const upgradeRequest = operation({
  ...asked,
  id: "upgradeRequest",
  path: "/api/meeting/upgradeRequest",
  summary: "Answer a viewer who asks to take part",
  input: ofRoom(moderation.upgradeRequest),
  refusals: ["room_not_found", "peer_not_found", "seats_full", "upgrade_limit"],
});

export const lockRoom = operation({
  ...asked,
  id: "lockRoom",
  path: "/api/meeting/lockRoom",
  summary: "Lock a running meeting, or unlock it",
  input: ofRoom(moderation.lockRoom),
  refusals: ["room_not_found", "no_meeting"],
});

export const muteOnEntry = operation({
  ...asked,
  id: "muteOnEntry",
  path: "/api/meeting/muteOnEntry",
  summary: "Let people enter a running meeting with the microphone off",
  input: ofRoom(moderation.muteOnEntry),
  refusals: ["room_not_found", "no_meeting"],
});

export const closeRoom = operation({
  ...asked,
  id: "closeRoom",
  path: "/api/meeting/closeRoom",
  summary: "End a meeting for everybody",
  input: ofRoom(moderation.closeRoom),
  refusals: ["room_not_found"],
});

const turnedOn = (what: string) => flag().describe(`Whether the ${what} is on.`);

/** Commands that everybody may send over the meeting socket; moderators have more. */
export const ownCommands = {
  chat: z
    .object({
      text: textField(CHAT_TEXT, { filled: true, shown: "lines" }).describe("What to write."),
    })
    .describe("Write in the chat."),
  hand: z
    .object({ up: flag().describe("Whether it is raised.") })
    .describe("Raise the hand, or lower it."),
  media: z
    .object({
      audio: turnedOn("microphone"),
      video: turnedOn("camera"),
      share: turnedOn("shared screen"),
    })
    .describe("Report which of the sender's sources are on, for others to see."),
  quality: z
    .object({ level: choice(qualities).describe("How good it is.") })
    .describe("Report the quality of the sender's connection, when it changes."),
  signal: z
    .object({
      to: peerId().describe("For whom."),
      data: textField(65_536).describe("A description or a candidate (W3C WebRTC), as a text."),
    })
    .describe("Send something to another browser in a direct meeting."),
  present: z
    .object({ on: flag().describe("Whether it is requested; otherwise it is given back.") })
    .describe("Request the only presenter's place, or give it back."),
  upgrade: z
    .object({
      action: choice(["ask", "withdraw", "take", "decline"]).describe(
        "ask to take part, withdraw the request; take an offer, or decline it.",
      ),
    })
    .describe("As a viewer, ask to take part, withdraw the request, or answer an offer."),
  promote: z
    .object({})
    .describe(
      "Become a moderator as an owner of the room: the room may have been handed over to them meanwhile.",
    ),
  beat: z
    .object({})
    .describe("Change nothing: the reply proves the connection, also to a waiting person."),
  leave: z.object({}).describe("Give the seat back, or the place before the door."),
} as const;

/** Every command of the meeting socket by its name. */
export const commands = {
  ...moderation,
  ...ownCommands,
  ...recordingCommands,
  ...streaming,
  ...transcribing,
} as const;
export type Commands = { readonly [K in keyof typeof commands]: z.input<(typeof commands)[K]> };
export type CommandName = keyof Commands;

/** The first message of a meeting socket. */
export const hello = z.object({
  ticket: textField(128, { required: says("required") }).describe("The ticket that joinRoom gave."),
});
/** Every later message: the reply repeats `id`. */
export const command = z.object({
  id: whole(0, Number.MAX_SAFE_INTEGER).describe("A number of the client; the reply repeats it."),
  do: z.string(),
});
