import { migrate } from "../../server/db/migrate.ts";
import { openDatabase } from "../../server/db/open.ts";
import { type DatabaseConfig, databaseFile } from "../../server/db/place.ts";
import { truncateLog } from "../../server/db/sqlite/pragmas.ts";
import { createDatabase } from "./postgres.ts";

/*
 * Databases with all tables and no data. Copying one is faster than migrating a new database for every service
 * that a test starts. It can be copied only while nobody is connected to it.
 */

const makeTables = async (place: DatabaseConfig): Promise<void> => {
  const database = await openDatabase(place);
  await migrate(database);
  await database.close();
};

/** @returns the name of a database on this server, for TEST_DATABASE_TEMPLATE */
export const migratedOnPostgres = async (server: string): Promise<string> => {
  const { name, url } = await createDatabase({ server });
  await makeTables({ databaseUrl: url, dataDir: "." });
  return name;
};

/** @returns the path of a file in this empty folder, for TEST_SQLITE_TEMPLATE */
export const migratedOnSqlite = async (dataDir: string): Promise<string> => {
  await makeTables({ databaseUrl: undefined, dataDir });
  const file = databaseFile(dataDir);
  // Tests copy the file without the log beside it.
  await truncateLog(file);
  return file;
};
