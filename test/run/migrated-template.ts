import { migrate } from "../../server/db/migrate.ts";
import { openDatabase } from "../../server/db/open.ts";
import { createDatabase } from "./postgres.ts";

/**
 * Creates a database with all tables and no data. Copying it is faster than migrating a new database for
 * every service that a test starts.
 *
 * @returns its name, for TEST_DATABASE_TEMPLATE.
 */
export const createMigratedTemplate = async (server: string): Promise<string> => {
  const { name, url } = await createDatabase({ server });
  const database = await openDatabase({ databaseUrl: url, dataDir: "." });
  await migrate(database);
  // A database can be copied only while nobody is connected to it.
  await database.close();
  return name;
};
