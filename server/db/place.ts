import { existsSync } from "node:fs";
import { join } from "node:path";

/** Where the database of an installation is. */
export interface DatabaseConfig {
  /** The URL of a PostgreSQL database; undefined for SQLite in the data folder. */
  readonly databaseUrl: string | undefined;
  readonly dataDir: string;
}

/** Returns whether a configuration names the embedded database. */
export const isSqlite = ({ databaseUrl }: Pick<DatabaseConfig, "databaseUrl">): boolean =>
  databaseUrl === undefined;

/** Returns whether services on several machines, with data folders of their own, may use the database. */
export const isShared = (config: Pick<DatabaseConfig, "databaseUrl">): boolean => !isSqlite(config);

/** The file of the database in a data folder. */
export const databaseFile = (dataDir: string): string => join(dataDir, "parley.db");

/** The file of the sealing key in a data folder. */
export const keyFile = (dataDir: string): string => join(dataDir, "secret.key");

/** Returns whether there is no database yet. Makes no file: the working folder may be the wrong one. */
export const isMissing = (config: DatabaseConfig): boolean =>
  isSqlite(config) && !existsSync(databaseFile(config.dataDir));
