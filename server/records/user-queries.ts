import type { Change, Queries } from "../change/organization.ts";
import type { AccountKey } from "../db/account.ts";
import { prepared } from "../db/prepared.ts";
import type { UserRow } from "../db/tables.ts";
import { refuse } from "../lib/refusal.ts";

/** The account of this ID in an organization. */
export const findUser = (
  db: Queries,
  organizationId: string,
  id: string,
): Promise<UserRow | undefined> =>
  db
    .selectFrom("users")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where("id", "=", id)
    .where("gone_at", "is", null)
    .executeTakeFirst();

/**
 * The account of this ID in the organization of a change.
 *
 * @throws Refusal `user_not_found`, also for an account of another organization;
 *   `everything_scope_needed`
 */
export const userOf = async (change: Change, id: string): Promise<UserRow> => {
  const { tx, organization } = change;
  const user = (await findUser(tx, organization.id, id)) ?? refuse("user_not_found");
  keepFromAdministrators(change, [user]);
  return user;
};

/** The credentials of an account. */
export type Login = { readonly emailKey: string } | { readonly username: string };

/** The account, of any organization, that signs in with this email key or username. */
export const findLogin = (db: Queries, login: Login): Promise<UserRow | undefined> =>
  db
    .selectFrom("users")
    .selectAll()
    .where("gone_at", "is", null)
    .$if("emailKey" in login, (query) =>
      query.where("email_key", "=", (login as { readonly emailKey: string }).emailKey),
    )
    .$if("username" in login, (query) =>
      query.where("username", "=", (login as { readonly username: string }).username),
    )
    .executeTakeFirst();

/**
 * Locks the row of an account for the rest of a transaction, by writing to it.
 *
 * @returns the current account; undefined if its password was replaced, or it is gone
 */
export const takeUser = (
  tx: Queries,
  { id, credentials, created_at }: AccountKey,
): Promise<UserRow | undefined> =>
  tx
    .updateTable("users")
    .set((eb) => ({ credentials: eb.ref("credentials") }))
    .where("id", "=", id)
    .where("credentials", "=", credentials)
    // Another account may get the ID of a deleted one.
    .where("created_at", "=", created_at)
    .returningAll()
    .executeTakeFirst();

const askActive = prepared<
  null,
  { readonly organizationId: string; readonly ids: readonly string[] },
  Pick<UserRow, "id">
>((db, _, { organizationId, ids }) =>
  db
    .selectFrom("users")
    .select("id")
    .where("organization_id", "=", organizationId)
    .where("id", "in", ids)
    .where("account_deleted", "=", false),
);

/** Finds which of these IDs belong to accounts of the organization that are not revoked. */
export const activeAmong = async (
  db: Queries,
  organizationId: string,
  ids: readonly string[],
): Promise<Set<string>> => {
  if (ids.length === 0) return new Set();
  const rows = await askActive(db, null, { organizationId, ids });
  return new Set(rows.map(({ id }) => id));
};

/**
 * Keeps access keys with a narrower scope from changing administrators. A key that could make somebody
 * an administrator, or take over an administrator's account by a new password or email, could do
 * everything.
 *
 * @throws Refusal `everything_scope_needed`
 */
export const keepFromAdministrators = (
  { caller }: Pick<Change, "caller">,
  accounts: readonly Pick<UserRow, "admin">[],
): void => {
  if (caller.scope !== "everything" && accounts.some(({ admin }) => admin)) {
    refuse("everything_scope_needed");
  }
};
