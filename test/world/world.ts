import { hashingCost } from "../../server/access/passwords.ts";
import { type Config, readConfig } from "../../server/config/config.ts";
import { type Database, openDatabase } from "../../server/db/open.ts";
import { type Parley, startParley } from "../../server/main.ts";
import type { FirstStart } from "../../server/organizations/first-start.ts";
import { importTwin, type Twin } from "../twins/twin.ts";
import { type Ask, askAs } from "./ask.ts";
import { emptyPlace, onPostgres, type Scope } from "./empty-database.ts";
import { type Limits, newOrganization, type Tenant, type TestOrganization } from "./tenant.ts";

export type Environment = Readonly<Record<string, string>>;

/** A database opened beside the service, as by the command line, for what a test creates in it. */
export interface Beside {
  readonly name: "sqlite" | "postgres";
  readonly environment: Environment;
  readonly config: Config;
  readonly database: Database;
  /** Creates an organization with an access key and no people. */
  organization(name?: string, limits?: Limits): Promise<TestOrganization>;
  /** Creates an organization with an access key and an administrator. */
  tenant(limits?: Limits): Promise<Tenant>;
}

/** A separate service for one test or one file, and direct access to its database. */
export interface World extends Beside {
  /** The service's address. */
  readonly url: string;
  readonly parley: Parley;
  /** The service's log. */
  readonly log: string[];
  /** Sends requests without a token. */
  readonly open: Ask;
  /** The records that the first start created in the empty database. */
  readonly first: FirstStart;
  /** Starts another service on the same database, like another process; on SQLite returns the only one. */
  second(): Promise<string>;
}

export interface WorldOptions {
  /** The database; default: that of this run. */
  readonly on?: "sqlite" | "postgres";
  /** A broken service in place of the real one. */
  readonly twin?: Twin | undefined;
  /** Environment variables in addition to those of every world; these take precedence. */
  readonly environment?: Environment;
  /** The complete environment of a place that exists already. */
  readonly place?: Environment;
}

const LONG = "0123456789abcdef".repeat(4);

/** The cost of a password in a real service; here a twentieth of the time is enough. */
export const usualHashingCost = { ...hashingCost };
Object.assign(hashingCost, { memoryCost: 1_024 });

/** A data folder and an empty database, removed after the test. */
export const emptyEnvironment = async (
  t: Scope,
  on: "sqlite" | "postgres",
  twin?: Twin,
): Promise<Record<string, string>> => {
  // A twin may create its tables in another way.
  const { dataDir, databaseUrl } = await emptyPlace(t, { on, migrated: twin === undefined });
  return {
    DATA_DIR: dataDir,
    PORT: "0",
    LOG_LEVEL: "warn",
    PARLEY_SECRET: LONG,
    RATE_LIMIT: "0",
    DRAIN_SECONDS: "0",
    // With LiveKit on the PATH, each service would run one.
    MEDIA_UDP: "0",
    MEDIA_TCP: "0",
    ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
  };
};

/** Creates organizations in a database, for a service at this address; each gets a number. */
export const makers = (
  database: Database,
  url: string,
  numbers: Iterator<number>,
): Pick<Beside, "organization" | "tenant"> => {
  const make = async (name: string | undefined, limits: Limits = {}) => {
    const { value: number } = numbers.next();
    const made = await newOrganization(database, url, name ?? `Organization ${number}`, limits);
    return { number, made };
  };
  return {
    organization: async (name, limits) => (await make(name, limits)).made,
    async tenant(limits) {
      const { number, made } = await make(undefined, limits);
      const account = { name: "Administrator", admin: true, role: "admin" };
      return { ...made, admin: await made.addPerson(`admin@tenant${number}.example.org`, account) };
    },
  };
};

/** 1, 2, 3 … */
export const numbered = function* (): Generator<number, never> {
  for (let number = 1; ; number += 1) yield number;
};

/** Starts a service on a separate empty database, inside the test. */
export const startWorld = async (
  t: Scope,
  { on = onPostgres ? "postgres" : "sqlite", twin, environment = {}, place }: WorldOptions = {},
): Promise<World> => {
  // Hooks run in the order in which they were registered: the last one opened is closed first.
  const close: (() => Promise<unknown>)[] = [];
  t.after(async () => {
    for (const end of close.reverse()) await end();
  });
  const whole = { ...(place ?? (await emptyEnvironment(t, on, twin))), ...environment };
  const config = readConfig(whole);
  const log: string[] = [];
  const logTo = { write: (line: string) => void log.push(line) };
  const start = twin ? (await importTwin(twin)).startParley : startParley;
  const parley = await start(config, { logTo });
  close.push(() => parley.stop());
  const database = await openDatabase(config);
  close.push(() => database.close());
  const { url } = parley;
  return {
    name: on,
    url,
    parley,
    environment: whole,
    config,
    database,
    log,
    ...makers(database, url, numbered()),
    open: askAs(url, undefined),
    get first() {
      if (!parley.firstStart) throw new Error("The database was not empty.");
      return parley.firstStart;
    },
    async second() {
      if (on === "sqlite") return url;
      // With a copy of every module: the two share nothing except the database.
      const copy = {
        name: `${twin?.name ?? "as it is"}, once more`,
        replaced: twin?.replaced ?? [],
      };
      const { startParley: startOther } = await importTwin(copy);
      const other = await startOther(config, { logTo });
      close.push(() => other.stop());
      return other.url;
    },
  };
};
