import { z } from "zod";
import { id, instant, textField, webLink } from "../kit/fields.ts";
import { nothing, operation, success } from "../kit/operation.ts";
import { says } from "../kit/reasons.ts";
import { signIn } from "./access.ts";
import { signedByPasskey } from "./passkeys.ts";

/* Parley's own operations: second factors, and proofs that a person is still the one who signed in. */

const factor = { group: "Access", access: "person", failure: "message", status: 200 } as const;

const code = () =>
  textField(40, { required: says("required"), pasted: true }).describe(
    "The six digits that the app shows, or a recovery code.",
  );

export const signInWithFactor = operation({
  ...factor,
  access: "anyone",
  id: "signInWithFactor",
  method: "POST",
  path: "/api/session/factor",
  summary: "The second step of a sign-in: the code of a second factor",
  in: "body",
  input: z.object({
    ticket: textField(2048, { required: says("required"), pasted: true }).describe(
      "The `ticket` with which signIn was refused.",
    ),
    code: code(),
  }),
  reply: signIn.reply,
  refusals: [
    "session_ended",
    "wrong_code",
    "password_to_choose",
    "provider_required",
    "account_suspended",
    "account_revoked",
    "too_many_requests",
  ],
});

export const fetchFactors = operation({
  ...factor,
  id: "fetchFactors",
  setup: true,
  method: "GET",
  path: "/api/session/factors",
  summary: "My second factors",
  in: "nothing",
  input: nothing,
  reply: success({
    /** When the authenticator app was set up; null: it is not. */
    authenticatorSince: instant().nullable(),
    /** How many recovery codes are left. */
    recoveryCodes: z.int(),
  }),
  refusals: ["account_required"],
});

export const proveMyself = operation({
  ...factor,
  id: "proveMyself",
  setup: true,
  method: "POST",
  path: "/api/session/proof",
  summary: "Prove that I am still the one who signed in",
  in: "body",
  input: z.object({
    password: textField(256)
      .optional()
      .describe("The password; of accounts that have no second factor."),
    code: textField(40, { pasted: true })
      .optional()
      .describe("The code of the second factor; of accounts that have one."),
    passkey: signedByPasskey().optional(),
  }),
  reply: success({}),
  refusals: [
    "account_required",
    "wrong_password",
    "wrong_code",
    "wrong_passkey",
    "too_many_requests",
  ],
});

export const beginAuthenticator = operation({
  ...factor,
  id: "beginAuthenticator",
  setup: true,
  method: "POST",
  path: "/api/session/authenticator",
  summary: "Begin to set up an authenticator app",
  in: "nothing",
  input: nothing,
  reply: success({ secret: z.string(), uri: webLink() }),
  refusals: ["account_required", "proof_needed", "factor_exists"],
});

export const confirmAuthenticator = operation({
  ...factor,
  id: "confirmAuthenticator",
  setup: true,
  method: "POST",
  path: "/api/session/authenticator/confirm",
  summary: "Finish the authenticator app by its first code; all my other sessions end",
  in: "body",
  input: z.object({ code: code() }),
  reply: success({ recoveryCodes: z.array(z.string()) }),
  refusals: ["account_required", "proof_needed", "wrong_code", "no_factor", "factor_exists"],
});

export const removeAuthenticator = operation({
  ...factor,
  id: "removeAuthenticator",
  changes: true,
  method: "DELETE",
  path: "/api/session/authenticator",
  summary: "Remove my authenticator app",
  in: "nothing",
  input: nothing,
  reply: success({}),
  refusals: ["account_required", "proof_needed", "no_factor", "factor_demanded"],
});

export const makeRecoveryCodes = operation({
  ...factor,
  id: "makeRecoveryCodes",
  method: "POST",
  path: "/api/session/recoveryCodes",
  summary: "Make new recovery codes; the former ones end",
  in: "nothing",
  input: nothing,
  reply: success({ recoveryCodes: z.array(z.string()) }),
  refusals: ["account_required", "proof_needed", "no_factor"],
});

export const resetFactors = operation({
  ...factor,
  group: "Users",
  access: "administrator",
  id: "resetFactors",
  fresh: "always",
  changes: true,
  method: "POST",
  path: "/api/user/resetFactors",
  summary: "Remove a person's second factors and end their sessions",
  in: "body",
  input: z.object({ userId: id().describe("The ID of the person.") }),
  reply: success({}),
  refusals: ["user_not_found", "own_account", "everything_scope_needed"],
});
