import { tellPerson } from "../access/notices.ts";
import { hashPassword } from "../access/passwords.ts";
import { callerFor } from "../access/sessions.ts";
import { userSubject } from "../change/history.ts";
import { openOrganization } from "../change/organization.ts";
import { isSameAccount } from "../db/account.ts";
import { timeOf } from "../db/now.ts";
import type { Database } from "../db/open.ts";
import type { Seal } from "../db/seal.ts";
import { refuse } from "../lib/refusal.ts";
import { opensAccount, readPasswordCode } from "../mail/password-code.ts";
import { takeUser } from "../records/user-queries.ts";
import { whyKeptOut } from "../records/user-states.ts";
import { refuseGuessable } from "./own-password.ts";
import { replacePassword } from "./reset.ts";

/**
 * Chooses the password of an account, by the code of a link: a first one, which imported people do not have,
 * or a new one.
 *
 * @returns the name to sign in with
 * @throws Refusal `link_ended`, `account_suspended`, `account_revoked`; `invalid_input` for a password
 *   that is too easily guessed
 */
export const choosePassword = async (
  { database, seal }: { readonly database: Database; readonly seal: Seal },
  {
    code: given,
    newPassword,
    address,
    userAgent,
  }: {
    readonly code: string;
    readonly newPassword: string;
    readonly address: string;
    readonly userAgent: string | undefined;
  },
): Promise<{ readonly username: string }> => {
  const time = await timeOf(database.read);
  const written = readPasswordCode(seal, given, time) ?? refuse("link_ended");
  const found = await database.read
    .selectFrom("users")
    .selectAll()
    .where("id", "=", written.userId)
    .where("gone_at", "is", null)
    .executeTakeFirst();
  if (found === undefined || !isSameAccount(written, found)) return refuse("link_ended");
  const code = whyKeptOut(found);
  if (code) refuse(code);
  if (!opensAccount(written, found)) return refuse("link_ended");
  const organization = openOrganization(database, found.organization_id, callerFor(found), {
    address,
  });
  await refuseGuessable(organization, found, newPassword);
  const digest = await hashPassword(newPassword);
  await organization.change(async (change) => {
    const user = (await takeUser(change.tx, found)) ?? refuse("link_ended");
    if (!opensAccount(written, user)) refuse("link_ended");
    change.happened({ kind: "passwordChanged", subject: userSubject(user) });
    await tellPerson(change, user, "passwordByLink", { by: { userAgent } });
    await replacePassword(change, user, digest);
  });
  return { username: found.username };
};
