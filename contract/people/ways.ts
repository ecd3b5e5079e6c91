import { z } from "zod";
import { id, instant } from "../kit/fields.ts";
import { operation, success } from "../kit/operation.ts";
import { passkey } from "./passkeys.ts";

/* Parley's own operation: the ways into an account, for administrators. */

const ways = z
  .strictObject({
    /** Until when an emailed link to choose a password opens; null: none is open. */
    linkUntil: instant().nullable(),
    passkeys: z.array(passkey),
    /** When the authenticator app was set up; null: it is not. */
    authenticatorSince: instant().nullable(),
    providers: z.array(z.strictObject({ name: z.string(), linkedAt: instant() })),
    /** How many sessions are open. */
    sessions: z.int(),
  })
  .meta({ title: "UserWays" });
/** The ways into an account beside its password. */
export type UserWays = z.output<typeof ways>;

export const fetchUserWays = operation({
  id: "fetchUserWays",
  group: "Users",
  access: "administrator",
  failure: "message",
  status: 200,
  method: "GET",
  path: "/api/user/ways",
  summary: "The ways into a person's account beside the password",
  in: "query",
  input: z.object({ userId: id().describe("The ID of the person.") }),
  reply: success({ ways }),
  refusals: ["user_not_found"],
});
