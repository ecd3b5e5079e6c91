import { z } from "zod";
import { id, textField } from "../kit/fields.ts";
import { operation, success } from "../kit/operation.ts";
import { says } from "../kit/reasons.ts";

/*
 * Handing over the rooms of a person who leaves. One of Parley's own operations, for administrators
 * and access keys.
 */

/** The most heirs; together they own each room. */
const MOST = 10;
const error = says("not_bounded_list", { min: 1, max: MOST, of: "user IDs" });

export const handOverRooms = operation({
  group: "Users",
  access: "administrator",
  // It changes only rooms.
  scope: "rooms",
  failure: "message",
  id: "handOverRooms",
  changes: true,
  method: "POST",
  path: "/api/user/handOverRooms",
  summary: "Hand the rooms of a person over to others",
  in: "body",
  input: z.object({
    userId: id().describe("The person who owns the rooms, revoked or not."),
    heirs: z
      .array(textField(128), { error })
      .min(1, { error })
      .max(MOST, { error })
      .describe("The user IDs of who owns the rooms from now on, together and in this order."),
  }),
  reply: success({ handedOver: z.int(), left: z.int() }),
  status: 200,
  refusals: ["user_not_found", "hand_over_running"],
});
