import type { Change } from "../change/organization.ts";
import type { OrganizationRow } from "../db/tables.ts";

/** Accounts of one role. */
interface Count {
  readonly role: string;
  readonly active: number;
  readonly revoked: number;
}

/** How many accounts there are of each role. Entries, not keys: a role may be called `__proto__`. */
export const countsByRole = ({ users_by_role }: Pick<OrganizationRow, "users_by_role">): Count[] =>
  (JSON.parse(users_by_role) as [string, number, number][]).map(([role, active, revoked]) => ({
    role,
    active,
    revoked,
  }));

/** The accounts of some roles that are revoked, or that are not. */
export const countUsers = (
  organization: Pick<OrganizationRow, "users_by_role">,
  { roles, revoked }: { readonly roles: readonly string[]; readonly revoked: boolean },
): number =>
  countsByRole(organization)
    .filter(({ role }) => roles.includes(role))
    .reduce((sum, count) => sum + (revoked ? count.revoked : count.active), 0);

/** Accounts that a change adds to (1) or removes from (-1) a role; revoked ones count separately. */
export interface Move {
  readonly role: string;
  readonly revoked: boolean;
  readonly by: 1 | -1;
}

/** Updates the organization's counters. Call it once per change: it starts from the row as it was locked. */
export const recount = async (
  { tx, organization }: Change,
  moves: readonly Move[],
): Promise<void> => {
  const counts = new Map(
    countsByRole(organization).map(({ role, active, revoked }) => [role, [active, revoked]]),
  );
  let used = organization.used_users;
  for (const { role, revoked, by } of moves) {
    const [active = 0, gone = 0] = counts.get(role) ?? [];
    counts.set(role, revoked ? [active, gone + by] : [active + by, gone]);
    if (!revoked) used += by;
  }
  const entries = [...counts]
    .filter(([, [active = 0, gone = 0]]) => active + gone > 0)
    .map(([role, [active, gone]]) => [role, active, gone])
    .sort();
  await tx
    .updateTable("organizations")
    .set({ used_users: used, users_by_role: JSON.stringify(entries) })
    .where("id", "=", organization.id)
    .execute();
};
