import { emailKey } from "../../contract/kit/fields.ts";
import { type Seal, SealError } from "../db/seal.ts";
import type { UserRow } from "../db/tables.ts";
import { DAY_MS } from "../lib/durations.ts";

/*
 * The code of an invitation's link, sealed and not stored. It opens one account while that account
 * has the password number and the email address with which it was made. So it ends when a password
 * is chosen or reset or the address changes, and does not open an account that gets the same ID
 * later.
 */

/** How long a link works. */
const DAYS = 30;
const CONTEXT = "first password";

interface Written {
  readonly userId: string;
  readonly credentials: number;
  readonly emailKey: string;
  /** In milliseconds. */
  readonly until: number;
}

/** The code of a link to choose an account's first password, sent to its address. */
export const makePasswordCode = (
  seal: Seal,
  { userId, credentials, email }: Pick<Written, "userId" | "credentials"> & { email: string },
): string => {
  const until = Date.now() + DAYS * DAY_MS;
  const written: Written = { userId, credentials, emailKey: emailKey(email) ?? email, until };
  return seal.seal(JSON.stringify(written), CONTEXT);
};

/** The content of a code; undefined if it is expired or not from this service. */
export const readPasswordCode = (seal: Seal, code: string): Written | undefined => {
  try {
    const written: Written = JSON.parse(seal.open(code, CONTEXT));
    return written.until > Date.now() ? written : undefined;
  } catch (error) {
    if (error instanceof SealError) return undefined;
    throw error;
  }
};

/** Whether a code opens this account as it is now. */
export const opensAccount = (
  { userId, credentials, emailKey: key }: Written,
  user: Pick<UserRow, "id" | "credentials" | "email_key">,
): boolean => user.id === userId && user.credentials === credentials && user.email_key === key;
