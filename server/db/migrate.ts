import { type Kysely, sql } from "kysely";
import { Migrator } from "kysely/migration";
import { isMissingTable, NewerDatabase } from "./errors.ts";
import { migrations } from "./migrations/index.ts";
import type { ColumnTypes } from "./migrations/migration.ts";
import type { Database } from "./open.ts";

/** The names of the applied migrations, in order. */
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

/** The names of the migrations that are not applied yet. */
export const pendingMigrations = async <T>(db: Kysely<T>): Promise<string[]> => {
  const applied = new Set(await appliedMigrations(db));
  return migrations.map(({ name }) => name).filter((name) => !applied.has(name));
};

/** Whether the database holds data that somebody may want back. */
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
 * Applies the pending migrations and returns their names. Any number of processes may do so at once:
 * each migration runs exactly once, all of them or none. On SQLite a database that holds data is
 * backed up first, unless `backup` is false.
 *
 * @param onProgress gets the name of each migration, and the path of the backup
 */
export const migrate = async (
  database: Database,
  onProgress?: (line: string) => void,
  { backup = true } = {},
): Promise<string[]> => {
  await refuseNewer(database.read);
  if ((await pendingMigrations(database.read)).length === 0) return [];
  return await database.schema.alone(async (db) => {
    // Outside the transaction of the migrations: on PostgreSQL a missing table would end it.
    await refuseNewer(db);
    const [next] = await pendingMigrations(db);
    if (backup && next !== undefined && database.schema.keepBefore && (await holdsData(db))) {
      const path = await database.schema.keepBefore(next);
      onProgress?.(`A backup is in ${path}.`);
    }
    return await runMigrations(db, database.schema.types, undefined, onProgress);
  });
};

/** Runs those of these migrations that are pending; by default of all. */
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

/** @throws NewerDatabase if a newer version has migrated the database */
export const refuseNewer = async <T>(db: Kysely<T>): Promise<void> => {
  const known = new Set(migrations.map(({ name }) => name));
  const unknown = (await appliedMigrations(db)).filter((name) => !known.has(name));
  if (unknown.length > 0) throw new NewerDatabase(unknown);
};
