import { type Kysely, type RawBuilder, type SelectQueryBuilder, sql } from "kysely";
import { isPostgres } from "./dialect.ts";
import type { Tables } from "./tables.ts";

/**
 * How many rows are asked for, as a query's `limit`. No bare parameter: SQLite looks at the value
 * of one when it prepares a statement, and prepares it anew whenever another value is bound.
 */
export const atMost = (size: number): RawBuilder<number> => sql<number>`${size} + 0`;

/** Texts of queries for many rows are few: for 32, 512, 8,192 rows and so on. */
const SMALLEST = 32;
const STEP = 16;

/** A number to write into a query's text: not smaller than this one, and one of few. */
export const roundedUp = (rows: number): number => {
  let bound = SMALLEST;
  while (bound < rows) bound *= STEP;
  return bound;
};

/** Which of some rows are a page. */
interface Cut {
  readonly size: number;
  readonly offset: number;
  /** At least `offset + size`; one of few numbers. */
  readonly within: number;
}

/**
 * A page of rows that are in order. PostgreSQL keeps the plan of a query only where its text says
 * how many rows are read: an offset that it does not know counts as a tenth of the table. SQLite
 * has no need of that, and would be slower.
 */
export const pageOf = <From extends keyof Tables, Row>(
  db: Kysely<Tables>,
  rows: SelectQueryBuilder<Tables, From, Row>,
  { size, offset, within }: Cut,
): SelectQueryBuilder<Tables, From, Row> => {
  const bounded = isPostgres(db)
    ? db.selectFrom(rows.limit(sql.lit(within)).as("bounded")).selectAll()
    : rows;
  return (bounded as typeof rows).limit(atMost(size)).offset(offset);
};
