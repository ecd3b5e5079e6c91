import { type Kysely, sql } from "kysely";
import { Migrator } from "kysely/migration";
import type { Database } from "./database.ts";
import { isMissingTable, NewerDatabase } from "./errors.ts";
import { migrations } from "./migrations/index.ts";
import type { ColumnTypes } from "./migrations/migration.ts";

/** The names of the migrations that the database has, in their order. */
export const appliedMigrations = async <T>(db: Kysely<T>): Promise<string[]> => {
  try {
    const { rows } = await sql<{
      readonly name: string;
    }>`select name from kysely_migration order by name`.execute(db);
    return rows.map(({ name }) => name);
  } catch (error) {
    if (isMissingTable(error)) return [];
    throw error;
  }
};

/** The names of the migrations that the database still lacks. */
export const pendingMigrations = async <T>(db: Kysely<T>): Promise<string[]> => {
  const applied = new Set(await appliedMigrations(db));
  return migrations.map(({ name }) => name).filter((name) => !applied.has(name));
};

/** Whether there is anything in the database that somebody might want back. */
export const holdsData = async <T>(db: Kysely<T>): Promise<boolean> => {
  try {
    const { rows } = await sql`select 1 from organizations limit 1`.execute(db);
    return rows.length > 0;
  } catch (error) {
    if (isMissingTable(error)) return false;
    throw error;
  }
};

/**
 * Brings the database to the present form and answers the names of the migrations that this took.
 * Any number of processes may do so at once: each migration runs exactly once, all of them or none.
 * On SQLite a database that holds data is kept as it was, unless `backup` says that it need not be.
 *
 * @param onProgress told the name of each migration, and where the backup is
 */
export const migrate = async (
  database: Database,
  onProgress?: (line: string) => void,
  { backup = true } = {},
): Promise<string[]> => {
  await refuseNewer(database.read);
  if ((await pendingMigrations(database.read)).length === 0) return [];
  return await database.schema.alone(async (db) => {
    // Asked without the transaction of the migrations: on PostgreSQL a missing table would end it.
    await refuseNewer(db);
    const [next] = await pendingMigrations(db);
    if (backup && next !== undefined && database.schema.keepBefore && (await holdsData(db))) {
      const path = await database.schema.keepBefore(next);
      onProgress?.(`A backup is in ${path}.`);
    }
    return await runMigrations(db, database.schema.types, undefined, onProgress);
  });
};

/** Runs those of these migrations that the database lacks; by default of all. */
export const runMigrations = async (
  db: Kysely<unknown>,
  types: ColumnTypes,
  names: readonly string[] = migrations.map(({ name }) => name),
  onProgress?: (name: string) => void,
): Promise<string[]> => {
  const provided = migrations
    .filter(({ name }) => names.includes(name))
    .map(({ name, up }) => [
      name,
      {
        up: async (tx: Kysely<unknown>): Promise<void> => {
          onProgress?.(name);
          await up(tx, types);
        },
      },
    ]);
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => Object.fromEntries(provided) },
  });
  const { error, results = [] } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
  return results.map(({ migrationName }) => migrationName);
};

/** @throws NewerDatabase where a newer version has been at work */
export const refuseNewer = async <T>(db: Kysely<T>): Promise<void> => {
  const known = new Set(migrations.map(({ name }) => name));
  const unknown = (await appliedMigrations(db)).filter((name) => !known.has(name));
  if (unknown.length > 0) throw new NewerDatabase(unknown);
};
