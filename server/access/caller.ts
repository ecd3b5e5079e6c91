import type { Operation } from "../../contract/kit/operation.ts";
import { includes, type Scoped, scopeFailures, scopeOf } from "../../contract/kit/scopes.ts";
import {
  type Caller,
  type Organization,
  openOrganization,
  type Queries,
} from "../change/organization.ts";
import type { Database } from "../db/open.ts";
import { findingIn } from "../db/prepared.ts";
import { refuse } from "../lib/refusal.ts";
import { type Accepted, type Authenticated, findAgain } from "./tokens.ts";

/*
 * A caller is looked up before its body is read, and the body may arrive late. Meanwhile the caller
 * can be suspended, demoted or signed out. So the caller is looked up again: after a late body has
 * arrived, and in each change, under the organization's row (0016).
 */

/** The parts of an operation that decide who may use it. */
export type Guarded = Scoped & Pick<Operation, "access" | "owners" | "fresh" | "setup">;

/**
 * Refuses a caller whose access key lacks the scope that an operation needs.
 *
 * @throws Refusal `rooms_scope_needed`, `people_scope_needed`, `everything_scope_needed`
 */
export const keepToScope = (operation: Scoped, { scope }: Pick<Caller, "scope">): void => {
  const needed = scopeOf(operation);
  if (needed !== "read" && !includes(scope, needed)) refuse(scopeFailures[needed]);
};

/**
 * Returns whether the organization lets owners use an operation. The operation's rule decides for which rooms.
 */
const mayAsOwner = ({ owners }: Guarded, { ownersMay }: Authenticated): boolean =>
  owners !== undefined && (ownersMay === "create" || ownersMay === owners);

/**
 * Checks that the caller may use an operation.
 *
 * @throws Refusal `not_allowed`, `account_required`, `factor_to_set_up`, `proof_needed`, or the scope that is
 *   needed
 */
export const allow = (operation: Guarded, auth: Authenticated): void => {
  const { access } = operation;
  const { caller, level } = auth;
  if (level === "setup" && !operation.setup) refuse("factor_to_set_up");
  if (access === "administrator" && !caller.admin && !mayAsOwner(operation, auth)) {
    refuse("not_allowed");
  }
  if (access === "person" && caller.userId === null) refuse("account_required");
  keepToScope(operation, caller);
  if (operation.fresh === "always" && caller.owesProof) refuse("proof_needed");
};

const stillAllowed = (operation: Guarded, auth: Authenticated | undefined): Authenticated => {
  const current = auth ?? refuse("unauthorized");
  allow(operation, current);
  return current;
};

/**
 * The caller as it is now, outside a change.
 *
 * @param accepted `even expired` while an answer is sent, which may take longer than the token lasts
 * @throws Refusal `unauthorized`, and what `allow` refuses
 */
export const lookAgain = async (
  { find }: Pick<Database, "find">,
  auth: Authenticated,
  operation: Guarded,
  accepted?: Accepted,
): Promise<Authenticated> => stillAllowed(operation, await findAgain(find, auth, accepted));

/**
 * The caller as it is under the organization's row. Every change that ends its rights locks that row
 * too, so the result stays valid until the commit. This is a separate statement, after the one that
 * locks the row: on PostgreSQL a statement that waited for the row still sees other tables as they were
 * before it waited.
 *
 * @throws Refusal `unauthorized`, and what `allow` refuses
 */
const recheck = async (
  tx: Queries,
  auth: Authenticated,
  operation: Guarded,
): Promise<Authenticated> => stillAllowed(operation, await findAgain(findingIn(tx), auth));

/**
 * The organization of a caller; its changes look the caller up again.
 *
 * @param address where the request comes from
 */
export const organizationOf = (
  database: Database,
  auth: Authenticated,
  operation: Guarded,
  address: string | null = null,
): Organization =>
  openOrganization(database, auth.organizationId, auth.caller, {
    lookAgain: async (tx) => (await recheck(tx, auth, operation)).caller,
    address,
  });
