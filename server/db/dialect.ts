import { type Kysely, PostgresAdapter, type RawBuilder, sql } from "kysely";
import type { Term } from "../fold.ts";
import type { Tables } from "./tables.ts";

/** Whether queries go to PostgreSQL: for the few expressions that differ between the databases. */
const isPostgres = (db: Kysely<Tables>): boolean =>
  db.getExecutor().adapter instanceof PostgresAdapter;

/**
 * Whether a column of folded texts contains a term. PostgreSQL estimates how often a pattern matches
 * and plans with that; SQLite's LIKE folds again and is slow beyond ASCII.
 */
export const contains = (
  db: Kysely<Tables>,
  column: string,
  { term, pattern }: Term,
): RawBuilder<boolean> =>
  isPostgres(db)
    ? sql`${sql.ref(column)} like ${pattern}`
    : sql`instr(${sql.ref(column)}, ${term}) > 0`;

/** The texts of a column as a JSON array, in an order. */
export const textsAsJson = (
  db: Kysely<Tables>,
  column: string,
  order: RawBuilder<unknown>,
): RawBuilder<string> => {
  const texts = sql`${sql.ref(column)} order by ${order}`;
  return isPostgres(db) ? sql`json_agg(${texts})::text` : sql`json_group_array(${texts})`;
};
