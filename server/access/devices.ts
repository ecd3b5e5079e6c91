import { randomBytes } from "node:crypto";
import type { Queries } from "../change/organization.ts";
import { type Seal, SealError } from "../db/seal.ts";
import type { UserRow } from "../db/tables.ts";
import type { Login } from "../records/user-queries.ts";

/*
 * A device on which an account signed in lately has a cookie that says so (OWASP, "Device cookies"). It
 * opens nothing: its only effect is that tries to sign in to that account count for the device alone.
 * It is sealed and not stored, so nobody can forge one.
 */

/** How long a device stays known. */
export const DEVICE_SECONDS = 30 * 24 * 3600;

const CONTEXT = "device cookie";

/** A device, and the account that knows it. */
export interface KnownDevice {
  readonly id: string;
  readonly userId: string;
  /** Which of the account's passwords was given: after a reset, the device is no longer known. */
  readonly credentials: number;
  /** When the account was made: another one may get the ID of a deleted one. */
  readonly createdAt: string;
}

interface Written extends KnownDevice {
  /** In milliseconds. */
  readonly until: number;
}

/**
 * The cookie of a device on which this account has just given its password.
 *
 * @param id the ID of a device that is known already: a new ID would have a new allowance
 */
export const makeDevice = (
  seal: Seal,
  {
    id: userId,
    credentials,
    created_at: createdAt,
  }: Pick<UserRow, "id" | "credentials" | "created_at">,
  id = randomBytes(16).toString("base64url"),
): string => {
  const until = Date.now() + DEVICE_SECONDS * 1000;
  const written: Written = { id, userId, credentials, createdAt, until };
  return seal.seal(JSON.stringify(written), CONTEXT);
};

/** The device of a cookie; undefined for a cookie that is forged or too old. */
export const readDevice = (seal: Seal, cookie: string): KnownDevice | undefined => {
  try {
    const { until, ...device } = JSON.parse(seal.open(cookie, CONTEXT)) as Written;
    return until > Date.now() ? device : undefined;
  } catch (error) {
    if (error instanceof SealError) return undefined;
    throw error;
  }
};

/** Returns whether a device is one of this account, with whatever password. */
export const isDeviceOf = (
  { userId, createdAt }: KnownDevice,
  user: Pick<UserRow, "id" | "created_at">,
): boolean => userId === user.id && createdAt === user.created_at;

/**
 * Returns whether this login is that of the device's account, and the password still the one that was given on
 * the device. Only this account is looked up: otherwise the response time might reveal whether the login
 * has an account.
 */
export const isKnown = async (
  db: Queries,
  { userId, credentials, createdAt }: KnownDevice,
  login: Login,
): Promise<boolean> => {
  const account = await db
    .selectFrom("users")
    .select(["email_key", "username"])
    .where("id", "=", userId)
    .where("credentials", "=", credentials)
    // Unknown to a cookie of earlier versions.
    .where("created_at", "=", createdAt ?? "")
    .where("gone_at", "is", null)
    .executeTakeFirst();
  if (account === undefined) return false;
  return "emailKey" in login
    ? account.email_key === login.emailKey
    : account.username === login.username;
};
