import type { Checked } from "../../contract/kit/operation.ts";
import type {
  changeRoles as changeContract,
  reactivateUsers as reactivateContract,
  suspendRestoreUsers as suspendContract,
} from "../../contract/people/bulk.ts";
import { changedFacts, userSubject } from "../change/history.ts";
import { type Change, timeAfter } from "../change/organization.ts";
import type { UserRow } from "../db/tables.ts";
import { userFacts } from "../records/facts.ts";
import { recount } from "../records/user-counters.ts";
import { accountsFor, restoreAccess, setSuspension, stateErrors } from "./accounts.ts";

const fieldOf = (index: number): string => `userIds[${index}]`;

/**
 * Suspends or restores people: all of them, or none. People who are in that state already are skipped.
 *
 * @throws Refusal `user_not_found`, `user_is_revoked`, `own_account`, `last_administrator`,
 *   `everything_scope_needed`
 */
export const suspendOrRestoreUsers = async (
  change: Change,
  { userIds, action }: Checked<typeof suspendContract>,
): Promise<void> => {
  const accounts = await accountsFor(change, userIds, fieldOf, stateErrors(change, action));
  await setSuspension(change, action, accounts);
};

/**
 * Reactivates revoked people: all of them, or none. Clears their suspensions.
 *
 * @throws Refusal `user_not_found`, `user_not_revoked`, `user_limit`, `everything_scope_needed`
 */
export const reactivateUsers = async (
  change: Change,
  { userIds }: Checked<typeof reactivateContract>,
): Promise<void> => {
  const accounts = await accountsFor(change, userIds, fieldOf, stateErrors(change, "reactivate"));
  await restoreAccess(
    change,
    accounts.map((user) => ({ user, suspended: false })),
  );
};

/**
 * Gives people, including revoked ones, another role: all of them, or none.
 *
 * @throws Refusal `user_not_found`, `everything_scope_needed`
 */
export const changeRoles = async (
  change: Change,
  { userIds, role }: Checked<typeof changeContract>,
): Promise<void> => {
  const accounts = await accountsFor(change, userIds, fieldOf, () => undefined);
  await setRoles(
    change,
    accounts.map((user) => ({ user, role })),
  );
};

/** Gives people their roles. It takes all of them at once, because a change may update the counters once. */
export const setRoles = async (
  change: Change,
  given: readonly { readonly user: UserRow; readonly role: string }[],
): Promise<void> => {
  const moved = given.filter(({ user, role }) => user.role !== role);
  if (moved.length === 0) return;
  for (const [role, some] of Map.groupBy(moved, (one) => one.role)) {
    const last =
      some
        .map(({ user }) => user.updated_at)
        .sort()
        .at(-1) ?? "";
    await change.tx
      .updateTable("users")
      .set({ role, updated_at: timeAfter(change, last) })
      .where(
        "id",
        "in",
        some.map(({ user }) => user.id),
      )
      .execute();
  }
  change.happened(
    ...moved.map(({ user, role }) => ({
      kind: "userEdited" as const,
      subject: userSubject(user),
      ...changedFacts(userFacts(user), userFacts({ ...user, role })),
    })),
  );
  await recount(
    change,
    moved.flatMap(({ user, role }) => [
      { role: user.role, revoked: user.account_deleted, by: -1 as const },
      { role, revoked: user.account_deleted, by: 1 as const },
    ]),
  );
};
