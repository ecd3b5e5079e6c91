import { type Kysely, type RawBuilder, sql } from "kysely";
import type { Term } from "../fold.ts";
import { isPostgres } from "./dialect.ts";
import type { Tables } from "./tables.ts";

/**
 * Whether a column of folded texts contains a term. PostgreSQL estimates how often a pattern
 * matches, and plans by that; SQLite's LIKE folds once more and is slow beyond ASCII.
 */
export const contains = (
  db: Kysely<Tables>,
  column: string,
  { term, pattern }: Term,
): RawBuilder<boolean> =>
  isPostgres(db)
    ? sql`${sql.ref(column)} like ${pattern}`
    : sql`instr(${sql.ref(column)}, ${term}) > 0`;
