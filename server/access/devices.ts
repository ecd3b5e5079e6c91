import { randomBytes } from "node:crypto";
import { type Seal, SealError } from "../seal.ts";

/*
 * A device on which an account signed in lately has a cookie that says so (OWASP, "Device
 * cookies"). It opens nothing: tries to sign in to that account count for the device alone. It is
 * sealed and not stored, so nobody can forge one.
 */

/** How long a device stays known. */
export const DEVICE_SECONDS = 30 * 24 * 3600;

const CONTEXT = "device cookie";

/** A device, and the account that knows it. */
export interface Device {
  readonly id: string;
  readonly userId: string;
}

interface Written extends Device {
  /** In milliseconds. */
  readonly until: number;
}

/** The cookie of a device on which this account has just signed in. */
export const makeDevice = (seal: Seal, userId: string): string => {
  const id = randomBytes(16).toString("base64url");
  const written: Written = { id, userId, until: Date.now() + DEVICE_SECONDS * 1000 };
  return seal.seal(JSON.stringify(written), CONTEXT);
};

/** The device of a cookie; undefined for a cookie that is forged or too old. */
export const readDevice = (seal: Seal, cookie: string | undefined): Device | undefined => {
  if (cookie === undefined) return undefined;
  try {
    const { id, userId, until } = JSON.parse(seal.open(cookie, CONTEXT)) as Written;
    return until > Date.now() ? { id, userId } : undefined;
  } catch (error) {
    if (error instanceof SealError) return undefined;
    throw error;
  }
};
