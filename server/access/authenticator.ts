import { randomInt } from "node:crypto";
import { Secret, TOTP } from "otpauth";
import type { Queries } from "../change/organization.ts";
import { now } from "../db/now.ts";
import { type Seal, SealError } from "../db/seal.ts";
import type { UserRow } from "../db/tables.ts";
import { digestOf } from "../lib/digest.ts";
import { hasPasskey } from "./passkeys.ts";

/*
 * An authenticator app (RFC 6238) with recovery codes. A code works once: the row keeps the last time step that
 * was accepted, and a recovery code is deleted by its use. Both are decided by the database in one statement,
 * so of two uses at once one is accepted.
 */

const STEP_S = 30;
/** How many steps a clock may be off, in either direction. */
const WINDOW = 1;

const contextOf = (userId: string): string => `authenticator ${userId}`;

const generatorOf = (secret: string, label = ""): TOTP =>
  new TOTP({ issuer: "Parley", label, secret: Secret.fromBase32(secret), period: STEP_S });

/** An account, as the tables of factors name it. */
type Owner = Pick<UserRow, "id" | "organization_id">;

/** The authenticator app of an account; undefined without one. */
export const findAuthenticator = (db: Queries, userId: string) =>
  db
    .selectFrom("authenticators")
    .select(["secret", "confirmed_at"])
    .where("user_id", "=", userId)
    .executeTakeFirst();

/** Returns whether an account has an app that is set up. */
export const hasApp = async (db: Queries, userId: string): Promise<boolean> =>
  ((await findAuthenticator(db, userId))?.confirmed_at ?? null) !== null;

/** Returns whether an account must show a second factor. */
export const hasFactor = async (db: Queries, userId: string): Promise<boolean> => {
  const [app, passkey] = await Promise.all([hasApp(db, userId), hasPasskey(db, userId)]);
  return app || passkey;
};

/** Makes a new secret, in place of one that was not confirmed. */
export const addAuthenticator = async (
  tx: Queries,
  seal: Seal,
  { id, organization_id, email }: Owner & Pick<UserRow, "email">,
): Promise<{ readonly secret: string; readonly uri: string }> => {
  const secret = new Secret({ size: 20 }).base32;
  const row = { secret: seal.seal(secret, contextOf(id)), last_step: 0, created_at: now() };
  await tx
    .insertInto("authenticators")
    .values({ user_id: id, organization_id, ...row, confirmed_at: null })
    .onConflict((conflict) => conflict.column("user_id").doUpdateSet(row))
    .execute();
  return { secret, uri: generatorOf(secret, email).toString() };
};

/** The secret of an account; undefined if it was sealed with a key that is lost. */
const openSecret = (seal: Seal, userId: string, secret: string): string | undefined => {
  try {
    return seal.open(secret, contextOf(userId));
  } catch (error) {
    if (error instanceof SealError) return undefined;
    throw error;
  }
};

/** Uses a code of the app. @returns whether it is right, and was not used before */
export const useAppCode = async (
  tx: Queries,
  seal: Seal,
  userId: string,
  code: string,
): Promise<boolean> => {
  const digits = code.replace(/\s/g, "");
  const found = /^\d{6}$/.test(digits) ? await findAuthenticator(tx, userId) : undefined;
  const secret = found && openSecret(seal, userId, found.secret);
  if (secret === undefined) return false;
  const timestamp = Date.now();
  const delta = generatorOf(secret).validate({
    token: digits,
    window: WINDOW,
    timestamp,
  });
  if (delta === null) return false;
  const step = Math.floor(timestamp / 1000 / STEP_S) + delta;
  const used = await tx
    .updateTable("authenticators")
    .set({ last_step: step })
    .where("user_id", "=", userId)
    .where("last_step", "<", step)
    .returning("user_id")
    .executeTakeFirst();
  return used !== undefined;
};

/** Letters and digits that cannot be mistaken for each other. */
const ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789";
const GROUPS = 4;
/** 16 characters out of 31: 79 bits. */
const newCode = (): string =>
  Array.from({ length: GROUPS }, () =>
    Array.from({ length: 4 }, () => ALPHABET[randomInt(ALPHABET.length)]).join(""),
  ).join("-");

const CODES = 10;

/** The digest of a recovery code, however it is typed. */
const digestFor = (userId: string, code: string): string =>
  digestOf(`${userId} ${code.toLowerCase().replace(/[\s-]/g, "")}`);

/** Makes recovery codes in place of the former ones. They are readable only now. */
export const replaceRecoveryCodes = async (
  tx: Queries,
  { id, organization_id }: Owner,
): Promise<readonly string[]> => {
  const codes = Array.from({ length: CODES }, newCode);
  await tx.deleteFrom("recovery_codes").where("user_id", "=", id).execute();
  await tx
    .insertInto("recovery_codes")
    .values(codes.map((code) => ({ digest: digestFor(id, code), user_id: id, organization_id })))
    .execute();
  return codes;
};

/** Returns whether an account has recovery codes left. */
export const hasRecoveryCodes = async (db: Queries, userId: string): Promise<boolean> =>
  (await db
    .selectFrom("recovery_codes")
    .select("digest")
    .where("user_id", "=", userId)
    .limit(1)
    .executeTakeFirst()) !== undefined;

/** Uses a recovery code. @returns whether there was such a code */
export const useRecoveryCode = async (
  tx: Queries,
  userId: string,
  code: string,
): Promise<boolean> => {
  const used = await tx
    .deleteFrom("recovery_codes")
    .where("digest", "=", digestFor(userId, code))
    .where("user_id", "=", userId)
    .returning("digest")
    .executeTakeFirst();
  return used !== undefined;
};

/** Removes the apps of people. */
export const removeApps = async (tx: Queries, userIds: readonly string[]): Promise<void> => {
  await tx.deleteFrom("authenticators").where("user_id", "in", userIds).execute();
};

/** Removes all factors of people. */
export const removeFactors = async (tx: Queries, userIds: readonly string[]): Promise<void> => {
  await removeApps(tx, userIds);
  await tx.deleteFrom("passkeys").where("user_id", "in", userIds).execute();
  await tx.deleteFrom("recovery_codes").where("user_id", "in", userIds).execute();
};
