import { resolve } from "node:path";
import { sql } from "kysely";
import { BackupError } from "../errors.ts";
import { type Database, openDatabase } from "../open.ts";
import { type DatabaseConfig, databaseFile, isSqlite } from "../place.ts";
import { tlsProblem } from "../postgres-tls.ts";

/**
 * The database that a text names: `postgres://...`, `sqlite:FOLDER` (a data folder), or `sqlite:`
 * for the one in DATA_DIR.
 *
 * @throws BackupError if it names none
 */
export const placeOf = (text: string, config: DatabaseConfig): DatabaseConfig => {
  if (/^postgres(ql)?:\/\//.test(text) && URL.canParse(text)) {
    const wrongTls = tlsProblem(text);
    if (wrongTls !== undefined) throw new BackupError(`The database's URL ${wrongTls}`);
    return { databaseUrl: text, dataDir: config.dataDir };
  }
  const folder = /^sqlite:(.*)$/.exec(text)?.[1];
  if (folder === undefined) {
    throw new BackupError(
      "A database is postgres://user:password@host:port/name, sqlite:FOLDER, or sqlite: for the one in DATA_DIR.",
    );
  }
  return { databaseUrl: undefined, dataDir: folder === "" ? config.dataDir : resolve(folder) };
};

/** The name of a database in messages, without a password. */
export const describePlace = (place: DatabaseConfig): string => {
  if (isSqlite(place)) return databaseFile(place.dataDir);
  const { host, pathname } = new URL(place.databaseUrl ?? "");
  return `postgres://${host}${pathname}`;
};

/**
 * Opens a database to move its data, and closes it afterwards. On SQLite it holds the lock of a
 * service, so that none can start on it meanwhile.
 */
export const withOwnDatabase = async <T>(
  place: DatabaseConfig,
  work: (database: Database) => Promise<T>,
): Promise<T> => {
  const database = await openDatabase(named(place), { service: true, poolSize: 2 });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
};

/** Gives the connections another name, to tell them from those of a service. */
const named = (place: DatabaseConfig): DatabaseConfig => {
  if (isSqlite(place)) return place;
  const url = new URL(place.databaseUrl ?? "");
  url.searchParams.set("application_name", "parley-moving");
  return { ...place, databaseUrl: url.href };
};

/** The number of connections of Parley's services and commands to this PostgreSQL database; 0 on SQLite. */
export const countConnected = async ({ name, read }: Database): Promise<number> => {
  if (name === "sqlite") return 0;
  const { rows } = await sql<{ readonly count: number }>`
    select count(*) as count from pg_stat_activity
    where datname = current_database() and application_name = 'parley'`.execute(read);
  return Number(rows[0]?.count);
};
