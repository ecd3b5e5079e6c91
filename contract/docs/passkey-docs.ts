import type { Operations } from "../index.ts";
import type { Reply } from "../kit/operation.ts";
import { PASSKEYS } from "../kit/plain.ts";
import type { Passkey } from "../people/passkeys.ts";
import type { Example, MeaningsOf } from "./kit.ts";

/*
 * Descriptions of the operations of passkeys, meanings of their answers' fields, and examples. Neither the client
 * nor the console imports this file.
 */

type PasskeyOperation =
  | "askForPasskey"
  | "beginProof"
  | "listPasskeys"
  | "beginPasskey"
  | "addPasskey"
  | "renamePasskey"
  | "removePasskey";

export const passkeyDescriptions: Readonly<Record<PasskeyOperation | "signInWithPasskey", string>> =
  {
    askForPasskey:
      "Returns what a browser needs to ask for a passkey: of any account, or, with the `ticket` with which signIn was refused, of that account. What is to be signed is used up by one signInWithPasskey, and ends after five minutes. Passkeys are bound to the host name of PUBLIC_URL.",
    signInWithPasskey:
      "Takes what a passkey has signed, and answers as signIn does. A passkey signs in without a password, because its device has checked who holds it; it counts as a second factor and as a fresh proof. With a `ticket`, it is the second step of that sign-in. Refused alike are an unknown or removed passkey, another page, and an answer that comes again. Attempts are throttled.",
    beginProof:
      "Returns what a browser needs to ask for a passkey of the caller; proveMyself takes what it has signed.",
    listPasskeys: "Returns the caller's passkeys, oldest first, without their keys.",
    beginPasskey:
      "Returns what a browser needs to make a passkey. It is used up by one addPasskey, and ends after five minutes.",
    addPasskey: `Adds a passkey of the caller, with the public key that the browser has sent. It is a second factor from now on. All other sessions of the person end. An account that had no recovery codes gets ten, which cannot be read again. An account has at most ${PASSKEYS} passkeys.`,
    renamePasskey: "Changes what the person calls a passkey.",
    removePasskey:
      "Removes a passkey of the caller; all other sessions of the person end. With the last second factor the recovery codes go too.",
  };

/** The meanings of a passkey's fields. */
export const passkeyMeaning: MeaningsOf<Passkey> = {
  id: "The ID of the passkey.",
  name: "What the person calls it.",
  createdAt: "When it was added: ISO 8601, UTC.",
  usedAt: "When it was last used: ISO 8601, UTC; null: never.",
};
const asksBrowser = {
  options: {
    is: "What `PublicKeyCredential.parseRequestOptionsFromJSON()` takes.",
    fields: {},
  },
} as const;

export const passkeyFields: {
  readonly [K in PasskeyOperation]: MeaningsOf<Reply<Operations[K]>>;
} = {
  askForPasskey: asksBrowser,
  beginProof: asksBrowser,
  listPasskeys: { passkeys: { is: "The passkeys.", fields: passkeyMeaning } },
  beginPasskey: {
    options: {
      is: "What `PublicKeyCredential.parseCreationOptionsFromJSON()` takes.",
      fields: {},
    },
  },
  addPasskey: {
    passkey: { is: "The passkey.", fields: passkeyMeaning },
    recoveryCodes: "New recovery codes, shown only now; none if the account has some.",
  },
  renamePasskey: { passkey: { is: "The passkey.", fields: passkeyMeaning } },
  removePasskey: {},
};

const success = true;
const id = "0197a3c1-5b1e-7c2a-9d64-3f0c8e2b7a15";
const example: Passkey = {
  id,
  name: "Laptop",
  createdAt: "2026-03-02T08:00:00.000Z",
  usedAt: null,
};
const challenge = "q8Xh3sV0m1Tz5cJk7bLwYg2dRnPfEaU9oIiXt4vKe6M";
const credential = "AbCdEf0123456789AbCdEf0123456789";
const clientDataJSON = "eyJ0eXBlIjoid2ViYXV0aG4uZ2V0IiwiY2hhbGxlbmdlIjoiLi4uIn0";
const options = {
  rpId: "meet.example.org",
  challenge,
  timeout: 300_000,
  userVerification: "required",
  allowCredentials: [],
};
export const signedExample = {
  id: credential,
  response: {
    clientDataJSON,
    authenticatorData: "SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2MFAAAAAQ",
    signature: "MEUCIQDkXz0Zq6T1m8cJ1w",
    userHandle: "MDE5N2EzYzE",
  },
};

export const passkeyExamples = {
  askForPasskey: {
    request: { ticket: "v1.3kXqPZ0mV2sT.b8Qe1JtR4x" },
    answer: { success, options },
  },
  beginProof: {
    answer: {
      success,
      options: { ...options, allowCredentials: [{ type: "public-key", id: credential }] },
    },
  },
  listPasskeys: { answer: { success, passkeys: [example] } },
  beginPasskey: {
    answer: {
      success,
      options: {
        rp: { id: "meet.example.org", name: "Parley" },
        user: { id: "MDE5N2EzYzE", name: "ann@example.org", displayName: "Ann Lee" },
        challenge,
        pubKeyCredParams: [{ type: "public-key", alg: -7 }],
      },
    },
  },
  addPasskey: {
    request: {
      name: "Laptop",
      passkey: {
        id: credential,
        response: { clientDataJSON, attestationObject: "o2NmbXRkbm9uZWdhdHRTdG10oA" },
      },
    },
    answer: { success, passkey: example, recoveryCodes: [] },
  },
  renamePasskey: {
    request: { id, name: "Laptop" },
    answer: { success, passkey: example },
  },
  removePasskey: { request: { id }, answer: { success } },
} satisfies { readonly [K in PasskeyOperation]: Example<Operations[K]> };
