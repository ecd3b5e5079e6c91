import type { Access } from "../../contract/operation.ts";
import type { Database } from "../db/open.ts";
import { findIn } from "../db/prepared.ts";
import { type Organization, openOrganization, type Queries } from "../organization.ts";
import { refuse } from "../refusal.ts";
import { type Authenticated, findAgain } from "./tokens.ts";

/*
 * A caller is looked up before its body is read, and the body may arrive late. Meanwhile the caller
 * can be suspended, demoted or signed out. So the caller is looked up again: after a late body has
 * arrived, and in each change, under the organization's row (0016).
 */

/**
 * Whether the caller may use an operation.
 *
 * @throws Refusal `not_allowed`, `account_required`
 */
export const allow = (access: Access, { caller }: Authenticated): void => {
  if (access === "administrator" && !caller.admin) refuse("not_allowed");
  if (access === "person" && caller.userId === null) refuse("account_required");
};

const stillAllowed = (access: Access, auth: Authenticated | undefined): Authenticated => {
  const current = auth ?? refuse("unauthorized");
  allow(access, current);
  return current;
};

/**
 * The caller as it is now, outside a change.
 *
 * @throws Refusal `unauthorized`, `not_allowed`
 */
export const lookAgain = async (
  { find }: Pick<Database, "find">,
  auth: Authenticated,
  access: Access,
): Promise<Authenticated> => stillAllowed(access, await findAgain(find, auth));

/**
 * The caller as it is under the organization's row. Every change that ends its rights locks that
 * row too, so the result holds until the commit. A statement of its own, after the one that locks
 * the row: on PostgreSQL a statement that waited for the row still sees other tables as they were
 * before it waited.
 *
 * @throws Refusal `unauthorized`, `not_allowed`
 */
const recheck = async (tx: Queries, auth: Authenticated, access: Access): Promise<Authenticated> =>
  stillAllowed(access, await findAgain((lookup, key) => findIn(tx, lookup, key), auth));

/**
 * The organization of a caller; its changes look the caller up again.
 *
 * @param address where the request comes from
 */
export const organizationOf = (
  database: Database,
  auth: Authenticated,
  access: Access,
  address: string | null = null,
): Organization =>
  openOrganization(
    database,
    auth.organizationId,
    auth.caller,
    async (tx) => (await recheck(tx, auth, access)).caller,
    address,
  );
