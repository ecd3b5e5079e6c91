import { type Kysely, type RawBuilder, sql } from "kysely";
import { Migrator } from "kysely/migration";
import type { Database } from "./database.ts";
import { isMissingTable, NewerDatabase, OldDatabase } from "./errors.ts";
import { adoptFormer, isFormer, presentNames } from "./former.ts";
import { runsBeside } from "./migrations/beside.ts";
import { migrations } from "./migrations/index.ts";
import type { ColumnTypes, Migration } from "./migrations/migration.ts";

/** The names of the applied migrations, in order. */
export const appliedMigrations = async <T>(db: Kysely<T>): Promise<string[]> =>
  presentNames(await storedNames(db));

/** The applied migrations under the names that they had when they were applied. */
const storedNames = async <T>(db: Kysely<T>): Promise<string[]> => {
  const query = sql<{ readonly name: string }>`select name from kysely_migration order by name`;
  return (await rowsOf(db, query)).map(({ name }) => name);
};

/** Returns whether migrations from before the first release are in the list of applied ones. */
const isListFormer = async <T>(db: Kysely<T>): Promise<boolean> =>
  (await storedNames(db)).some(isFormer);

/** Returns whether the database holds data that somebody may want back. */
export const holdsData = async <T>(db: Kysely<T>): Promise<boolean> =>
  (await rowsOf(db, sql`select 1 from organizations limit 1`)).length > 0;

/** The rows of a query; none from a table that does not exist yet. */
const rowsOf = async <T, Row>(db: Kysely<T>, query: RawBuilder<Row>): Promise<readonly Row[]> => {
  try {
    return (await query.execute(db)).rows;
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
  await refuseUnknown(database.read);
  const isDone = (await pendingMigrations(database.read)).length === 0;
  if (isDone && !(await isListFormer(database.read))) return [];
  return await database.schema.alone(async (db) => {
    // Outside the transaction of the migrations: on PostgreSQL a missing table would end it.
    await refuseUnknown(db);
    const adopts = await isListFormer(db);
    const [next] = adopts ? await appliedMigrations(db) : await pendingMigrations(db);
    if (backup && next !== undefined && database.schema.keepBefore && (await holdsData(db))) {
      const path = await database.schema.keepBefore(next);
      onProgress?.(`A backup is in ${path}.`);
    }
    if (adopts) {
      onProgress?.("The tables of the development become those of the first release.");
      // On SQLite all of this is one transaction already.
      if (database.name === "sqlite") await adoptFormer(db);
      else await db.transaction().execute(adoptFormer);
    }
    return await runMigrations(db, database.schema.types, undefined, onProgress);
  });
};

/** Runs the pending ones of these migrations; by default, all that are pending. */
export const runMigrations = async (
  db: Kysely<unknown>,
  types: ColumnTypes,
  names: readonly string[] = migrations.map(({ name }) => name),
  onProgress?: (name: string) => void,
): Promise<string[]> => {
  const provided = migrations.filter(({ name }) => names.includes(name));
  const run =
    ({ name, up }: Migration) =>
    async (tx: Kysely<unknown>) => {
      onProgress?.(name);
      await up(tx, types);
    };
  const getMigrations = async () =>
    Object.fromEntries(provided.map((one) => [one.name, { up: run(one) }]));
  const migrator = new Migrator({ db, provider: { getMigrations } });
  const { error, results = [] } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
  return results.map(({ migrationName }) => migrationName);
};

/** The applied migrations that this version does not know. */
export const laterMigrations = async <T>(
  db: Kysely<T>,
): Promise<{
  /** This version can run on their tables. */
  readonly beside: readonly string[];
  /** It cannot. */
  readonly apart: readonly string[];
}> => {
  const names = migrations.map(({ name }) => name);
  const known = new Set(names);
  const later = (await appliedMigrations(db)).filter((name) => !known.has(name));
  const { beside = [], apart = [] } = Object.groupBy(later, (name) =>
    runsBeside(name, names) ? "beside" : "apart",
  );
  return { beside, apart };
};

/**
 * @param whole whether all rows and columns of the database are meant, also those of migrations beside which this
 *   version runs
 * @throws NewerDatabase if a newer version has migrated the database so that this one cannot use it, OldDatabase
 *   if one that is too old for this version has
 */
export const refuseUnknown = async <T>(db: Kysely<T>, { whole = false } = {}): Promise<void> => {
  const { apart, beside } = await laterMigrations(db);
  if (apart.some(isFormer)) throw new OldDatabase();
  const refused = whole ? [...apart, ...beside] : apart;
  if (refused.length > 0) throw new NewerDatabase(refused);
};
