import { type ChildProcess, execFile, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { chownSync, closeSync, mkdtempSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { Client } from "pg";
import { freePort } from "../world/free-port.ts";
import { identity, postgresBinaries, temporaryFolder } from "./postgres-binaries.ts";
import { endWithThisProcess, signalAll, thaw } from "./postgres-process.ts";

/** An empty database for one test, owned by an ordinary role. */
export interface EmptyDatabase {
  readonly name: string;
  readonly url: string;
  /** Removes it and closes its connections. If its server has stopped, nothing is left to remove. */
  drop(): Promise<void>;
}

/** A separate PostgreSQL server, with the faults that a test can cause. */
export interface PostgresServer {
  /** The superuser's URL: the value of TEST_DATABASE_URL. */
  readonly url: string;
  createDatabase(): Promise<EmptyDatabase>;
  /** Stops immediately, as after a failure of the machine (`pg_ctl stop -m immediate`). */
  crash(): Promise<void>;
  /** Starts it again on the same port, with other settings if given, and waits until it answers. */
  start(changed?: Settings): Promise<void>;
  /** It neither answers nor refuses anything (SIGSTOP). */
  freeze(): void;
  thaw(): void;
  /** Ends it and removes its data. */
  stop(): Promise<void>;
}

/** Settings of postgresql.conf by name: `{ max_connections: 20 }`. */
export type Settings = Record<string, string | number>;

const settings: Settings = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  max_connections: 200,
  shared_buffers: "64MB",
  max_wal_size: "256MB",
  wal_level: "minimal",
  max_wal_senders: 0,
  io_method: "sync",
  // Tests open thousands of connections, and each would run the full key derivation for its password.
  scram_iterations: 1,
  // Parley must not depend on the database's time zone.
  timezone: "Asia/Kathmandu",
};

/**
 * For a server whose data nobody needs after a crash: creating and removing databases is ten times as fast.
 */
export const forgetful: Settings = { fsync: "off", full_page_writes: "off" };

/**
 * Starts an empty PostgreSQL server on a free port of the loopback address. It ends with this process, in
 * whatever way this process ends.
 *
 * @param special settings in addition to those of every test server.
 */
export const startPostgres = async (special: Settings = {}): Promise<PostgresServer> => {
  const who = identity();
  const folder = mkdtempSync(join(temporaryFolder(), "parley-postgres-"));
  if (who.uid !== undefined) chownSync(folder, who.uid, who.gid ?? who.uid);
  const data = join(folder, "data");
  const { initdb, postgres } = await postgresBinaries(folder);
  const password = randomBytes(16).toString("hex");
  // Without the caller's PG... variables, and with messages in English.
  const surroundings = { ...who, cwd: folder, env: { LC_ALL: "C" } };
  writeFileSync(join(folder, "password"), password);
  await promisify(execFile)(
    initdb,
    [
      ...["-D", data, "-U", "postgres", "--auth=scram-sha-256", `--pwfile=${folder}/password`],
      // A collation unlike byte order: it exposes queries that forget COLLATE "C".
      ...["--no-sync", "--encoding=UTF8", "--locale=C", "--locale-provider=icu", "--icu-locale=en"],
      ...flags({ ...settings, ...special }),
    ],
    surroundings,
  );
  const port = await freePort();
  const url = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
  const log = join(folder, "log");
  let running: ChildProcess;
  let guard: ChildProcess;

  const start = async (changed: Settings = {}) => {
    const out = openSync(log, "a");
    const args = ["-D", data, "-p", String(port), ...flags(changed)];
    // Detached: Ctrl-C goes to the tests, which then end the database.
    running = spawn(postgres, args, {
      ...surroundings,
      stdio: ["ignore", out, out],
      detached: true,
    });
    closeSync(out);
    guard = endWithThisProcess(running, folder);
    running.unref();
    await answering(url, running, log);
  };
  const crash = async () => {
    if (running.exitCode !== null || running.signalCode !== null) return;
    thaw(running);
    running.ref();
    running.kill("SIGQUIT");
    await once(running, "exit");
    guard.kill("SIGKILL");
  };

  await start();
  await query(url, `create role parley login password '${password}'`);
  return {
    url,
    createDatabase: () => createDatabase({ server: url }),
    crash,
    start,
    freeze: () => signalAll(running, "SIGSTOP"),
    thaw: () => thaw(running),
    async stop() {
      await crash();
      await rm(folder, { recursive: true, force: true });
    },
  };
};

/**
 * Creates a database on the server that this run of the tests started: empty, or a copy of another one.
 *
 * @param from the superuser's URL of another server; the name of the database that is copied.
 * @throws Error if no server was started.
 */
export async function createDatabase({
  server = process.env.TEST_DATABASE_URL,
  template = "template0",
} = {}): Promise<EmptyDatabase> {
  if (server === undefined) {
    throw new Error("No PostgreSQL here: `npm test -- --postgres NAME` runs a test file with one.");
  }
  const name = `test_${randomBytes(8).toString("hex")}`;
  await query(
    server,
    `create database ${name} owner parley template ${template} strategy file_copy`,
  );
  const url = new URL(server);
  url.username = "parley";
  url.pathname = name;
  return {
    name,
    url: url.href,
    drop: () => query(server, `drop database if exists ${name} with (force)`).catch(() => {}),
  };
}

const query = async (url: string, sql: string): Promise<void> => {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 60_000 });
  client.on("error", () => {});
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
};

const answering = async (url: string, running: ChildProcess, log: string): Promise<void> => {
  const deadline = Date.now() + 300_000;
  for (;;) {
    try {
      return await query(url, "select 1");
    } catch (cause) {
      if (running.exitCode !== null || Date.now() > deadline) {
        throw new Error(`PostgreSQL did not start:\n${readFileSync(log, "utf8")}`, { cause });
      }
      await sleep(20);
    }
  }
};

const flags = (all: Settings) =>
  Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
