import { sql } from "kysely";
import type { Database } from "../database.ts";

/** How many connections services and commands of Parley have to this PostgreSQL database; on SQLite none. */
export const countConnected = async (database: Database): Promise<number> => {
  if (database.name === "sqlite") return 0;
  const { rows } = await sql<{ readonly count: number }>`
    select count(*) as count from pg_stat_activity
    where datname = current_database() and application_name = 'parley'`.execute(database.read);
  return Number(rows[0]?.count);
};
