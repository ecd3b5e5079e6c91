import { sql } from "kysely";
import { until } from "./process.ts";
import type { Beside } from "./world.ts";

/**
 * Waits until PostgreSQL has rolled back the transactions of a killed process, which takes a moment. On SQLite
 * that ends with the process.
 */
export const rolledBack = async ({ name, database }: Beside): Promise<void> => {
  if (name === "sqlite") return;
  await until("no transaction is open", async () => {
    const { rows } = await sql`
      select pid from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null
    `.execute(database.read);
    return rows.length === 0;
  });
};
