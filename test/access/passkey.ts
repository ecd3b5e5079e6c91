import assert from "node:assert/strict";
import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";
import type { Ask } from "../world/ask.ts";

/* A device with one passkey, as software: what a browser and an authenticator do, and what attackers would. */

/** The site of the tests' services. */
export const SITE = "https://meet.example.org";

const sha256 = (data: string | Buffer): Buffer => createHash("sha256").update(data).digest();

const PRESENT = 0x01;
const VERIFIED = 0x04;
const HAS_KEY = 0x40;

/** How an attacker's device differs. */
export interface Forged {
  readonly origin?: string;
  readonly site?: string;
  readonly unverified?: boolean;
  /** The counter is not raised. */
  readonly stuck?: boolean;
  readonly type?: string;
  readonly userHandle?: string;
}

interface Options {
  readonly challenge: string;
}

/** A new device. @param bytes how long the ID of its passkey is */
export const newDevice = (bytes = 32) => {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  const credential = randomBytes(bytes);
  const id = credential.toString("base64url");
  let counter = 0;
  let handle: string | undefined;

  const dataOf = (flags: number, { site, unverified, stuck }: Forged): Buffer => {
    if (!stuck) counter += 1;
    const counted = Buffer.alloc(4);
    counted.writeUInt32BE(counter);
    const all = unverified ? flags & ~VERIFIED : flags;
    return Buffer.concat([sha256(site ?? new URL(SITE).hostname), Buffer.from([all]), counted]);
  };
  const clientData = (type: string, challenge: string, { origin = SITE }: Forged): Buffer =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));

  return {
    id,
    /** Makes the passkey. */
    create: (
      { challenge, user }: Options & { readonly user: { readonly id: string } },
      forged: Forged = {},
    ) => {
      handle = user.id;
      // COSE: an ES256 key on P-256.
      const key = Buffer.concat([
        Buffer.from("a5010203262001215820", "hex"),
        Buffer.from(x, "base64url"),
        Buffer.from("225820", "hex"),
        Buffer.from(y, "base64url"),
      ]);
      const data = Buffer.concat([
        dataOf(PRESENT | VERIFIED | HAS_KEY, forged),
        Buffer.alloc(16),
        Buffer.from([credential.length >> 8, credential.length & 0xff]),
        credential,
        key,
      ]);
      const attestationObject = Buffer.concat([
        // CBOR: { fmt: "none", attStmt: {}, authData: data }
        Buffer.from("\xa3\x63fmt\x64none\x67attStmt\xa0\x68authData\x59", "latin1"),
        Buffer.from([data.length >> 8, data.length & 0xff]),
        data,
      ]);
      return {
        id,
        response: {
          clientDataJSON: clientData(forged.type ?? "webauthn.create", challenge, forged).toString(
            "base64url",
          ),
          attestationObject: attestationObject.toString("base64url"),
          transports: ["internal"],
        },
      };
    },
    /** Signs with it. */
    get: ({ challenge }: Options, forged: Forged = {}) => {
      const data = dataOf(PRESENT | VERIFIED, forged);
      const client = clientData(forged.type ?? "webauthn.get", challenge, forged);
      return {
        id,
        response: {
          clientDataJSON: client.toString("base64url"),
          authenticatorData: data.toString("base64url"),
          signature: sign("sha256", Buffer.concat([data, sha256(client)]), privateKey).toString(
            "base64url",
          ),
          userHandle: forged.userHandle ?? handle,
        },
      };
    },
  };
};
export type Device = ReturnType<typeof newDevice>;

/** Adds the passkey of a device to an account. */
export const addPasskey = async (own: Ask, device: Device, name = "Laptop") => {
  const { options } = (await own("beginPasskey")).body;
  const { status, body } = await own("addPasskey", { name, passkey: device.create(options) });
  assert.equal(status, 200, JSON.stringify(body));
  return body as { passkey: { id: string; name: string }; recoveryCodes: string[] };
};

/** Signs in by a device, alone or with the ticket of a password. */
export const signInBy = async (open: Ask, device: Device, ticket?: string, forged?: Forged) => {
  const { options } = (await open("askForPasskey", { ticket })).body;
  return open("signInWithPasskey", { ticket, passkey: device.get(options, forged) });
};
