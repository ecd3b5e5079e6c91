import { z } from "zod";
import { choice, email, flag, id, isBlank, textField, webAddress } from "../kit/fields.ts";
import { pageLanguages } from "../kit/languages.ts";
import { operation, success, typedSuccess } from "../kit/operation.ts";
import { type CarriedReason, says } from "../kit/reasons.ts";
import { shapeOf } from "../kit/setting.ts";
import { anyUser, createdUser, editedUser } from "./record.ts";
import { userSettings } from "./settings.ts";

/** The most entries of a bulk operation. */
export const BULK = 1000;

/** The language that a person has chosen: beside the record, which has none (interface.md, User). */
const language = choice(pageLanguages)
  .nullable()
  .describe(
    "The language of pages and of emails to the person; null for that of the browser, and emails in that of the organization. No record has it: findUsers answers it with `withLanguages`.",
  );

/** The demand of a new password: beside the record, as the language is. */
const mustChoosePassword = flag().optional();

const name = (required: CarriedReason) => textField(200, { required, shown: "line" });

export const createUser = operation({
  id: "createUser",
  fresh: "sometimes",
  changes: true,
  group: "Users",
  method: "POST",
  path: "/api/user/orgUser",
  summary: "Create a person and send the welcome email",
  access: "administrator",
  in: "body",
  input: z.object({
    email: email(says("email_and_name_required")).describe("The email of the person."),
    name: name(says("email_and_name_required")).describe("The name of the person."),
    loginUrl: webAddress(says("login_url_required")).describe(
      "The address of the sign-in page, sent to the person with the password.",
    ),
    passwordByLink: flag()
      .optional()
      .describe(
        "Whether the email has a link to choose the first password, in place of a password; the answer's `password` is empty then. When omitted, as the organization's `firstPasswords` says.",
      ),
    mustChoosePassword: mustChoosePassword.describe(
      "Whether the person must choose a new password at the first sign-in by the password that the answer has. When omitted, as the organization's `mustChoosePassword` says.",
    ),
    language: language.default(null),
    ...shapeOf(userSettings, "create"),
  }),
  reply: success({ user: createdUser, password: z.string() }),
  status: 201,
  failure: "message",
  refusals: ["user_limit", "email_taken", "everything_scope_needed"],
  tagged: "always",
});

/** The edited texts that others see, as they are stored from now on. */
export const shownOfUser = { name: name(says("required")), ...shapeOf(userSettings, "sent") };

export const editUser = operation({
  id: "editUser",
  fresh: "sometimes",
  changes: true,
  group: "Users",
  method: "PUT",
  path: "/api/user/orgUser",
  summary: "Edit a person: only what is supplied changes",
  access: "administrator",
  in: "body",
  input: z.object({
    userId: id(says("user_id_required_to_edit")).describe("The ID of the person."),
    email: email(says("not_email")).optional().describe("The new email of the person."),
    name: textField(200, { required: says("blank", { min: 1, max: 200 }) })
      .optional()
      .describe("The new name of the person."),
    mustChoosePassword: mustChoosePassword.describe(
      "Whether the person must choose a new password at the next sign-in by the password. Open sessions go on. findUsers answers it with `withMustChoosePassword`.",
    ),
    language: language.optional(),
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

/** The fields that most operations on people share. */
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
  fresh: "sometimes",
  changes: true,
  path: "/api/user/suspendRestoreUser",
  summary: "Suspend or restore a person",
  input: z.object({
    userId: id(says("user_id_required_to_suspend")).describe("The ID of the person."),
    action: z
      .enum(["suspend", "restore"], { error: says("invalid_action") })
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

/** The reason for too many entries. */
export const bulk = says("too_many_entries", { max: BULK });

export const revokeUsers = operation({
  ...userOperation,
  id: "revokeUsers",
  changes: true,
  path: "/api/user/revokeOrgUsers",
  summary: "Revoke people: all of them, or none",
  input: z
    .array(
      z.object(
        { userId: id().describe("The ID of a person to revoke.") },
        { error: says("not_object_with", { key: "userId" }) },
      ),
      { error: says("user_details_not_array") },
    )
    .min(1, { error: says("user_details_empty") })
    .max(BULK, { error: bulk }),
  reply: success({}),
  refusals: ["user_not_found", "own_account", "last_administrator", "everything_scope_needed"],
});

export const resetPassword = operation({
  ...userOperation,
  id: "resetPassword",
  fresh: "always",
  changes: true,
  path: "/api/user/adminPwdreset",
  summary: "Give a person a new password and send it by email",
  input: z.object({
    userId: id().describe("The ID of the person."),
    loginUrl: webAddress()
      .optional()
      .describe("The address of the sign-in page in the email; by default PUBLIC_URL."),
    mustChoosePassword: mustChoosePassword.describe(
      "Whether the person must choose another password at the next sign-in. When omitted, as the organization's `mustChoosePassword` says, or as it was demanded before.",
    ),
  }),
  reply: success({ email: z.string(), password: z.string() }),
  refusals: ["user_not_found", "user_is_revoked", "everything_scope_needed"],
});

export const reactivateUser = operation({
  ...userOperation,
  id: "reactivateUser",
  fresh: "sometimes",
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
      if (given.length !== 1 || given.some(isBlank)) context.addIssue(says("user_id_or_email"));
    }),
  reply: typedSuccess("accountReactivation", {}),
  type: "accountReactivation",
  failure: "typed message",
  refusals: ["user_limit", "user_not_found", "user_not_revoked", "everything_scope_needed"],
});

export const deleteUsers = operation({
  ...userOperation,
  id: "deleteUsers",
  fresh: "always",
  changes: true,
  path: "/api/user/permDeleteOrgUsers",
  summary: "Delete revoked people permanently: all of them, or none",
  input: z
    .array(id(says("not_id_of", { of: "user" })), { error: says("user_ids_not_array") })
    .min(1, { error: says("user_ids_empty") })
    .max(BULK, { error: bulk })
    .describe("The IDs of the people to delete."),
  reply: success({}),
  refusals: ["user_not_found", "user_not_revoked", "own_account", "everything_scope_needed"],
});
