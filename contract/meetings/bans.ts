import { z } from "zod";
import { instant, pathId } from "../kit/fields.ts";
import { operation, success } from "../kit/operation.ts";
import { peerId, roomId } from "./meetings.ts";

/*
 * Parley's own operations: who is excluded from a room, for administrators, access keys and the room's
 * owners. Exclusion itself is removePeer (meeting-commands.ts).
 */

const bans = { group: "Meetings", failure: "message", access: "token", status: 200 } as const;

const ban = z
  .strictObject({
    /** The person's seat at the exclusion. */
    peerId: z.string(),
    peerName: z.string(),
    userId: z.string().nullable(),
    createdAt: instant(),
    lasts: z.enum(["meeting", "time", "always"]),
    /** null if it has no end. */
    endsAt: instant().nullable(),
  })
  .meta({ title: "Ban" });

export const listBans = operation({
  ...bans,
  id: "listBans",
  method: "GET",
  path: "/api/meeting/bans/:roomId",
  summary: "Who is excluded from a room",
  in: "path",
  input: z.object({ roomId: pathId().describe("The room ID.") }),
  reply: success({ bans: z.array(ban) }),
  refusals: ["room_not_found"],
});

export const liftBan = operation({
  ...bans,
  id: "liftBan",
  changes: true,
  method: "POST",
  path: "/api/meeting/liftBan",
  summary: "Let somebody come back who was excluded",
  in: "body",
  input: z.object({
    roomId: roomId().describe("The room ID."),
    peerId: peerId().describe("Whom, as listBans names them."),
  }),
  reply: success({}),
  refusals: ["room_not_found", "peer_not_found"],
});
