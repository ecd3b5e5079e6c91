import { type Kysely, PostgresAdapter } from "kysely";
import type { Tables } from "./tables.ts";

/** Whether queries are asked of PostgreSQL: for the few texts that are worth two ways of saying. */
export const isPostgres = (db: Kysely<Tables>): boolean =>
  db.getExecutor().adapter instanceof PostgresAdapter;
