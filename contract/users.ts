import { z } from "zod";
import { email, flag, id, isBlank, text, webAddress } from "./fields.ts";
import { operation, success, typedSuccess } from "./operation.ts";
import { say } from "./texts.ts";
import { anyUser, createdUser, editedUser } from "./user-record.ts";

/** The most entries of a bulk operation. */
export const BULK = 1000;

export const defaultRole = "moderator";

const tags = () =>
  z
    .array(text(100), { error: "must be an array of text" })
    .max(50, { error: "must have at most 50 entries" });

const rolePhrase = "must be a role of 1 to 64 characters without a comma and surrounding spaces";
const role = () =>
  text(64, { filled: true }).refine((value) => !value.includes(",") && value === value.trim(), {
    error: rolePhrase,
    when: ({ issues }) => issues.length === 0,
  });

const name = (required: string) => text(200, { required });

/** The settings that create and edit share. */
const userSettings = {
  location: text(200).nullable().describe("Where the person is: free text or a code."),
  admin: flag().describe("Whether the person may administer the organization."),
  meetNowEnabled: flag().describe("Whether the person may take part in instant meetings."),
  tags: tags().describe("Labels that instant meetings use."),
  displayRating: flag().describe(
    "Whether the ratings of instant meetings are shown for the person.",
  ),
  role: role().describe("What the person is in meetings; lists can be filtered by it."),
};

export const createUser = operation({
  id: "createUser",
  group: "Users",
  method: "POST",
  path: "/api/user/orgUser",
  summary: "Create a person and send the welcome letter",
  access: "administrator",
  in: "body",
  input: z.object({
    email: email(say("email_and_name_required")),
    name: name(say("email_and_name_required")),
    loginUrl: webAddress(say("login_url_required")),
    admin: userSettings.admin.default(false),
    meetNowEnabled: userSettings.meetNowEnabled.default(false),
    tags: userSettings.tags.default([]),
    displayRating: userSettings.displayRating.default(false),
    location: userSettings.location.default(null),
    role: userSettings.role.default(defaultRole),
  }),
  reply: success({ user: createdUser, password: z.string() }),
  status: 201,
  failure: "message",
  refusals: ["user_limit", "email_taken"],
  tagged: "always",
});

export const editUser = operation({
  id: "editUser",
  group: "Users",
  method: "PUT",
  path: "/api/user/orgUser",
  summary: "Edit a person: only what is supplied changes",
  access: "administrator",
  in: "body",
  input: z.object({
    userId: id(say("user_id_required_to_edit")),
    email: email("must be an email address, such as ann@example.org").optional(),
    name: name("must be text of 1 to 200 characters").optional(),
    location: userSettings.location.optional(),
    admin: userSettings.admin.optional(),
    meetNowEnabled: userSettings.meetNowEnabled.optional(),
    tags: userSettings.tags.optional(),
    displayRating: userSettings.displayRating.optional(),
    role: userSettings.role.optional(),
  }),
  reply: success({ user: editedUser }),
  status: 200,
  failure: "message",
  refusals: ["email_taken", "user_not_found", "own_account", "precondition_failed"],
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
  path: "/api/user/suspendRestoreUser",
  summary: "Suspend or restore a person",
  input: z.object({
    userId: id(say("user_id_required_to_suspend")),
    action: z.enum(["suspend", "restore"], { error: say("invalid_action") }),
  }),
  reply: success({ user: anyUser.pick({ id: true, accountSuspended: true }) }),
  refusals: ["user_not_found", "user_is_revoked", "own_account"],
});

/** What a bulk operation of too many entries is told. */
export const bulk = `must be at most ${BULK} entries`;

export const revokeUsers = operation({
  ...userOperation,
  id: "revokeUsers",
  path: "/api/user/revokeOrgUsers",
  summary: "Revoke people: all of them, or none",
  input: z
    .array(z.object({ userId: id("is required.") }, { error: "must be an object with userId" }), {
      error: say("user_details_not_array"),
    })
    .min(1, { error: say("user_details_empty") })
    .max(BULK, { error: bulk }),
  reply: success({}),
  refusals: ["user_not_found", "own_account"],
});

export const resetPassword = operation({
  ...userOperation,
  id: "resetPassword",
  path: "/api/user/adminPwdreset",
  summary: "Give a person a new password and send it by letter",
  input: z.object({
    userId: id("userId is required."),
    loginUrl: webAddress().optional(),
  }),
  reply: success({ email: z.string(), password: z.string() }),
  refusals: ["user_not_found", "user_is_revoked"],
});

export const reactivateUser = operation({
  ...userOperation,
  id: "reactivateUser",
  path: "/api/user/reactivateOrgUser",
  summary: "Reactivate a revoked person",
  input: z
    .object({ userId: text(128).nullish(), email: text(254).nullish() })
    .superRefine(({ userId, email }, context) => {
      const given = [userId, email].filter((value) => value !== undefined && value !== null);
      if (given.length !== 1 || given.some(isBlank)) context.addIssue(say("user_id_or_email"));
    }),
  reply: typedSuccess("accountReactivation", {}),
  type: "accountReactivation",
  failure: "typed message",
  refusals: ["user_limit", "user_not_found", "user_not_revoked"],
});

export const deleteUsers = operation({
  ...userOperation,
  id: "deleteUsers",
  path: "/api/user/permDeleteOrgUsers",
  summary: "Delete revoked people for good: all of them, or none",
  input: z
    .array(id("must be a user ID"), { error: say("user_ids_not_array") })
    .min(1, { error: say("user_ids_empty") })
    .max(BULK, { error: bulk }),
  reply: success({}),
  refusals: ["user_not_found", "user_not_revoked", "own_account"],
});
