import type { Database, DatabaseOptions } from "./database.ts";
import type { DatabaseConfig } from "./place.ts";

export type { Database, DatabaseOptions } from "./database.ts";

/** Returns whether no other service uses the database: SQLite has one, which `lock.ts` makes sure of. */
export const isOnlyService = ({ name }: Pick<Database, "name">): boolean => name === "sqlite";

/**
 * Opens the database that the configuration names. If the PostgreSQL server is away, the first query
 * fails, not this call.
 */
export const openDatabase = async (
  config: DatabaseConfig,
  options: DatabaseOptions = {},
): Promise<Database> => {
  const url = config.databaseUrl;
  if (url === undefined) {
    const { openSqlite } = await import("./sqlite/open-sqlite.ts");
    return await openSqlite(config.dataDir, options);
  }
  // Loaded only when needed: SQLite starts faster and smaller without it.
  const { openPostgres } = await import("./postgres/open-postgres.ts");
  return openPostgres(url, options.poolSize ?? 10);
};
