import { readConfig } from "../../server/config/config.ts";
import { migrate } from "../../server/db/migrate.ts";
import { openDatabase } from "../../server/db/open.ts";
import type { PostgresServer } from "../run/postgres.ts";
import { onPostgres, type Scope } from "./empty-database.ts";
import { type Beside, type Environment, emptyEnvironment, makers, numbered } from "./world.ts";

/** An empty installation whose services are separate processes: tests kill, stop and starve them. */
export interface House extends Pick<Beside, "name" | "environment"> {
  /**
   * Opens the database as the command line does, and only as long as needed: no other process keeps a SQLite
   * file open meanwhile.
   */
  beside<T>(work: (beside: Beside) => Promise<T>): Promise<T>;
}

/**
 * A data folder and a database with its tables, both removed after the test.
 *
 * @param server the PostgreSQL server that the test may stop; default: the one for all tests
 */
export const openHouse = async (
  t: Scope,
  {
    server,
    environment = {},
  }: { readonly server?: PostgresServer | undefined; readonly environment?: Environment } = {},
): Promise<House> => {
  const name = onPostgres ? "postgres" : "sqlite";
  const whole = {
    ...(await emptyEnvironment(t, server ? "sqlite" : name)),
    ...(server && { DATABASE_URL: (await server.createDatabase()).url }),
    ...environment,
  };
  const config = readConfig(whole);
  const numbers = numbered();
  const beside: House["beside"] = async (work) => {
    const database = await openDatabase(config);
    try {
      const made = makers(database, "no address: its services are processes", numbers);
      return await work({ name, environment: whole, config, database, ...made });
    } finally {
      await database.close();
    }
  };
  await beside(({ database }) => migrate(database));
  return { name, environment: whole, beside };
};
