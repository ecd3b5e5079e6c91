import { migrate } from "../../server/db/migrate.ts";
import { openDatabase } from "../../server/db/open.ts";
import { databaseFile } from "../../server/db/place.ts";
import { createDatabase } from "./postgres.ts";

/*
 * Databases with all tables and no data. Copying one is faster than migrating a new database for every service
 * that a test starts. It can be copied only while nobody is connected to it.
 */

/** @returns the name of a database on this server, for TEST_DATABASE_TEMPLATE */
export const migratedOnPostgres = async (server: string): Promise<string> => {
  const { name, url } = await createDatabase({ server });
  const database = await openDatabase({ databaseUrl: url, dataDir: "." });
  await migrate(database);
  await database.close();
  return name;
};

/** @returns the path of a file in this empty folder, for TEST_SQLITE_TEMPLATE */
export const migratedOnSqlite = async (dataDir: string): Promise<string> => {
  const database = await openDatabase({ databaseUrl: undefined, dataDir });
  await migrate(database);
  await database.close();
  return databaseFile(dataDir);
};
