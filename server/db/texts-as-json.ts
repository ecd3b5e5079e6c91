import { type Kysely, type RawBuilder, sql } from "kysely";
import { isPostgres } from "./dialect.ts";
import type { Tables } from "./tables.ts";

/** The texts of a column as a JSON array, in an order, for a group of at least one row. */
export const textsAsJson = (
  db: Kysely<Tables>,
  column: string,
  order: RawBuilder<unknown>,
): RawBuilder<string> => {
  const text = sql.ref(column);
  // `json_agg` would put spaces behind the commas, which SQLite does not.
  return isPostgres(db)
    ? sql`'[' || string_agg(to_json(${text})::text, ',' order by ${order}) || ']'`
    : sql`json_group_array(${text} order by ${order})`;
};
