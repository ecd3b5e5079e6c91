import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { initialUserSettings } from "../../contract/user-settings.ts";
import { migrate } from "../../server/db/migrate.ts";
import { type Database, type DatabaseConfig, openDatabase } from "../../server/db/open.ts";
import { storedSettings } from "../../server/users/columns.ts";

/** The database that this run of the tests is for: see run.ts. */
export const onPostgres = process.env.TEST_DATABASE === "postgres";

/** A place for one database, empty and unopened, removed after the test. */
export const emptyPlace = async (t: TestContext): Promise<DatabaseConfig> => {
  const dataDir = await mkdtemp(join(tmpdir(), "parley-db-"));
  t.after(() => rm(dataDir, { recursive: true, force: true }));
  if (!onPostgres) return { databaseUrl: undefined, dataDir };
  const { createDatabase } = await import("../run/postgres.ts");
  const { url, drop } = await createDatabase();
  t.after(drop);
  return { databaseUrl: url, dataDir };
};

/** A database with its tables and one organization, `o1`. */
export const emptyDatabase = async (t: TestContext, place?: DatabaseConfig): Promise<Database> => {
  const database = await openDatabase(place ?? (await emptyPlace(t)));
  // Before the place goes: hooks run in the order in which they were given.
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
    ...{
      id,
      organization_id: "o1",
      email: id,
      email_key: id,
      email_fold: id,
      name: id,
      name_key: id,
    },
    ...storedSettings({ ...initialUserSettings, admin: true }),
    ...{ username: id, profile_id: id, account_suspended: false, account_deleted: false },
    ...{ password_digest: "", credentials: 0, created_at: at, updated_at: at },
  };
};
