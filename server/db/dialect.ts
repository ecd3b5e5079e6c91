import { type Kysely, PostgresAdapter, type RawBuilder, sql } from "kysely";
import type { Term } from "../lib/fold.ts";
import type { Tables } from "./tables.ts";

/** Returns whether queries go to PostgreSQL: for the few expressions that differ between the databases. */
export const isPostgres = (db: Kysely<Tables>): boolean =>
  db.getExecutor().adapter instanceof PostgresAdapter;

/**
 * The condition that a column of folded texts contains a term. PostgreSQL estimates how often a pattern matches,
 * and plans with that; SQLite's LIKE folds again and is slow beyond ASCII, so it gets `instr`.
 */
export const contains = (
  db: Kysely<Tables>,
  column: string,
  { term, pattern }: Term,
): RawBuilder<boolean> =>
  isPostgres(db)
    ? sql`${sql.ref(column)} like ${pattern}`
    : sql`instr(${sql.ref(column)}, ${term}) > 0`;

/** The texts of a column as a JSON array, in an order, for a group of at least one row. */
export const textsAsJson = (
  db: Kysely<Tables>,
  column: string,
  order: RawBuilder<unknown>,
): RawBuilder<string> => {
  const text = sql.ref(column);
  // `json_agg` would put spaces after the commas; SQLite puts none.
  return isPostgres(db)
    ? sql`'[' || string_agg(to_json(${text})::text, ',' order by ${order}) || ']'`
    : sql`json_group_array(${text} order by ${order})`;
};

/** The condition that a column, which holds a JSON array of texts, has this text among them. */
export const hasText = (db: Kysely<Tables>, column: string, text: string): RawBuilder<boolean> =>
  isPostgres(db)
    ? sql`exists (select 1 from jsonb_array_elements_text(${sql.ref(column)}::jsonb) t where t = ${text})`
    : sql`exists (select 1 from json_each(${sql.ref(column)}) t where t.value = ${text})`;

/**
 * The end of a query that locks the rows that it finds until the transaction ends, and skips those that
 * another one has locked: it never waits, so it cannot deadlock. SQLite needs nothing: it has one
 * writer at a time.
 */
export const skippingHeld = (db: Kysely<Tables>): RawBuilder<unknown> =>
  isPostgres(db) ? sql`for update skip locked` : sql``;
