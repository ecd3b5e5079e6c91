import { type Kysely, sql } from "kysely";
import { migrations } from "./migrations/index.ts";

/*
 * Before the first release the migrations of the development were put together by subject (decision 0068). A
 * database that all of the former ones have made has the same tables, so only the list of what is applied is
 * replaced. Delete this file with the second release: every database that is in use then has the new list.
 */

/** The migrations of the development, in order. */
const former: ReadonlySet<string> = new Set([
  "0001-first-tables",
  "0002-former-people",
  "0003-meetings",
  "0004-recordings",
  "0005-live",
  "0006-history",
  "0007-kept-answers",
  "0008-webhooks",
  "0009-undo",
  "0010-bin",
  "0011-access-key-scopes",
  "0012-imports",
  "0013-claims",
  "0014-what-meetings-keep",
  "0015-kept-captions",
  "0016-wholes",
  "0017-rooms-of-entries",
  "0018-what-links-allow",
  "0019-doors",
  "0020-bans-of-seats",
  "0021-changes-of-lines",
  "0022-who-records",
  "0023-what-recordings-continue",
  "0024-line-erasures",
  "0025-due-deliveries",
  "0026-subjects-of-answers",
  "0027-roles-of-messages",
  "0028-living-seats",
  "0029-retried-letters",
  "0030-where-letters-went",
  "0031-held-letters",
  "0032-found-as-meant",
  "0033-role-limits",
  "0034-what-places-wait-for",
  "0035-rooms-that-wait",
  "0036-personal-rooms",
  "0037-hidden-notices",
  "0038-schedules",
  "0040-listed-rooms",
  "0042-meeting-controls",
  "0043-ratings",
  "0044-mapped-columns",
  "0045-usage",
  "0046-accounts-and-logos",
  "0047-invitation-letters",
  "0048-planned-rooms",
  "0049-links-that-are-over",
]);

/** The last of the migrations that replace them. */
const LAST = "0059-usage";

const replacing = migrations.map(({ name }) => name).filter((name) => name <= LAST);

/** Returns whether a migration is from before the first release. */
export const isFormer = (name: string): boolean => former.has(name);

/** The applied migrations by their present names. An incomplete former list stays as it is. */
export const presentNames = (stored: readonly string[]): string[] => {
  if (!former.isSubsetOf(new Set(stored))) return [...stored];
  const since = stored.filter((name) => !isFormer(name));
  return [...new Set([...replacing, ...since])].sort();
};

/** Replaces a former list of applied migrations; the caller holds the lock and a transaction. */
export const adoptFormer = async (tx: Kysely<unknown>): Promise<void> => {
  const at = new Date().toISOString();
  const values = replacing.map((name) => sql`(${name}, ${at})`);
  await sql`delete from kysely_migration where name in (${sql.join([...former])})`.execute(tx);
  await sql`insert into kysely_migration (name, timestamp) values ${sql.join(values)}`.execute(tx);
};
