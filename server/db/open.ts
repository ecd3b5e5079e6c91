import type { Database, DatabaseConfig, DatabaseOptions } from "./database.ts";

export type { Database, DatabaseConfig, DatabaseOptions };

/** Whether a configuration names the embedded database. */
export const isSqlite = ({ databaseUrl }: DatabaseConfig): boolean => databaseUrl === undefined;

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
