import type { Kysely } from "kysely";
import type { Database } from "./db/open.ts";
import { prepared } from "./db/prepared.ts";
import type { OrganizationRow, Tables } from "./db/tables.ts";

/** Queries of one organization; on a change, inside its transaction. */
export type Queries = Kysely<Tables>;

/** Who asks. An access key and the operator at the command line have no account of their own. */
export interface Caller {
  readonly userId: string | null;
  readonly accessKey: string | null;
  /** Whether everything in the organization is allowed. */
  readonly admin: boolean;
}

/** What a rule is given: the transaction, and the organization's row, which it holds. */
export interface Change {
  readonly tx: Queries;
  /** The row as it was taken: limits, and what is used. */
  readonly organization: OrganizationRow;
  readonly caller: Caller;
  /** The time of the change, UTC with milliseconds. */
  readonly now: string;
}

/**
 * The time of a change to something last changed at `last`. It is always later, also within one
 * millisecond or after the clock was set back, so that each version of a thing has its own time.
 */
export const timeAfter = ({ now }: Pick<Change, "now">, last: string): string =>
  now > last ? now : new Date(Date.parse(last) + 1).toISOString();

/** One organization in one request: every query and every change is scoped to it. */
export interface Organization {
  readonly id: string;
  readonly caller: Caller;
  /** Queries outside a change. */
  readonly read: Queries;
  /** Queries outside a change that walk over very many rows: they hold nobody else up. */
  readonly scan: Queries;
  /** One row by its key, outside a change. */
  readonly find: Database["find"];
  /**
   * Runs a rule in one transaction that first takes the organization's row, so that limits,
   * read-change-write and letters need no further thought. Answers once it is durable.
   */
  change<T>(rule: (change: Change) => Promise<T>): Promise<T>;
}

/** The operator at the command line: may do everything, and is nobody's account. */
export const operator: Caller = { userId: null, accessKey: null, admin: true };

// A write and no `select for update`: one text for both databases.
const takeRow = prepared<null, { readonly id: string }, OrganizationRow>((tx, _, { id }) =>
  tx
    .updateTable("organizations")
    .set((eb) => ({ used_rooms: eb.ref("used_rooms") }))
    .where("id", "=", id)
    .returning(["id", "name", "name_key", "plan", "max_rooms", "max_users", "created_at"])
    .returning(["used_rooms", "used_users", "users_by_role"]),
);

/** The organization of this ID, as this caller sees it. */
export const openOrganization = (database: Database, id: string, caller: Caller): Organization => ({
  id,
  caller,
  read: database.read,
  scan: database.scan,
  find: database.find,
  change: (rule) =>
    database.change(async (tx) => {
      const [organization] = await takeRow(tx, null, { id });
      if (organization === undefined) throw new Error(`There is no organization ${id}.`);
      return rule({ tx, organization, caller, now: new Date().toISOString() });
    }, id),
});
