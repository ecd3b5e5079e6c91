import { z } from "zod";
import { email, id, isBlank, textField, webAddress } from "./fields.ts";
import { operation, success, typedSuccess } from "./operation.ts";
import { shapeOf } from "./setting.ts";
import { say } from "./texts.ts";
import { anyUser, createdUser, editedUser } from "./user-record.ts";
import { userSettings } from "./user-settings.ts";

/** The most entries of a bulk operation. */
export const BULK = 1000;

const name = (required: string) => textField(200, { required, shown: "line" });

export const createUser = operation({
  id: "createUser",
  changes: true,
  group: "Users",
  method: "POST",
  path: "/api/user/orgUser",
  summary: "Create a person and send the welcome email",
  access: "administrator",
  in: "body",
  input: z.object({
    email: email(say("email_and_name_required")).describe("The email of the person."),
    name: name(say("email_and_name_required")).describe("The name of the person."),
    loginUrl: webAddress(say("login_url_required")).describe(
      "The address of the sign-in page, sent to the person with the password.",
    ),
    ...shapeOf(userSettings, "create"),
  }),
  reply: success({ user: createdUser, password: z.string() }),
  status: 201,
  failure: "message",
  refusals: ["user_limit", "email_taken", "everything_scope_needed"],
  tagged: "always",
});

/** The texts of an edit that others see, as they are stored from now on. */
export const shownOfUser = { name: name("is required."), ...shapeOf(userSettings, "sent") };

export const editUser = operation({
  id: "editUser",
  changes: true,
  group: "Users",
  method: "PUT",
  path: "/api/user/orgUser",
  summary: "Edit a person: only what is supplied changes",
  access: "administrator",
  in: "body",
  input: z.object({
    userId: id(say("user_id_required_to_edit")).describe("The ID of the person."),
    email: email("must be an email address, such as ann@example.org")
      .optional()
      .describe("The new email of the person."),
    name: textField(200, { required: "must be text of 1 to 200 characters" })
      .optional()
      .describe("The new name of the person."),
    ...shapeOf(userSettings, "edit"),
  }),
  reply: success({ user: editedUser }),
  status: 200,
  failure: "message",
  refusals: [
    "email_taken",
    "user_not_found",
    "own_account",
    "last_administrator",
    "precondition_failed",
    "everything_scope_needed",
  ],
  tagged: "always",
  conditional: true,
});

/** What most operations on people have in common. */
export const userOperation = {
  group: "Users",
  method: "POST",
  access: "administrator",
  in: "body",
  status: 200,
  failure: "message",
  refusals: [],
} as const;
export const suspendRestoreUser = operation({
  ...userOperation,
  id: "suspendRestoreUser",
  changes: true,
  path: "/api/user/suspendRestoreUser",
  summary: "Suspend or restore a person",
  input: z.object({
    userId: id(say("user_id_required_to_suspend")).describe("The ID of the person."),
    action: z
      .enum(["suspend", "restore"], { error: say("invalid_action") })
      .describe("suspend: the person cannot sign in; restore: the person can again."),
  }),
  reply: success({ user: anyUser.pick({ id: true, accountSuspended: true }) }),
  refusals: [
    "user_not_found",
    "user_is_revoked",
    "own_account",
    "last_administrator",
    "everything_scope_needed",
  ],
});

/** The phrase for too many entries. */
export const bulk = `must be at most ${BULK} entries`;

export const revokeUsers = operation({
  ...userOperation,
  id: "revokeUsers",
  changes: true,
  path: "/api/user/revokeOrgUsers",
  summary: "Revoke people: all of them, or none",
  input: z
    .array(
      z.object(
        { userId: id("is required.").describe("The ID of a person to revoke.") },
        { error: "must be an object with userId" },
      ),
      { error: say("user_details_not_array") },
    )
    .min(1, { error: say("user_details_empty") })
    .max(BULK, { error: bulk }),
  reply: success({}),
  refusals: ["user_not_found", "own_account", "last_administrator", "everything_scope_needed"],
});

export const resetPassword = operation({
  ...userOperation,
  id: "resetPassword",
  changes: true,
  path: "/api/user/adminPwdreset",
  summary: "Give a person a new password and send it by email",
  input: z.object({
    userId: id("userId is required.").describe("The ID of the person."),
    loginUrl: webAddress()
      .optional()
      .describe("The address of the sign-in page in the email; by default PUBLIC_URL."),
  }),
  reply: success({ email: z.string(), password: z.string() }),
  refusals: ["user_not_found", "user_is_revoked", "everything_scope_needed"],
});

export const reactivateUser = operation({
  ...userOperation,
  id: "reactivateUser",
  changes: true,
  path: "/api/user/reactivateOrgUser",
  summary: "Reactivate a revoked person",
  input: z
    .object({
      userId: textField(128).nullish().describe("The ID of the person; or send the email."),
      email: textField(254, { pasted: true })
        .nullish()
        .describe("The email of the person; or send the userId."),
    })
    .superRefine(({ userId, email }, context) => {
      const given = [userId, email].filter((value) => value !== undefined && value !== null);
      if (given.length !== 1 || given.some(isBlank)) context.addIssue(say("user_id_or_email"));
    }),
  reply: typedSuccess("accountReactivation", {}),
  type: "accountReactivation",
  failure: "typed message",
  refusals: ["user_limit", "user_not_found", "user_not_revoked", "everything_scope_needed"],
});

export const deleteUsers = operation({
  ...userOperation,
  id: "deleteUsers",
  changes: true,
  path: "/api/user/permDeleteOrgUsers",
  summary: "Delete revoked people permanently: all of them, or none",
  input: z
    .array(id("must be a user ID"), { error: say("user_ids_not_array") })
    .min(1, { error: say("user_ids_empty") })
    .max(BULK, { error: bulk })
    .describe("The IDs of the people to delete."),
  reply: success({}),
  refusals: ["user_not_found", "user_not_revoked", "own_account", "everything_scope_needed"],
});
