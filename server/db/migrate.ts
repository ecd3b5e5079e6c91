import type { Kysely } from "kysely";
import { Migrator } from "kysely/migration";
import { appliedMigrations, pendingMigrations } from "./applied.ts";
import { NewerDatabase } from "./errors.ts";
import { migrations } from "./migrations/index.ts";
import type { Database } from "./open.ts";
import type { ColumnTypes } from "./schema-access.ts";

export { appliedMigrations, pendingMigrations };

/**
 * Brings the database to the present form and answers the names of the migrations that this took.
 * Any number of processes may do so at once: each migration runs exactly once, all of them or none.
 */
export async function migrate(
  database: Database,
  onProgress?: (name: string) => void,
): Promise<string[]> {
  await refuseNewer(database.read);
  if ((await pendingMigrations(database.read)).length === 0) return [];
  return await database.schema.alone(async (db) => {
    // Asked without the transaction of the migrations: on PostgreSQL a missing table would end it.
    await refuseNewer(db);
    return await run(db, database.schema.types, onProgress);
  });
}

async function run(
  db: Kysely<unknown>,
  types: ColumnTypes,
  onProgress: ((name: string) => void) | undefined,
): Promise<string[]> {
  const provided = migrations.map(({ name, up }) => [
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
}

async function refuseNewer<T>(db: Kysely<T>): Promise<void> {
  const known = new Set(migrations.map(({ name }) => name));
  const unknown = (await appliedMigrations(db)).filter((name) => !known.has(name));
  if (unknown.length > 0) throw new NewerDatabase(unknown);
}
