import type { Change } from "../change/organization.ts";
import type { UserRow } from "../db/tables.ts";
import { refuse } from "../lib/refusal.ts";
import { findUser } from "../records/user-queries.ts";

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
