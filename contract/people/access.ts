import { z } from "zod";
import { instant, pastedId, textField } from "../kit/fields.ts";
import { nothing, operation, success } from "../kit/operation.ts";
import { ownersMay } from "../kit/organization-settings.ts";
import { passwordLength } from "../kit/plain.ts";
import { says } from "../kit/reasons.ts";
import { userSettings } from "./settings.ts";

/*
 * Parley's own operations: tokens, sign-in, the caller.
 */

/** The account of a signed-in person. */
export const person = z
  .strictObject({
    id: z.string(),
    email: z.string(),
    name: z.string(),
    username: z.string(),
    role: userSettings.role.reply,
    admin: userSettings.admin.reply,
  })
  .meta({ title: "SignedInPerson" });
/** The signed-in person. */
export type Person = z.output<typeof person>;

const session = { token: z.string(), expiresAt: instant(), user: person };

const access = { group: "Access", access: "anyone", failure: "message", status: 200 } as const;

export const getAuthToken = operation({
  ...access,
  id: "getAuthToken",
  method: "POST",
  path: "/api/siteSetting/getAuthToken",
  summary: "Exchange an access key for a token",
  in: "body",
  input: z.object({
    accessKey: pastedId().describe("The access key."),
    secretAccessKey: pastedId().describe("Its secret, as it was shown when the key was created."),
  }),
  reply: z.strictObject({
    authToken: z.strictObject({
      ok: z.literal(true),
      message: z.literal("Auth token generated successfully"),
      token: z.string(),
    }),
  }),
  failure: "authToken",
  refusals: ["wrong_access_key", "access_key_ended", "too_many_requests"],
});

export const signIn = operation({
  ...access,
  id: "signIn",
  method: "POST",
  path: "/api/session",
  summary: "Sign in with email or username, and password",
  in: "body",
  input: z.object({
    login: textField(254, { required: says("required"), pasted: true }).describe(
      "The email or the username.",
    ),
    password: textField(256, { required: says("required") }).describe(
      "The password of the account.",
    ),
  }),
  reply: success(session),
  refusals: [
    "wrong_login",
    "second_factor_needed",
    "password_to_choose",
    "account_suspended",
    "account_revoked",
    "provider_required",
    "too_many_requests",
  ],
});

export const renewSession = operation({
  ...access,
  id: "renewSession",
  method: "POST",
  path: "/api/session/renew",
  summary: "A new token by the renewal cookie",
  in: "nothing",
  input: nothing,
  reply: success(session),
  refusals: ["session_ended", "too_many_requests"],
});

export const whoAmI = operation({
  ...access,
  id: "whoAmI",
  setup: true,
  access: "token",
  method: "GET",
  path: "/api/session",
  summary: "Who the token belongs to",
  in: "nothing",
  input: nothing,
  reply: success({
    expiresAt: instant(),
    user: person.nullable(),
    accessKey: z.string().nullable(),
    /** The caller's rights as a room owner, which the organization sets; null without such a limit. */
    ownersMay: z.enum(ownersMay).nullable(),
  }),
  refusals: [],
});

export const signOut = operation({
  ...access,
  id: "signOut",
  setup: true,
  access: "token",
  // Every holder may end its own token.
  scope: "read",
  method: "DELETE",
  path: "/api/session",
  summary: "End the token and the renewal cookie",
  in: "nothing",
  input: nothing,
  reply: success({}),
  refusals: [],
});

const newPassword = textField(passwordLength.max, { required: says("required") })
  .refine((value) => [...value].length >= passwordLength.min, {
    error: says("password_length", passwordLength),
    when: ({ issues }) => issues.length === 0,
  })
  .meta({ description: "The password from now on.", minLength: passwordLength.min });

export const changePassword = operation({
  ...access,
  id: "changePassword",
  access: "person",
  method: "PUT",
  path: "/api/session/password",
  summary: "Change my own password; all my other sessions end",
  in: "body",
  input: z.object({
    password: textField(256, { required: says("required") }).describe("The current password."),
    newPassword,
  }),
  reply: success({}),
  refusals: ["wrong_password", "account_required", "too_many_requests"],
});

export const signInWithNewPassword = operation({
  ...access,
  id: "signInWithNewPassword",
  method: "POST",
  path: "/api/session/password/new",
  summary: "The last step of a sign-in whose password must be replaced",
  in: "body",
  input: z.object({
    ticket: textField(2048, { required: says("required"), pasted: true }).describe(
      "The `ticket` with which the sign-in was refused (`password_to_choose`).",
    ),
    newPassword,
  }),
  reply: success(session),
  refusals: [
    "session_ended",
    "account_suspended",
    "account_revoked",
    "provider_required",
    "too_many_requests",
  ],
});

export const sendPasswordLink = operation({
  ...access,
  id: "sendPasswordLink",
  method: "POST",
  path: "/api/session/password/link",
  summary: "Send an email with a link to choose a new password",
  in: "body",
  input: z.object({
    login: textField(254, { required: says("required"), pasted: true }).describe(
      "The email or the username.",
    ),
  }),
  reply: success({}),
  refusals: ["too_many_requests"],
});

export const choosePassword = operation({
  ...access,
  id: "choosePassword",
  method: "POST",
  path: "/api/session/password",
  summary: "Choose a password, by the link of an email",
  in: "body",
  input: z.object({
    code: textField(2048, { required: says("required"), pasted: true }).describe(
      "What the link has behind its #.",
    ),
    newPassword,
  }),
  reply: success({ username: z.string() }),
  refusals: ["link_ended", "account_suspended", "account_revoked", "too_many_requests"],
});
