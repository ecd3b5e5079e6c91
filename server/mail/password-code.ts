import { emailKey } from "../../contract/kit/fields.ts";
import type { LetterKind } from "../../contract/kit/plain.ts";
import { type AccountKey, type AccountNamed, isAccountNamed } from "../db/account.ts";
import { openUntil, type Seal } from "../db/seal.ts";
import type { UserRow } from "../db/tables.ts";
import { DAY_MS, HOUR_MS } from "../lib/durations.ts";

/*
 * The code of a link to choose a password, sealed and not stored. It opens one account while that account
 * has the password number and the email address with which it was made. So it ends when a password
 * is chosen or reset or the address changes.
 */

const CONTEXT = "first password";

/** How long the link of an invitation opens. */
const INVITATION_DAYS = 30;

/** For how long the links to choose a password open, by the letters that carry them. */
export const linkLasts: Partial<Record<LetterKind, number>> = {
  invitation: INVITATION_DAYS * DAY_MS,
  "password-link": HOUR_MS,
};

interface Written extends AccountNamed {
  readonly emailKey: string;
  /** In milliseconds. */
  readonly until: number;
}

/**
 * The code of a link to choose an account's password, sent to its address.
 *
 * @param until when it ends, in milliseconds by the database's clock
 */
export const makePasswordCode = (
  seal: Seal,
  { email, ...account }: AccountNamed & { readonly email: string },
  until: number,
): string => {
  const written: Written = { ...account, emailKey: emailKey(email) ?? email, until };
  return seal.seal(JSON.stringify(written), CONTEXT);
};

/**
 * The content of a code; undefined if it is expired or not from this service.
 *
 * @param time the current time by the database's clock
 */
export const readPasswordCode = (seal: Seal, code: string, time: number): Written | undefined =>
  openUntil<Written>(seal, code, CONTEXT, time);

/** Returns whether a code opens this account as it is now. */
export const opensAccount = (
  written: Written,
  user: AccountKey & Pick<UserRow, "email_key">,
): boolean => isAccountNamed(written, user) && user.email_key === written.emailKey;
