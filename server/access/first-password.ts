import type { Database } from "../db/open.ts";
import type { UserRow } from "../db/tables.ts";
import { userSubject } from "../history/keep.ts";
import { type Caller, openOrganization } from "../organization.ts";
import { hashPassword } from "../passwords.ts";
import { refuse } from "../refusal.ts";
import { type Seal, SealError } from "../seal.ts";
import { takeUser } from "../users/queries.ts";
import { replacePassword } from "../users/reset.ts";
import { refuseGuessable } from "./own-password.ts";

/*
 * Somebody who was imported has no password and chooses one by the link of an email. The link is
 * sealed and not stored: it opens one account, and only while that has the password number with
 * which the link was made, so the first choice, and every reset, ends it.
 */

/** How long a link opens. */
const DAYS = 30;
const CONTEXT = "first password";

interface Written {
  readonly userId: string;
  readonly credentials: number;
  /** In milliseconds. */
  readonly until: number;
}

/** The code of a link by which an account chooses its first password. */
export const makePasswordCode = (
  seal: Seal,
  { id: userId, credentials }: Pick<UserRow, "id" | "credentials">,
): string => {
  const written: Written = { userId, credentials, until: Date.now() + DAYS * 24 * 3_600_000 };
  return seal.seal(JSON.stringify(written), CONTEXT);
};

/** @throws Refusal `link_ended` */
const readCode = (seal: Seal, code: string): Written => {
  let written: Written;
  try {
    written = JSON.parse(seal.open(code, CONTEXT));
  } catch (error) {
    if (error instanceof SealError) return refuse("link_ended");
    throw error;
  }
  return written.until > Date.now() ? written : refuse("link_ended");
};

/**
 * Chooses the first password of an account, by the code of its link.
 *
 * @returns the name to sign in with
 * @throws Refusal `link_ended`, `account_suspended`, `account_revoked`; `invalid_input` for a
 *   password that is too easily guessed
 */
export const choosePassword = async (
  { database, seal }: { readonly database: Database; readonly seal: Seal },
  {
    code,
    newPassword,
    address,
  }: { readonly code: string; readonly newPassword: string; readonly address: string },
): Promise<{ readonly username: string }> => {
  const { userId, credentials } = readCode(seal, code);
  const found = await database.read
    .selectFrom("users")
    .selectAll()
    .where("id", "=", userId)
    .where("credentials", "=", credentials)
    .where("gone_at", "is", null)
    .executeTakeFirst();
  if (found === undefined) return refuse("link_ended");
  const { organization_id, admin, name } = found;
  const self: Caller = { userId, accessKey: null, admin, scope: "everything", name };
  const organization = openOrganization(database, organization_id, self, async () => self, address);
  await refuseGuessable(organization, found, newPassword);
  const digest = await hashPassword(newPassword);
  await organization.change(async (change) => {
    const user = (await takeUser(change.tx, found)) ?? refuse("link_ended");
    if (user.account_deleted) refuse("account_revoked");
    if (user.account_suspended) refuse("account_suspended");
    change.happened({ kind: "passwordChanged", subject: userSubject(user) });
    await replacePassword(change, user, digest);
  });
  return { username: found.username };
};
