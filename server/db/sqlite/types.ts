import { sql } from "kysely";
import type { ColumnTypes } from "../schema-access.ts";

/** What the migrations call the kinds of columns on SQLite. */
export const sqliteTypes: ColumnTypes = {
  text: sql`text`,
  integer: sql`integer`,
  bigint: sql`bigint`,
  boolean: sql`boolean`,
  inKeyOrder: sql`without rowid`,
};
