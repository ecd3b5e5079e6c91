import { z } from "zod";
import { id } from "../kit/fields.ts";
import { operation, success } from "../kit/operation.ts";
import { says } from "../kit/reasons.ts";
import { userSettings } from "./settings.ts";
import { BULK, bulk, userOperation } from "./users.ts";

/*
 * Parley's own operations on several people at once: all of them, or none. Revoking and deleting several
 * people is part of the interface (users.ts).
 */

const userIds = z
  .array(id(says("not_id_of", { of: "user" })), { error: says("user_ids_not_array") })
  .min(1, { error: says("user_ids_empty") })
  .max(BULK, { error: bulk })
  .describe("The user IDs of the people.");

export const suspendRestoreUsers = operation({
  ...userOperation,
  id: "suspendRestoreUsers",
  fresh: "sometimes",
  changes: true,
  path: "/api/user/suspendRestoreOrgUsers",
  summary: "Suspend or restore people: all of them, or none",
  input: z.object({
    userIds,
    action: z
      .enum(["suspend", "restore"], { error: says("invalid_action") })
      .describe("suspend: they cannot sign in; restore: they can again."),
  }),
  reply: success({}),
  refusals: [
    "user_not_found",
    "user_is_revoked",
    "own_account",
    "last_administrator",
    "everything_scope_needed",
  ],
});

export const reactivateUsers = operation({
  ...userOperation,
  id: "reactivateUsers",
  fresh: "sometimes",
  changes: true,
  path: "/api/user/reactivateOrgUsers",
  summary: "Reactivate revoked people: all of them, or none",
  input: z.object({ userIds }),
  reply: success({}),
  refusals: ["user_limit", "user_not_found", "user_not_revoked", "everything_scope_needed"],
});

export const changeRoles = operation({
  ...userOperation,
  id: "changeRoles",
  changes: true,
  path: "/api/user/changeRoleOfOrgUsers",
  summary: "Give people another role: all of them, or none",
  input: z.object({
    userIds,
    role: userSettings.role.create.unwrap().describe("The role that all of them have then."),
  }),
  reply: success({}),
  refusals: ["user_not_found", "everything_scope_needed"],
});
