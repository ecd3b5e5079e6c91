import type { Change } from "../change/organization.ts";
import type { UserRow } from "../db/tables.ts";
import { refuse } from "../lib/refusal.ts";

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
