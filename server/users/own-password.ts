import { isCommonPassword, resembles } from "../access/common-passwords.ts";
import { tellPerson } from "../access/notices.ts";
import { hashPassword, verifyPassword } from "../access/passwords.ts";
import { countTry, forgiveTries, giveBackTry, orGiveBack, type Tried } from "../access/throttle.ts";
import type { Authenticated } from "../access/tokens.ts";
import { userSubject } from "../change/history.ts";
import type { Organization } from "../change/organization.ts";
import type { AccountKey } from "../db/account.ts";
import type { UserRow } from "../db/tables.ts";
import { digestOf } from "../lib/digest.ts";
import { refuse, refuseField } from "../lib/refusal.ts";
import { findUser, takeUser } from "../records/user-queries.ts";
import { replacePassword } from "./reset.ts";

/** The parts of a change of one's own password. */
export interface PasswordChange {
  readonly password: string;
  readonly newPassword: string;
  /** The request's renewal cookies. */
  readonly renewals: readonly string[];
}

/** @throws Refusal `invalid_input` for a new password that is too easily guessed */
export const refuseGuessable = async (
  { read, id }: Organization,
  person: Pick<UserRow, "name" | "email" | "username">,
  newPassword: string,
): Promise<void> => {
  const { name } = await read
    .selectFrom("organizations")
    .select("name")
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  if (resembles(newPassword, [person.name, person.email, person.username, name])) {
    refuseField("newPassword", "password_about_you");
  }
  if (isCommonPassword(newPassword)) {
    refuseField("newPassword", "password_common");
  }
};

/**
 * Changes the caller's own password; every other token and cookie of the account ends.
 *
 * @returns the account, with the number of its new password
 * @throws Refusal `account_required`, `wrong_password`, `too_many_requests`; `invalid_input` for a
 *   new password that is too easily guessed
 */
export const changePassword = async (
  organization: Organization,
  { caller, digest, session }: Authenticated,
  { password, newPassword, renewals }: PasswordChange,
): Promise<AccountKey> => {
  const found =
    caller.userId === null
      ? undefined
      : await findUser(organization.read, organization.id, caller.userId);
  if (!found) return refuse("account_required");
  await refuseGuessable(organization, found, newPassword);
  // After the new password is checked: finding an accepted one must not count as guessing.
  const tried: Tried = { own: `password ${found.id}` };
  const taken = await organization.change(({ tx }) => countTry(tx, tried));
  const giveBack = () => organization.change(({ tx }) => giveBackTry(tx, taken));
  const lane = { known: found.id };
  const verified = verifyPassword(found.password_digest, password, lane);
  if (!(await orGiveBack(verified, giveBack))) refuse("wrong_password");
  const hashed = await orGiveBack(hashPassword(newPassword, lane), giveBack);
  return organization.change(async (change) => {
    const user = await takeUser(change.tx, found);
    if (!user) return refuse("wrong_password");
    await forgiveTries(change.tx, taken);
    change.happened({ kind: "passwordChanged", subject: userSubject(user) });
    await tellPerson(change, user, "passwordChanged", { by: { session } });
    const kept = { access: digest, renewals: renewals.map(digestOf), session };
    return replacePassword(change, user, hashed, { keep: kept });
  });
};
