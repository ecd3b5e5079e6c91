import { type ChildProcess, execFile, execFileSync, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { Client } from "pg";
import { identity, postgresBinaries, temporaryFolder } from "../test/run/postgres-binaries.ts";
import { endWithThisProcess } from "../test/run/postgres-process.ts";
import { freePort } from "../test/world/free-port.ts";
import { cacheFolder } from "./cache.ts";

/** Settings of a dedicated server: everything is durable, and caches have enough memory. */
const settings = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  shared_buffers: "512MB",
  effective_cache_size: "2GB",
  max_wal_size: "4GB",
  random_page_cost: "1.1",
};

export interface BenchPostgres {
  readonly pid: number;
  /** The URL of the database of this name, for an ordinary role. */
  url(name: string): string;
  query(sql: string, database?: string): Promise<Record<string, unknown>[]>;
  stop(): Promise<void>;
}

/** The folder of its data: in the cache, if the server's user can reach that. */
const dataFolder = (who: { readonly uid?: number; readonly gid?: number }): string => {
  const kept = join(cacheFolder, "postgres");
  mkdirSync(kept, { recursive: true });
  if (who.uid === undefined) return kept;
  chownSync(kept, who.uid, who.gid ?? who.uid);
  try {
    execFileSync("test", ["-w", kept], { ...who, stdio: "ignore" });
    return kept;
  } catch {
    const folder = mkdtempSync(join(temporaryFolder(), "parley-bench-postgres-"));
    chownSync(folder, who.uid, who.gid ?? who.uid);
    process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
    return folder;
  }
};

/** Starts the PostgreSQL server of the bench, with the data of the last run. */
export const startBenchPostgres = async (): Promise<BenchPostgres> => {
  const who = identity();
  const folder = dataFolder(who);
  // For files that this run does not keep: the guard below removes them.
  const passing = mkdtempSync(join(temporaryFolder(), "parley-bench-"));
  if (who.uid !== undefined) chownSync(passing, who.uid, who.gid ?? who.uid);
  const { initdb, postgres } = await postgresBinaries(passing);
  const data = join(folder, "data");
  const passwordFile = join(folder, "password");
  const surroundings = { ...who, cwd: passing, env: { LC_ALL: "C" } };
  const isNew = !existsSync(join(folder, "ready"));
  if (isNew) {
    rmSync(data, { recursive: true, force: true });
    writeFileSync(passwordFile, randomBytes(16).toString("hex"), { mode: 0o600 });
    if (who.uid !== undefined) chownSync(passwordFile, who.uid, who.gid ?? who.uid);
    const how = ["-U", "postgres", "--auth=scram-sha-256", `--pwfile=${passwordFile}`];
    await promisify(execFile)(
      initdb,
      ["-D", data, ...how, "--encoding=UTF8", "--locale=C"],
      surroundings,
    );
  }
  const password = readFileSync(passwordFile, "utf8");
  const port = await freePort();
  const flags = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const running: ChildProcess = spawn(postgres, ["-D", data, "-p", String(port), ...flags], {
    ...surroundings,
    stdio: "ignore",
    detached: true,
  });
  const guard = endWithThisProcess(running, passing);
  const urlOf = (user: string, name: string) =>
    `postgres://${user}:${password}@127.0.0.1:${port}/${name}`;

  const query = async (sql: string, database = "postgres") => {
    const client = new Client({ connectionString: urlOf("postgres", database) });
    client.on("error", () => {});
    await client.connect();
    try {
      const { rows } = await client.query(sql);
      return rows;
    } finally {
      await client.end();
    }
  };
  for (const deadline = Date.now() + 30_000; ; await sleep(50)) {
    try {
      await query("select 1");
      break;
    } catch (error) {
      if (running.exitCode !== null || Date.now() > deadline) throw error;
    }
  }
  if (isNew) {
    await query(`create role parley login password '${password}'`);
    writeFileSync(join(folder, "ready"), "");
  }
  return {
    pid: running.pid ?? 0,
    url: (name) => urlOf("parley", name),
    query,
    async stop() {
      const ended = once(running, "exit");
      // Fast shutdown, with a checkpoint: the next start has no log to replay.
      running.kill("SIGINT");
      await ended;
      guard.kill("SIGKILL");
      rmSync(passing, { recursive: true, force: true });
    },
  };
};
