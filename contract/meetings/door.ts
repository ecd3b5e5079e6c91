import { z } from "zod";
import { flag } from "../kit/fields.ts";
import { operation, success } from "../kit/operation.ts";
import { roomId } from "./meetings.ts";

/** The door's settings beside the room's record, which has no field for them. */
export const roomDoor = operation({
  group: "Meetings",
  failure: "message",
  id: "roomDoor",
  changes: true,
  method: "POST",
  path: "/api/meeting/door",
  summary: "Whether guests of a room wait for a host",
  access: "administrator",
  owners: "edit",
  in: "body",
  input: z.object({
    roomId: roomId().describe("The room ID."),
    waitsForHost: flag()
      .optional()
      .describe(
        "Whether guests come in only once a host has come: an owner, an administrator, an access key, a person of the organization or a moderator. What is omitted stays.",
      ),
  }),
  reply: success({ waitsForHost: z.boolean() }),
  status: 200,
  refusals: ["room_not_found"],
});
