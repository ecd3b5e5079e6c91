import { type Kysely, type RawBuilder, sql } from "kysely";
import { isPostgres } from "./dialect.ts";
import type { Tables } from "./tables.ts";

/** The texts of a column as a JSON array, in an order. */
export const textsAsJson = (
  db: Kysely<Tables>,
  column: string,
  order: RawBuilder<unknown>,
): RawBuilder<string> => {
  const texts = sql`${sql.ref(column)} order by ${order}`;
  return isPostgres(db) ? sql`json_agg(${texts})::text` : sql`json_group_array(${texts})`;
};
