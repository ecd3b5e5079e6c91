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
  /** The number of the password (`users.credentials`): it rises when the password is replaced, and access ends. */
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

/** Returns whether this is the named account, with whatever password. */
export const isSameAccount = (
  { userId, createdAt }: Omit<AccountNamed, "credentials">,
  user: Omit<AccountKey, "credentials">,
): boolean => user.id === userId && user.created_at === createdAt;

/** Returns whether this is the named account, with the same password. */
export const isAccountNamed = (named: AccountNamed, user: AccountKey): boolean =>
  isSameAccount(named, user) && user.credentials === named.credentials;

const askAccount = (db: Kysely<Tables>, { userId, createdAt }: Omit<AccountNamed, "credentials">) =>
  db
    .selectFrom("users")
    .selectAll()
    .where("id", "=", userId)
    .where("created_at", "=", createdAt)
    .where("gone_at", "is", null);

/** The named account, with whatever password; undefined if it is gone. */
export const findAccount = (
  ...asked: Parameters<typeof askAccount>
): Promise<UserRow | undefined> => askAccount(...asked).executeTakeFirst();

/** The named account; undefined if it is gone, its password was replaced, or its access has ended since. */
export const findAccountNamed = (
  db: Kysely<Tables>,
  named: AccountNamed,
): Promise<UserRow | undefined> =>
  askAccount(db, named).where("credentials", "=", named.credentials).executeTakeFirst();
