import { emailKey } from "../../contract/kit/fields.ts";
import { type Seal, SealError } from "../db/seal.ts";
import type { UserRow } from "../db/tables.ts";

/*
 * The code of a link to choose a password, sealed and not stored. It opens one account while that account
 * has the password number and the email address with which it was made. So it ends when a password
 * is chosen or reset or the address changes.
 */

const CONTEXT = "first password";

interface Written {
  readonly userId: string;
  readonly credentials: number;
  readonly emailKey: string;
  /** When the account was made: another one may get ID and address of a deleted one. */
  readonly createdAt: string;
  /** In milliseconds. */
  readonly until: number;
}

/**
 * The code of a link to choose an account's password, sent to its address.
 *
 * @param lasts for how many milliseconds it opens
 */
export const makePasswordCode = (
  seal: Seal,
  {
    email,
    ...account
  }: Pick<Written, "userId" | "credentials" | "createdAt"> & { readonly email: string },
  lasts: number,
): string => {
  const until = Date.now() + lasts;
  const written: Written = { ...account, emailKey: emailKey(email) ?? email, until };
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

/** Returns whether a code opens this account as it is now. */
export const opensAccount = (
  { userId, credentials, emailKey: key, createdAt }: Written,
  user: Pick<UserRow, "id" | "credentials" | "email_key" | "created_at">,
): boolean =>
  user.id === userId &&
  user.credentials === credentials &&
  user.email_key === key &&
  user.created_at === createdAt;
