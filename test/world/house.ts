import type { TestContext } from "node:test";
import { readConfig } from "../../server/config.ts";
import { migrate } from "../../server/db/migrate.ts";
import { openDatabase } from "../../server/db/open.ts";
import type { PostgresServer } from "../run/postgres.ts";
import { onPostgres } from "./empty-database.ts";
import { newTenant } from "./tenant.ts";
import { emptyEnvironment, type World } from "./world.ts";

/** An empty place whose services are processes of their own: they are killed, stopped, starved. */
export interface House {
  readonly name: World["name"];
  readonly environment: Readonly<Record<string, string>>;
  /** The database as the command line opens it, only for so long: nobody else holds a SQLite file meanwhile. */
  beside<T>(work: (world: World) => Promise<T>): Promise<T>;
}

const notHere = (): never => {
  throw new Error("Its services are processes: start them.");
};

/**
 * A data folder and a database with its tables, both removed after the test.
 *
 * @param server the PostgreSQL server that the test may stop; by default the one of all tests
 */
export const openHouse = async (
  t: TestContext,
  {
    server,
    environment = {},
  }: {
    readonly server?: PostgresServer | undefined;
    readonly environment?: Readonly<Record<string, string>>;
  } = {},
): Promise<House> => {
  const name = onPostgres ? "postgres" : "sqlite";
  const common = await emptyEnvironment(t, server ? "sqlite" : name);
  const whole = {
    ...common,
    ...(server && { DATABASE_URL: (await server.createDatabase()).url }),
    ...environment,
  };
  const config = readConfig(whole);
  let tenants = 0;
  const beside: House["beside"] = async (work) => {
    const database = await openDatabase(config);
    const world: World = {
      ...{ name, environment: whole, config, database, url: "", log: [], second: notHere },
      get parley() {
        return notHere();
      },
      tenant: (plan = {}) => {
        tenants += 1;
        return newTenant(world, tenants, plan);
      },
    };
    try {
      return await work(world);
    } finally {
      await database.close();
    }
  };
  await beside(({ database }) => migrate(database));
  return { name, environment: whole, beside };
};
