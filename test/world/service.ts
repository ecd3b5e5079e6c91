import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readConfig } from "../../server/config.ts";
import { startParley } from "../../server/main.ts";
import { createDatabase } from "../run/postgres.ts";
import { fetchJson } from "./fetch-json.ts";
import { startProcess } from "./service-process.ts";

/** A Parley service of a test's own. */
export interface Service {
  readonly url: string;
  readonly dataDir: string;
  /** Undefined on SQLite. */
  readonly databaseUrl: string | undefined;
  /** What it was configured with. */
  readonly env: Readonly<Record<string, string>>;
  readonly organizationId: string;
  /** The administrator that the first start made, and the access key. */
  readonly admin: { readonly email: string; readonly password: string };
  readonly accessKey: string;
  readonly secretAccessKey: string;
  /** Whether answers are held against the contract. */
  readonly checkAnswers: boolean;
  /** Of a service that is a process. */
  readonly pid: number | undefined;
  /** A token of the access key, fetched once. */
  token(): Promise<string>;
  /** What it printed and logged so far. */
  logs(): string;
  /** To the process: SIGSTOP, SIGCONT, SIGTERM ... */
  signal(name: NodeJS.Signals): void;
  /** Ends the process at once, as kill -9 does. Its data stay until `stop`. */
  kill(): Promise<void>;
  /** Ends it properly, where it still runs, and removes what it stored. */
  stop(): Promise<void>;
}

export interface ServiceOptions {
  /** A process of its own, `parley start`. Otherwise it runs inside the test, which is faster. */
  readonly process?: boolean;
  /** Environment variables besides those that every test has; these count. */
  readonly env?: Readonly<Record<string, string>>;
  /** On the database of this one: beside it, or again after it was killed. */
  readonly on?: Service;
  /** False where a test wants answers that the contract does not know. */
  readonly checkAnswers?: boolean;
}

/** How a service runs: inside the test, or as a process. */
export interface Running {
  readonly url: string;
  readonly pid: number | undefined;
  /** What the first start printed once; undefined on a database that was not empty. */
  readonly made: Pick<Service, "accessKey" | "secretAccessKey"> | undefined;
  logs(): string;
  signal(name: NodeJS.Signals): void;
  kill(): Promise<void>;
  end(): Promise<void>;
}

const admin = { email: "admin@example.org", password: "correct horse battery staple" };

/**
 * Starts an empty service on the database that this run of the tests is for, and waits until it
 * is ready.
 *
 * @throws Error with what it printed, where it does not get ready.
 */
export const startService = async (options: ServiceOptions = {}): Promise<Service> => {
  const { on, checkAnswers = true } = options;
  const place = on ? { env: on.env, remove: async () => {} } : await emptyPlace();
  const env = { ...place.env, ...options.env };
  const start = options.process ? startProcess : startInside;
  const running = await start(env).catch(async (error: unknown) => {
    await place.remove();
    throw error;
  });
  const { accessKey, secretAccessKey } = running.made ?? on ?? nothingMade();
  let token: Promise<string> | undefined;
  const service: Service = {
    ...running,
    dataDir: env.DATA_DIR ?? "",
    databaseUrl: env.DATABASE_URL,
    env,
    // An access key begins with the ID of its organization.
    organizationId: accessKey.slice(0, 36),
    admin: {
      email: env.PARLEY_ADMIN_EMAIL ?? admin.email,
      password: env.PARLEY_ADMIN_PASSWORD ?? admin.password,
    },
    accessKey,
    secretAccessKey,
    checkAnswers,
    token() {
      token ??= exchange(service);
      return token;
    },
    async stop() {
      await running.end();
      await place.remove();
    },
  };
  return service;
};

interface Place {
  readonly env: Record<string, string>;
  remove(): Promise<void>;
}

const emptyPlace = async (): Promise<Place> => {
  const dataDir = await mkdtemp(join(tmpdir(), "parley-service-"));
  const common = {
    DATA_DIR: dataDir,
    PORT: "0",
    RATE_LIMIT: "0",
    DRAIN_SECONDS: "0",
    // Where LiveKit is on the PATH, each service runs one.
    MEDIA_UDP: "0",
    MEDIA_TCP: "0",
    PARLEY_SECRET: randomBytes(32).toString("hex"),
    PARLEY_ADMIN_EMAIL: admin.email,
    PARLEY_ADMIN_PASSWORD: admin.password,
  };
  const removeFolder = () => rm(dataDir, { recursive: true, force: true, maxRetries: 3 });
  if (process.env.TEST_DATABASE !== "postgres") return { env: common, remove: removeFolder };
  const { TEST_DATABASE_TEMPLATE: template } = process.env;
  const { url, drop } = await createDatabase(template === undefined ? {} : { template });
  return {
    env: { ...common, DATABASE_URL: url },
    async remove() {
      await drop();
      await removeFolder();
    },
  };
};

const startInside = async (env: Readonly<Record<string, string>>): Promise<Running> => {
  const lines: string[] = [];
  const parley = await startParley(readConfig(env), {
    logTo: { write: (line) => lines.push(line) },
  });
  const notAProcess = () => {
    throw new Error("Only a service started with `process: true` can be signalled or killed.");
  };
  return {
    url: parley.url,
    pid: undefined,
    made: parley.firstStart?.accessKey,
    logs: () => lines.join(""),
    signal: notAProcess,
    kill: async () => notAProcess(),
    end: () => parley.stop(),
  };
};

const exchange = async (service: Service): Promise<string> => {
  const { accessKey, secretAccessKey } = service;
  const answer = await fetchJson(service, "POST", "/api/siteSetting/getAuthToken", {
    body: { accessKey, secretAccessKey },
  });
  return answer.body.authToken.token;
};

const nothingMade: () => never = () => {
  throw new Error("The service made no access key: its database was not empty.");
};
