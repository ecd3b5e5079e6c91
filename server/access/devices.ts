import { randomBytes } from "node:crypto";
import type { Queries } from "../change/organization.ts";
import {
  type AccountKey,
  type AccountNamed,
  findAccountNamed,
  nameAccount,
} from "../db/account.ts";
import { openUntil, type Seal } from "../db/seal.ts";
import type { Login } from "../records/user-queries.ts";

/*
 * A device on which an account signed in lately has a cookie that says so (OWASP, "Device cookies"). It
 * opens nothing: its only effect is that tries to sign in to that account count for the device alone.
 * It is sealed and not stored, so nobody can forge one.
 */

/** How long a device stays known. */
export const DEVICE_SECONDS = 30 * 24 * 3600;

const CONTEXT = "device cookie";

/** A device, and the account that knows it, with the password that was given there. */
export interface KnownDevice extends AccountNamed {
  readonly id: string;
  /** True if a second factor was given there too. */
  readonly withFactor?: boolean;
}

interface Written extends KnownDevice {
  /** In milliseconds. */
  readonly until: number;
}

/**
 * The cookie of a device on which this account has just given its password, or a second factor.
 *
 * @param known.id the ID of a device that is known already: a new ID would have a new allowance
 */
export const makeDevice = (
  seal: Seal,
  user: AccountKey,
  {
    id,
    withFactor = false,
  }: { readonly id?: string | undefined; readonly withFactor?: boolean } = {},
): string => {
  const until = Date.now() + DEVICE_SECONDS * 1000;
  const written: Written = {
    id: id ?? randomBytes(16).toString("base64url"),
    ...nameAccount(user),
    withFactor,
    until,
  };
  return seal.seal(JSON.stringify(written), CONTEXT);
};

/** The device of a cookie; undefined for a cookie that is forged or too old. */
export const readDevice = (seal: Seal, cookie: string): KnownDevice | undefined =>
  openUntil<Written>(seal, cookie, CONTEXT, Date.now());

/**
 * Returns whether this login is that of the device's account, and the password still the one that was given on
 * the device. Only this account is looked up: otherwise the response time might reveal whether the login
 * has an account.
 */
export const isKnown = async (db: Queries, device: KnownDevice, login: Login): Promise<boolean> => {
  // A cookie of an earlier version does not say when the account was made.
  const account = await findAccountNamed(db, { ...device, createdAt: device.createdAt ?? "" });
  if (account === undefined) return false;
  return "emailKey" in login
    ? account.email_key === login.emailKey
    : account.username === login.username;
};
