import { type Kysely, type RawBuilder, sql } from "kysely";
import type { Utf8 } from "../utf8.ts";
import { isPostgres } from "./dialect.ts";
import type { Tables } from "./tables.ts";

/**
 * The texts of a column with commas between them, null where there are none. SQLite gives them as
 * bytes; the driver of PostgreSQL decodes whatever it reads.
 */
export const joinedTexts = (db: Kysely<Tables>, column: string): RawBuilder<Utf8 | null> => {
  const joined = sql<Utf8 | null>`string_agg(${sql.ref(column)}, ',')`;
  return isPostgres(db) ? joined : sql`cast(${joined} as blob)`;
};

/** The texts of a column as a JSON array, as the rows come or in an order. */
export const textsAsJson = (
  db: Kysely<Tables>,
  column: string,
  order?: RawBuilder<unknown>,
): RawBuilder<string> => {
  const texts = order ? sql`${sql.ref(column)} order by ${order}` : sql.ref(column);
  return isPostgres(db)
    ? sql`coalesce(json_agg(${texts})::text, '[]')`
    : sql`json_group_array(${texts})`;
};
