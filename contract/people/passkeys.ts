import { z } from "zod";
import { id, instant, pathId, textField } from "../kit/fields.ts";
import { nothing, operation, success } from "../kit/operation.ts";
import { says } from "../kit/reasons.ts";
import { signIn } from "./access.ts";

/* Parley's own operations: passkeys (WebAuthn), which sign in alone and are second factors. */

const passkeys = { group: "Access", access: "person", failure: "message", status: 200 } as const;

/** Bytes, as WebAuthn's JSON writes them: Base64url without padding (RFC 4648, section 5). */
const part = (max: number) =>
  textField(max, { required: says("required") })
    .refine((value) => /^[\w-]+$/.test(value), {
      error: says("not_base64"),
      when: ({ issues }) => issues.length === 0,
    })
    .meta({ minLength: 1, maxLength: max, pattern: "^[A-Za-z0-9_-]+$" });

const error = says("not_object");

/** The data that a passkey has signed, as the browser writes it. */
export const signedByPasskey = () =>
  z
    .object(
      {
        id: part(1400).describe("The ID of the credential."),
        response: z
          .object(
            {
              clientDataJSON: part(4000).describe("What the browser says was signed."),
              authenticatorData: part(4000).describe("What the authenticator says."),
              signature: part(4000).describe("The signature over both."),
              userHandle: textField(200).nullable().optional().describe("Whose passkey it is."),
            },
            { error },
          )
          .describe("What was signed.")
          .meta({ title: "PasskeyAssertionResponse" }),
      },
      { error },
    )
    .describe("What `navigator.credentials.get()` resolves to, as `toJSON()` writes it.")
    .meta({ title: "PasskeyAssertion" });
export type SignedByPasskey = z.output<ReturnType<typeof signedByPasskey>>;

const newPasskey = z
  .object(
    {
      id: part(1400).describe("The ID of the credential."),
      response: z
        .object(
          {
            clientDataJSON: part(4000).describe("What the browser says was signed."),
            attestationObject: part(20_000).describe("The public key, with what was signed."),
            transports: z
              .array(textField(40), { error: says("not_list", { of: "text" }) })
              .max(10, { error: says("too_many", { max: 10, of: "entries" }) })
              .optional()
              .describe("Ways to reach the authenticator."),
          },
          { error },
        )
        .describe("The new key.")
        .meta({ title: "PasskeyAttestationResponse" }),
    },
    { error },
  )
  .describe("What `navigator.credentials.create()` resolves to, as `toJSON()` writes it.")
  .meta({ title: "PasskeyAttestation" });
export type NewPasskey = z.output<typeof newPasskey>;

const options = z.record(z.string(), z.unknown());

/** A passkey as its person and administrators read it. */
export const passkey = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    createdAt: instant(),
    /** When it last signed in or proved; null: never. */
    usedAt: instant().nullable(),
  })
  .meta({ title: "Passkey" });
export type Passkey = z.output<typeof passkey>;

const name = () =>
  textField(80, { required: says("required"), shown: "line", pasted: true }).describe(
    "What the person calls it.",
  );
const ticket = () =>
  textField(2048, { filled: true, pasted: true })
    .optional()
    .describe("The `ticket` with which signIn was refused, where the passkey is the second step.");

export const askForPasskey = operation({
  ...passkeys,
  access: "anyone",
  id: "askForPasskey",
  method: "POST",
  path: "/api/session/passkey/challenge",
  summary: "Begin a sign-in by a passkey",
  in: "body",
  input: z.object({ ticket: ticket() }),
  reply: success({ options }),
  refusals: ["session_ended", "no_passkey", "passkeys_unavailable"],
});

export const signInWithPasskey = operation({
  ...passkeys,
  access: "anyone",
  id: "signInWithPasskey",
  method: "POST",
  path: "/api/session/passkey",
  summary: "Sign in by a passkey, alone or after the password",
  in: "body",
  input: z.object({ passkey: signedByPasskey(), ticket: ticket() }),
  reply: signIn.reply,
  refusals: [
    "wrong_passkey",
    "session_ended",
    "account_suspended",
    "account_revoked",
    "provider_required",
    "passkeys_unavailable",
    "too_many_requests",
  ],
});

export const beginProof = operation({
  ...passkeys,
  id: "beginProof",
  setup: true,
  method: "POST",
  path: "/api/session/proof/challenge",
  summary: "Begin a proof by a passkey",
  in: "nothing",
  input: nothing,
  reply: success({ options }),
  refusals: ["account_required", "no_passkey", "passkeys_unavailable"],
});

export const listPasskeys = operation({
  ...passkeys,
  id: "listPasskeys",
  setup: true,
  method: "GET",
  path: "/api/session/passkeys",
  summary: "My passkeys",
  in: "nothing",
  input: nothing,
  reply: success({ passkeys: z.array(passkey) }),
  refusals: ["account_required"],
});

export const beginPasskey = operation({
  ...passkeys,
  id: "beginPasskey",
  setup: true,
  method: "POST",
  path: "/api/session/passkeys/challenge",
  summary: "Begin to add a passkey",
  in: "nothing",
  input: nothing,
  reply: success({ options }),
  refusals: ["account_required", "proof_needed", "passkey_limit", "passkeys_unavailable"],
});

export const addPasskey = operation({
  ...passkeys,
  id: "addPasskey",
  setup: true,
  method: "POST",
  path: "/api/session/passkeys",
  summary: "Add a passkey; all my other sessions end",
  in: "body",
  input: z.object({ name: name(), passkey: newPasskey }),
  reply: success({ passkey, recoveryCodes: z.array(z.string()) }),
  refusals: [
    "account_required",
    "proof_needed",
    "wrong_passkey",
    "passkey_exists",
    "passkey_limit",
    "passkeys_unavailable",
    "too_many_requests",
  ],
});

export const renamePasskey = operation({
  ...passkeys,
  id: "renamePasskey",
  changes: true,
  method: "PUT",
  path: "/api/session/passkeys",
  summary: "Rename a passkey",
  in: "body",
  input: z.object({ id: id().describe("The ID of the passkey."), name: name() }),
  reply: success({ passkey }),
  refusals: ["account_required", "passkey_not_found"],
});

export const removePasskey = operation({
  ...passkeys,
  id: "removePasskey",
  changes: true,
  method: "DELETE",
  path: "/api/session/passkeys/:id",
  summary: "Remove a passkey; all my other sessions end",
  in: "path",
  input: z.object({ id: pathId().describe("The ID of the passkey.") }),
  reply: success({}),
  refusals: ["account_required", "proof_needed", "passkey_not_found", "factor_demanded"],
});
