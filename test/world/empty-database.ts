import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { initialUserSettings } from "../../contract/people/settings.ts";
import { migrate } from "../../server/db/migrate.ts";
import { type Database, openDatabase } from "../../server/db/open.ts";
import { type DatabaseConfig, databaseFile } from "../../server/db/place.ts";
import { storedSettings } from "../../server/records/user-columns.ts";

/** Where cleanup is registered: `t` runs it after the test, `test` itself after the file. */
export interface Scope {
  after(end: () => unknown): void;
}

/** The database of this run of the tests: see run.ts. */
export const onPostgres = process.env.TEST_DATABASE === "postgres";

/**
 * A place for one database, unopened and empty, removed after the test.
 *
 * @param on the database; default: that of this run
 * @param migrated whether its tables may exist already: a start then has less to do
 */
export const emptyPlace = async (
  t: Scope,
  {
    on = onPostgres ? "postgres" : "sqlite",
    migrated = false,
  }: { readonly on?: "sqlite" | "postgres"; readonly migrated?: boolean } = {},
): Promise<DatabaseConfig> => {
  const dataDir = await mkdtemp(join(tmpdir(), "parley-place-"));
  t.after(() => rm(dataDir, { recursive: true, force: true, maxRetries: 3 }));
  if (on === "sqlite") {
    const file = migrated ? process.env.TEST_SQLITE_TEMPLATE : undefined;
    if (file !== undefined) await copyFile(file, databaseFile(dataDir));
    return { databaseUrl: undefined, dataDir };
  }
  const { createDatabase } = await import("../run/postgres.ts");
  const template = migrated ? process.env.TEST_DATABASE_TEMPLATE : undefined;
  const { url, drop } = await createDatabase(template === undefined ? {} : { template });
  t.after(drop);
  return { databaseUrl: url, dataDir };
};

/** A database with its tables and one organization, `o1`. */
export const emptyDatabase = async (t: Scope, place?: DatabaseConfig): Promise<Database> => {
  const database = await openDatabase(place ?? (await emptyPlace(t, { migrated: true })));
  // Registered before the place's removal: hooks run in the order in which they were registered.
  t.after(() => database.close());
  await migrate(database);
  await database.change((tx) =>
    tx.insertInto("organizations").values(organization("o1")).execute(),
  );
  return database;
};

/** A complete row of an organization. */
export const organization = (id: string) => ({
  id,
  name: id,
  name_key: id,
  used_rooms: 0,
  used_users: 0,
  users_by_role: "{}",
  created_at: "2026-01-31T09:30:00.000Z",
});

/** A complete row of a user in the organization `o1`. */
export const user = (id: string) => {
  const at = "2026-01-31T09:30:00.000Z";
  return {
    id,
    organization_id: "o1",
    email: id,
    email_key: id,
    email_fold: id,
    name: id,
    name_key: id,
    ...storedSettings({ ...initialUserSettings, admin: true }),
    username: id,
    profile_id: id,
    account_suspended: false,
    account_deleted: false,
    password_digest: "",
    credentials: 0,
    created_at: at,
    updated_at: at,
  };
};
