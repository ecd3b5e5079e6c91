import type { Kysely } from "kysely";
import type { Scope } from "../../contract/kit/scopes.ts";
import type { Send } from "../db/changes.ts";
import type { OrganizationRow, Tables } from "../db/tables.ts";

/** Queries of one organization; on a change, inside its transaction. */
export type Queries = Kysely<Tables>;

/** The caller. An access key, the operator at the command line and the service have no account. */
export interface Caller {
  readonly userId: string | null;
  readonly accessKey: string | null;
  /** True if everything in the organization is allowed, as far as the scope goes. */
  readonly admin: boolean;
  /** The scope of an access key; everything for everybody else. */
  readonly scope: Scope;
  /** When the caller's account was made: another one may get the ID of a deleted one. */
  readonly accountCreatedAt?: string;
  /** As the history names the caller. */
  readonly name: string;
  /** Set for a session with a second factor whose person has given no proof for some minutes. */
  readonly owesProof?: true;
  /** Set for the service itself only. */
  readonly isService?: true;
}

/** The transaction of a change, and the organization's row, which it holds. */
export interface ChangeContext {
  readonly tx: Queries;
  /** Sends a statement whose result the rule does not need. A rule awaits what can be refused. */
  readonly send: Send;
  /** The row as it was locked: limits and counters. */
  readonly organization: OrganizationRow;
  readonly caller: Caller;
  /** The time of the change, UTC with milliseconds. */
  readonly now: string;
  /** Where the request comes from; null at the command line, and for what the service does itself. */
  readonly address: string | null;
}
