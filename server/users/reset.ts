import { settingsOf } from "../../contract/kit/organization-settings.ts";
import { endSignIns, type KeptTokens } from "../access/tokens.ts";
import { userSubject } from "../change/history.ts";
import type { Change, Organization } from "../change/organization.ts";
import type { Seal } from "../db/seal.ts";
import type { UserRow } from "../db/tables.ts";
import { refuse } from "../lib/refusal.ts";
import { letterLanguage, postLetter, withdrawLetters } from "../mail/outbox.ts";
import { expelPeople } from "../meetings/doors/expel.ts";
import { findUser, userOf } from "../records/user-queries.ts";
import { changesState } from "../records/user-states.ts";
import type { HashedPassword } from "./create.ts";

/**
 * Replaces the password: every token ends, and letters that hold an older one are withdrawn. The
 * account's row is locked first, so a sign-in in progress has made its tokens by then.
 *
 * @param mustChoose whether the person must choose another one before it signs in
 * @param keep the tokens that stay
 */
export const replacePassword = async (
  { tx, now }: Pick<Change, "tx" | "now">,
  user: Pick<UserRow, "id" | "credentials">,
  digest: string,
  { mustChoose = false, keep }: { readonly mustChoose?: boolean; readonly keep?: KeptTokens } = {},
): Promise<UserRow> => {
  const replaced = await tx
    .updateTable("users")
    .set({
      password_digest: digest,
      credentials: user.credentials + 1,
      must_choose_password: mustChoose,
      updated_at: now,
    })
    .where("id", "=", user.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  await endSignIns(tx, user.id, keep);
  await withdrawLetters(tx, [user.id], "with secrets");
  return replaced;
};

/**
 * Replaces a person's password for them, and sends them out of their meetings: a person who is inside may
 * have signed in with the former one.
 */
export const forcePassword = async (
  change: Change,
  user: UserRow,
  digest: string,
  mustChoose = false,
): Promise<UserRow> => {
  const renewed = await replacePassword(change, user, digest, { mustChoose });
  change.happened({
    kind: "passwordReset",
    subject: userSubject(user),
    ...(mustChoose && { after: { mustChoosePassword: true } }),
  });
  await expelPeople(change, [user.id]);
  return renewed;
};

/**
 * Refuses a reset that is not possible, before a password is hashed for nothing. The change itself
 * checks again.
 *
 * @throws Refusal `user_not_found`, `user_is_revoked`
 */
export const refuseResetEarly = async (
  { read, id }: Organization,
  { userId }: { readonly userId: string },
): Promise<void> => {
  const user = (await findUser(read, id, userId)) ?? refuse("user_not_found");
  changesState("reset password", user);
};

/**
 * Replaces a person's password, and ends their sessions and meetings. The state of the account does
 * not change. The caller lets the person know.
 *
 * @param mustChoosePassword omitted: as the organization has chosen, or as it was demanded before
 * @throws Refusal `user_not_found`, `user_is_revoked`
 */
export const renewPassword = async (
  change: Change,
  userId: string,
  digest: string,
  mustChoosePassword?: boolean,
): Promise<UserRow> => {
  const user = await userOf(change, userId);
  changesState("reset password", user);
  const isUsual = settingsOf(change.organization).mustChoosePassword || user.must_choose_password;
  return forcePassword(change, user, digest, mustChoosePassword ?? isUsual);
};

/**
 * Replaces a person's password as `renewPassword` does, and posts the new one
 * (interface.md, Admin password reset).
 *
 * @throws Refusal `user_not_found`, `user_is_revoked`
 */
export const resetPassword = async (
  change: Change,
  {
    userId,
    loginUrl,
    mustChoosePassword,
  }: {
    readonly userId: string;
    readonly loginUrl: string;
    readonly mustChoosePassword?: boolean | undefined;
  },
  credentials: HashedPassword,
  seal: Seal,
): Promise<UserRow> => {
  const renewed = await renewPassword(change, userId, credentials.digest, mustChoosePassword);
  await postLetter(change, seal, {
    organizationId: renewed.organization_id,
    userId: renewed.id,
    kind: "password-reset",
    recipient: renewed.email,
    credentials: renewed.credentials,
    content: {
      language: letterLanguage(change.organization, renewed),
      name: renewed.name,
      loginUrl,
      username: renewed.username,
      password: credentials.password,
    },
  });
  return renewed;
};
