import type { UserRow } from "../db/tables.ts";
import type { Change } from "../organization.ts";
import { refuse } from "../refusal.ts";

/**
 * Keeps access keys of a narrower scope from administrators. A key that could make one, or take over
 * the account of one by a new password or email, could do everything.
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
