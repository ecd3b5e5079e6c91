import { randomBytes } from "node:crypto";
import { isIP } from "node:net";
import type { NewPasskey, SignedByPasskey } from "../../contract/people/passkeys.ts";
import type { Queries } from "../change/organization.ts";
import type { Expiry } from "../change/removals.ts";
import { now } from "../db/now.ts";
import type { Database } from "../db/open.ts";
import type { PasskeyChallengesTable, PasskeysTable, UserRow } from "../db/tables.ts";
import { refuse } from "../lib/refusal.ts";

/*
 * Passkeys (WebAuthn, level 3). What one is asked to sign is kept in the database: it is taken out before the
 * signature is looked at, by one statement, so of two uses at once one is looked at. The authenticator must have
 * checked who holds it (user verification), so a passkey is two factors.
 */

/** How long somebody may take to answer the browser's question, in milliseconds. */
export const CHALLENGE_MS = 5 * 60_000;

/** ES256, EdDSA and RS256: what authenticators have. */
const ALGORITHMS = [-7, -8, -257];

/** The site that passkeys are made for. */
export interface Site {
  /** The name that they are bound to. */
  readonly id: string;
  /** The origin of the pages that may ask for them. */
  readonly origin: string;
}

/**
 * The site of PUBLIC_URL. Browsers bind passkeys to names, never to addresses: this machine's own is `localhost`.
 *
 * @throws Refusal `passkeys_unavailable`
 */
export const siteOf = (publicUrl: string): Site => {
  const url = new URL(publicUrl);
  if (["127.0.0.1", "[::1]"].includes(url.hostname)) url.hostname = "localhost";
  const { hostname: id, origin } = url;
  return isIP(id.replace(/^\[|\]$/g, "")) === 0 ? { id, origin } : refuse("passkeys_unavailable");
};

type Purpose = PasskeyChallengesTable["purpose"];

/** Makes what passkeys are asked to sign. @param userId for whom; null: for anybody who signs in */
const makeChallenge = async (
  database: Database,
  purpose: Purpose,
  userId: string | null,
): Promise<string> => {
  const challenge = randomBytes(32).toString("base64url");
  const row = { challenge, purpose, user_id: userId, expires_at: now(CHALLENGE_MS) };
  await database.change((tx) => tx.insertInto("passkey_challenges").values(row).execute());
  return challenge;
};

/** Challenges that nobody has answered in time. */
export const endedChallenges: Expiry = {
  table: "passkey_challenges",
  key: "challenge",
  by: "expires_at",
  until: now(),
};

/** The challenge that a browser says was signed; undefined for data that no browser writes. */
const challengeIn = (clientDataJSON: string): string | undefined => {
  try {
    const said: unknown = JSON.parse(Buffer.from(clientDataJSON, "base64url").toString());
    const { challenge } = said as { readonly challenge?: unknown };
    // Anything else was never made, and the database may not store it.
    return typeof challenge === "string" && /^[\w-]{43}$/.test(challenge) ? challenge : undefined;
  } catch {
    return undefined;
  }
};

/** Takes out what was to be signed. @throws Refusal `wrong_passkey` for one that has ended, or was used */
const takeChallenge = async (
  database: Database,
  { response: { clientDataJSON } }: NewPasskey | SignedByPasskey,
  purpose: Purpose,
  userId: string | null,
): Promise<string> => {
  const challenge = challengeIn(clientDataJSON) ?? refuse("wrong_passkey");
  const taken = await database.change((tx) =>
    tx
      .deleteFrom("passkey_challenges")
      .where("challenge", "=", challenge)
      .where("purpose", "=", purpose)
      .where("user_id", userId === null ? "is" : "=", userId)
      .where("expires_at", ">", now())
      .returning("challenge")
      .executeTakeFirst(),
  );
  return taken?.challenge ?? refuse("wrong_passkey");
};

type Row = PasskeysTable;
type Described = {
  readonly id: string;
  readonly type: "public-key";
  readonly transports: string[];
};

const described = ({ credential_id, transports }: Row): Described => ({
  id: credential_id,
  type: "public-key",
  transports: transports.split(" ").filter((word) => word !== ""),
});

/** The passkeys of an account, the oldest first. */
export const passkeysOf = (db: Queries, userId: string): Promise<Row[]> =>
  db.selectFrom("passkeys").selectAll().where("user_id", "=", userId).orderBy("id").execute();

/** Returns whether an account has a passkey. */
export const hasPasskey = async (db: Queries, userId: string): Promise<boolean> =>
  (await db
    .selectFrom("passkeys")
    .select("id")
    .where("user_id", "=", userId)
    .limit(1)
    .executeTakeFirst()) !== undefined;

/** The options with which the browser asks for a passkey, of one account or of any. */
export const askOptions = async (
  database: Database,
  { id: rpId }: Site,
  purpose: Exclude<Purpose, "add">,
  userId: string | null,
): Promise<Record<string, unknown>> => {
  const own = userId === null ? [] : await passkeysOf(database.read, userId);
  if (userId !== null && own.length === 0) return refuse("no_passkey");
  return {
    rpId,
    challenge: await makeChallenge(database, purpose, userId),
    timeout: CHALLENGE_MS,
    userVerification: "required",
    allowCredentials: own.map(described),
  };
};

const handleOf = (userId: string): string => Buffer.from(userId).toString("base64url");

/** The options with which the browser makes a passkey. */
export const addOptions = async (
  database: Database,
  { id }: Site,
  user: Pick<UserRow, "id" | "name" | "email">,
): Promise<Record<string, unknown>> => ({
  rp: { id, name: "Parley" },
  user: { id: handleOf(user.id), name: user.email, displayName: user.name },
  challenge: await makeChallenge(database, "add", user.id),
  pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: "public-key", alg })),
  timeout: CHALLENGE_MS,
  attestation: "none",
  authenticatorSelection: {
    residentKey: "required",
    requireResidentKey: true,
    userVerification: "required",
  },
  excludeCredentials: (await passkeysOf(database.read, user.id)).map(described),
});

/** The library is 27 MB in memory: only services whose people use passkeys load it. */
const library = () => import("@simplewebauthn/server");

/** The parts that checks of signatures share. */
interface Asked {
  readonly database: Database;
  readonly site: Site;
  readonly userId: string | null;
}

/** An answer of the browser in the form of the library. */
const answered = <R>(id: string, response: R) =>
  ({ id, rawId: id, type: "public-key", response, clientExtensionResults: {} }) as const;

/** The claims that every signature must match. */
const expected = ({ id, origin }: Site, challenge: string) =>
  ({
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: id,
    requireUserVerification: true,
  }) as const;

/** A passkey that was checked, to be stored. */
export type CheckedPasskey = Pick<
  PasskeysTable,
  "credential_id" | "public_key" | "counter" | "transports"
>;

/**
 * Returns whether a browser sent what it was asked for: no certificates of the device. To check
 * those, the library would fetch addresses that they name.
 */
const isPlain = async (attestationObject: string): Promise<boolean> => {
  const { decodeAttestationObject } = await import("@simplewebauthn/server/helpers");
  try {
    const decoded = decodeAttestationObject(Buffer.from(attestationObject, "base64url"));
    const isSelfSigned =
      decoded.get("fmt") === "packed" && decoded.get("attStmt").get("x5c") === undefined;
    return decoded.get("fmt") === "none" || isSelfSigned;
  } catch {
    return false;
  }
};

/** Checks a new passkey. @throws Refusal `wrong_passkey` */
export const checkNew = async (
  { database, site, userId }: Asked,
  given: NewPasskey,
): Promise<CheckedPasskey> => {
  const challenge = await takeChallenge(database, given, "add", userId);
  const { verifyRegistrationResponse } = await library();
  const { id, response } = given;
  const { transports, ...signed } = response;
  if (!(await isPlain(signed.attestationObject))) refuse("wrong_passkey");
  const checked = await verifyRegistrationResponse({
    response: answered(id, signed),
    ...expected(site, challenge),
    supportedAlgorithmIDs: ALGORITHMS,
    // It throws plain errors for whatever is wrong.
  }).catch(() => undefined);
  if (!checked?.verified) return refuse("wrong_passkey");
  const { credential } = checked.registrationInfo;
  // The ID beside the key is the one whose length was checked.
  if (credential.id !== id) refuse("wrong_passkey");
  return {
    credential_id: credential.id,
    public_key: Buffer.from(credential.publicKey).toString("base64url"),
    counter: credential.counter,
    transports: (transports ?? []).filter((word) => /^[a-z-]+$/.test(word)).join(" "),
  };
};

/** A passkey, found by what the browser sent. */
export const findPasskey = (db: Queries, { id }: SignedByPasskey): Promise<Row | undefined> =>
  db.selectFrom("passkeys").selectAll().where("credential_id", "=", id).executeTakeFirst();

/**
 * Checks what a passkey has signed.
 *
 * @param row the passkey that is said to have signed; undefined: there is none, and the challenge is over anyway
 * @returns the counter of the authenticator
 * @throws Refusal `wrong_passkey`
 */
export const checkSigned = async (
  { database, site, userId }: Asked,
  purpose: Exclude<Purpose, "add">,
  row: Row | undefined,
  given: SignedByPasskey,
): Promise<number> => {
  const challenge = await takeChallenge(database, given, purpose, userId);
  if (row === undefined || (userId !== null && row.user_id !== userId)) {
    return refuse("wrong_passkey");
  }
  const { userHandle, ...signed } = given.response;
  if ((userHandle ?? handleOf(row.user_id)) !== handleOf(row.user_id)) refuse("wrong_passkey");
  const { verifyAuthenticationResponse } = await library();
  const { credential_id: id, public_key, counter } = row;
  const checked = await verifyAuthenticationResponse({
    response: answered(id, signed),
    ...expected(site, challenge),
    credential: { id, publicKey: Buffer.from(public_key, "base64url"), counter },
  }).catch(() => undefined);
  return checked?.verified ? checked.authenticationInfo.newCounter : refuse("wrong_passkey");
};

/**
 * Uses a passkey that was checked: it is still there, and has not signed anything else meanwhile.
 *
 * @throws Refusal `wrong_passkey`
 */
export const usePasskey = async (tx: Queries, row: Row, counter: number): Promise<void> => {
  const used = await tx
    .updateTable("passkeys")
    .set({ counter, used_at: now() })
    .where("id", "=", row.id)
    .where("counter", "=", row.counter)
    .returning("id")
    .executeTakeFirst();
  if (used === undefined) refuse("wrong_passkey");
};
