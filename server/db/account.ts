import type { Kysely } from "kysely";
import type { Tables, UserRow } from "./tables.ts";

/** The columns that tell an account with its current password from every other. */
export type AccountKey = Pick<UserRow, "id" | "credentials" | "created_at">;

/**
 * An account with its password at some time, as sealed texts name it. The ID alone is not enough: another
 * account may get the ID of a deleted one.
 */
export interface AccountNamed {
  readonly userId: string;
  /** The number of the password (`users.credentials`): it rises when the password is replaced. */
  readonly credentials: number;
  /** When the account was made. */
  readonly createdAt: string;
}

/** Names an account as it is now. */
export const nameAccount = ({ id, credentials, created_at }: AccountKey): AccountNamed => ({
  userId: id,
  credentials,
  createdAt: created_at,
});

/** Returns whether this is the named account, with the same password. */
export const isAccountNamed = (
  { userId, credentials, createdAt }: AccountNamed,
  user: AccountKey,
): boolean =>
  user.id === userId && user.credentials === credentials && user.created_at === createdAt;

/** The named account; undefined if it is gone or its password was replaced. */
export const findAccountNamed = (
  db: Kysely<Tables>,
  { userId, credentials, createdAt }: AccountNamed,
): Promise<UserRow | undefined> =>
  db
    .selectFrom("users")
    .selectAll()
    .where("id", "=", userId)
    .where("credentials", "=", credentials)
    .where("created_at", "=", createdAt)
    .where("gone_at", "is", null)
    .executeTakeFirst();
