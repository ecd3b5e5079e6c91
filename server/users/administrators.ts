import type { Change } from "../change/organization.ts";
import type { UserRow } from "../db/tables.ts";
import { refuse } from "../lib/refusal.ts";
import { findUser } from "../records/user-queries.ts";

/*
 * An organization keeps an administrator who can sign in, also when others are taken away.
 */

type Rights = Pick<UserRow, "admin" | "account_suspended" | "account_deleted">;

const isActiveAdministrator = ({ admin, account_suspended, account_deleted }: Rights): boolean =>
  admin && !account_suspended && !account_deleted;

/**
 * Keeps at least one active administrator when a person removes administrators: the caller, who must be
 * an active one and is never removed. So there is no need to count the others, which would read every
 * account. Access keys and the operator may remove the last administrator: they can add another.
 *
 * @throws Refusal `last_administrator`
 */
export const keepAdministrator = async (
  { tx, organization, caller }: Change,
  taken: readonly Rights[],
): Promise<void> => {
  if (caller.userId === null || !taken.some(isActiveAdministrator)) return;
  const person = await findUser(tx, organization.id, caller.userId);
  if (!person || !isActiveAdministrator(person)) refuse("last_administrator");
};

/** Returns whether somebody else is an administrator who can sign in. */
export const hasOtherAdministrator = async (
  { tx, organization }: Change,
  { id }: UserRow,
): Promise<boolean> =>
  (await tx
    .selectFrom("users")
    .select("id")
    .where("organization_id", "=", organization.id)
    .where("account_deleted", "=", false)
    .where("account_suspended", "=", false)
    .where("gone_at", "is", null)
    .where("admin", "=", true)
    .where("id", "<>", id)
    .limit(1)
    .executeTakeFirst()) !== undefined;

/**
 * Keeps the last active administrator from losing that: a mistake in a directory must not lock the
 * organization out.
 *
 * @throws Refusal `last_administrator`
 */
export const keepLastAdministrator = async (change: Change, user: UserRow): Promise<void> => {
  if (isActiveAdministrator(user) && !(await hasOtherAdministrator(change, user))) {
    refuse("last_administrator");
  }
};
