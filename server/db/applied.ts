import { type Kysely, sql } from "kysely";
import { isMissingTable } from "./errors.ts";
import { migrations } from "./migrations/index.ts";

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
