import { endTokens } from "../access/tokens.ts";
import type { UserRow } from "../db/tables.ts";
import { postLetter, withdrawLetters } from "../mail/outbox.ts";
import type { Change } from "../organization.ts";
import type { Seal } from "../seal.ts";
import type { Credentials } from "./create.ts";
import { userOf } from "./queries.ts";
import { changesState } from "./states.ts";

/**
 * Replaces the password: every token ends, and letters that carry an older one are withdrawn.
 *
 * @param keep digests of tokens that stay
 */
export const replacePassword = async (
  { tx, now }: Pick<Change, "tx" | "now">,
  user: Pick<UserRow, "id" | "credentials">,
  digest: string,
  keep: readonly string[] = [],
): Promise<UserRow> => {
  await endTokens(tx, [user.id], keep);
  await withdrawLetters(tx, [user.id]);
  return tx
    .updateTable("users")
    .set({ password_digest: digest, credentials: user.credentials + 1, updated_at: now })
    .where("id", "=", user.id)
    .returningAll()
    .executeTakeFirstOrThrow();
};

/**
 * Gives a person a new password and posts it (interface.md, Admin password reset). The state of
 * the account does not change.
 *
 * @throws Refusal `user_not_found`, `user_is_revoked`
 */
export const resetPassword = async (
  change: Change,
  { userId, loginUrl }: { readonly userId: string; readonly loginUrl: string },
  credentials: Credentials,
  seal: Seal,
): Promise<UserRow> => {
  const user = await userOf(change, userId);
  changesState("reset password", user);
  const renewed = await replacePassword(change, user, credentials.digest);
  await postLetter(change.tx, seal, {
    organizationId: renewed.organization_id,
    userId: renewed.id,
    kind: "password-reset",
    recipient: renewed.email,
    credentials: renewed.credentials,
    content: {
      name: renewed.name,
      loginUrl,
      username: renewed.username,
      password: credentials.password,
    },
  });
  return renewed;
};
