import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { type Config, readConfig } from "../../server/config.ts";
import { type Database, openDatabase } from "../../server/db/open.ts";
import { type Parley, startParley } from "../../server/main.ts";
import { createDatabase } from "../run/postgres.ts";
import { importTwin, type Twin } from "../twins/twin.ts";
import { onPostgres } from "./empty-database.ts";
import { newTenant, type Tenant } from "./tenant.ts";

/** A service of its own for one test, and its database beside it. */
export interface World {
  readonly name: "sqlite" | "postgres";
  /** Where the service listens. */
  readonly url: string;
  readonly parley: Parley;
  readonly environment: Readonly<Record<string, string>>;
  readonly config: Config;
  /** The same database, opened beside the service. */
  readonly database: Database;
  /** What the service logged. */
  readonly log: string[];
  /** Another service on the same database, as in another process; on SQLite there is the one. */
  second(): Promise<string>;
  /** An organization with an account and tokens. */
  tenant(plan?: { readonly rooms?: number; readonly users?: number }): Promise<Tenant>;
}

export interface WorldOptions {
  /** The database; by default the one that this run of the tests is for. */
  readonly on?: "sqlite" | "postgres";
  /** A service with something wrong in it. */
  readonly twin?: Twin | undefined;
  readonly environment?: Readonly<Record<string, string>>;
}

const LONG = "0123456789abcdef".repeat(4);

/** A data folder and an empty database, removed after the test. */
export const emptyEnvironment = async (
  t: TestContext,
  on: "sqlite" | "postgres",
  twin?: Twin,
): Promise<Record<string, string>> => {
  const dataDir = await mkdtemp(join(tmpdir(), "parley-world-"));
  t.after(() => rm(dataDir, { recursive: true, force: true, maxRetries: 3 }));
  const common = {
    ...{ DATA_DIR: dataDir, PORT: "0", LOG_LEVEL: "warn", PARLEY_SECRET: LONG },
    ...{ RATE_LIMIT: "0", DRAIN_SECONDS: "0" },
  };
  if (on === "sqlite") return common;
  // A twin may make its tables in its own way.
  const template = twin ? undefined : process.env.TEST_DATABASE_TEMPLATE;
  const { url, drop } = await createDatabase(template === undefined ? {} : { template });
  t.after(drop);
  return { ...common, DATABASE_URL: url };
};

/** Starts a service on an empty database of its own. */
export const startWorld = async (
  t: TestContext,
  { on = onPostgres ? "postgres" : "sqlite", twin, environment = {} }: WorldOptions = {},
): Promise<World> => {
  // Hooks run in the order in which they are given: what was opened last is closed first.
  const close: (() => Promise<unknown>)[] = [];
  t.after(async () => {
    for (const end of close.reverse()) await end();
  });
  const whole = { ...(await emptyEnvironment(t, on, twin)), ...environment };
  const config = readConfig(whole);
  const log: string[] = [];
  const logTo = { write: (line: string) => void log.push(line) };
  const start = twin ? (await importTwin(twin)).startParley : startParley;
  const parley = await start(config, { logTo });
  close.push(() => parley.stop());
  const database = await openDatabase(config);
  close.push(() => database.close());
  let count = 0;
  const world: World = {
    name: on,
    url: parley.url,
    parley,
    environment: whole,
    config,
    database,
    log,
    async second() {
      if (on === "sqlite") return parley.url;
      // With a copy of every module: the two share nothing but the database.
      const copy = {
        name: `${twin?.name ?? "as it is"}, once more`,
        replaced: twin?.replaced ?? [],
      };
      const { startParley: startOther } = await importTwin(copy);
      const other = await startOther(config, { logTo });
      close.push(() => other.stop());
      return other.url;
    },
    tenant: (plan = {}) => {
      count += 1;
      return newTenant(world, count, plan);
    },
  };
  return world;
};
