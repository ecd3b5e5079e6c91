import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { startProcess } from "../test/world/process.ts";
import type { Bench, Served, ServeOptions } from "./bench.ts";
import { cacheFolder, forget, keep } from "./cache.ts";
import {
  type DatabaseName,
  type Dataset,
  fill,
  fullSizes,
  inspect,
  quickSizes,
  type Size,
} from "./dataset.ts";
import { type BenchPostgres, startBenchPostgres } from "./postgres.ts";
import { say } from "./say.ts";

interface Opened extends Bench {
  /** The version of PostgreSQL, if the run used it. */
  postgresVersion(): Promise<string | undefined>;
  close(): Promise<void>;
}

/** A dataset that runs write to is created again once it has grown by this factor. */
const GROWN = 1.02;
/** The sealing key of PostgreSQL's datasets, which have none of their own; it protects nothing. */
const SECRET = "5".repeat(64);

/** Opens the tools for the targets. `close` ends everything that the targets start. */
export const openBench = (quick: boolean): Opened => {
  const sizes = quick ? quickSizes : fullSizes;
  const kind = quick ? "-quick" : "";
  mkdirSync(cacheFolder, { recursive: true });
  const work = mkdtempSync(join(cacheFolder, "run-"));
  const removeWork = () => rmSync(work, { recursive: true, force: true });
  const ends: (() => unknown)[] = [removeWork];
  process.once("exit", () => ends.forEach((end) => void end()));
  const scope = { after: (end: () => unknown) => void ends.unshift(end) };
  const datasets = new Map<string, Promise<Dataset>>();
  const services = new Map<Dataset, Promise<Served>>();
  let server: Promise<BenchPostgres> | undefined;

  const folder = (name: string): string => {
    const path = join(work, name);
    mkdirSync(path, { recursive: true });
    return path;
  };
  const filled = (config: Parameters<typeof fill>[0], what: string, size: Size) =>
    fill(config, sizes[size], (line) => say(`Making ${what}: ${line}`));

  const sqliteData = async (size: Size) => {
    // Small data is created in a second, and most of it is written to, so every run creates it again.
    if (size === "small") {
      const dataDir = folder("sqlite-small");
      await filled({ databaseUrl: undefined, dataDir }, "SQLite, small", size);
      return { databaseUrl: undefined, dataDir };
    }
    const dataDir = await keep(`sqlite-${size}${kind}`, (path) =>
      filled({ databaseUrl: undefined, dataDir: path }, `SQLite, ${size}`, size),
    );
    return { databaseUrl: undefined, dataDir };
  };

  const postgresData = async (size: Size) => {
    server ??= startBenchPostgres();
    const { query, url } = await server;
    const name = `bench_${size}${kind.replace("-", "_")}`;
    const config = { databaseUrl: url(name), dataDir: folder("postgres-data") };
    const make = async () => {
      await query(`drop database if exists ${name} with (force)`);
      await query(`create database ${name} owner parley`);
      await filled(config, `PostgreSQL, ${size}`, size);
      await query("vacuum (analyze)", name);
      await query("checkpoint");
    };
    const found = await query(`select 1 from pg_database where datname = '${name}'`);
    if (size === "small") await make();
    else {
      if (found.length === 0) forget(`postgres-${size}${kind}`);
      await keep(`postgres-${size}${kind}`, make);
    }
    // A new server has an empty cache: this reads each order once.
    for (const column of ["name_key", "created_at", "updated_at"]) {
      await query(
        `select id from rooms where deleted_at is null and organization_id =
          (select id from organizations order by used_rooms desc limit 1)
          order by ${column}, id offset ${sizes[size].rooms - 1} limit 1`,
        name,
      );
    }
    return config;
  };

  const open = async (database: DatabaseName, size: Size): Promise<Dataset> => {
    const make = database === "SQLite" ? sqliteData : postgresData;
    const dataset = await inspect(await make(size), database, size);
    if (size === "small" || dataset.rooms <= sizes[size].rooms * GROWN) return dataset;
    forget(`${database === "SQLite" ? "sqlite" : "postgres"}-${size}${kind}`);
    return inspect(await make(size), database, size);
  };

  const start = async (
    { databaseUrl, dataDir }: Dataset,
    options: ServeOptions = {},
  ): Promise<Served> => {
    const { url, child, end } = await startProcess(scope, {
      DATA_DIR: options.dataDir ?? dataDir,
      ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl, PARLEY_SECRET: SECRET }),
      PORT: "0",
      RATE_LIMIT: "0",
      DRAIN_SECONDS: "0",
      ...options.environment,
    });
    return { url, pid: child.pid ?? 0, stop: async () => void (await end()) };
  };

  const release = async (dataset: Dataset): Promise<void> => {
    const served = services.get(dataset);
    services.delete(dataset);
    await (await served)?.stop();
  };

  return {
    isQuick: quick,
    rounds: quick ? 2 : 5,
    seconds: quick ? 1 : 2,
    recordedSeconds: quick ? 12 : 600,
    folder,
    start,
    release,
    postgres() {
      server ??= startBenchPostgres();
      return server;
    },
    dataset(database, size) {
      const known = datasets.get(database + size) ?? open(database, size);
      datasets.set(database + size, known);
      return known;
    },
    service(dataset) {
      const known = services.get(dataset) ?? start(dataset);
      services.set(dataset, known);
      return known;
    },
    async postgresVersion() {
      const rows = await (await server)?.query("show server_version");
      return rows === undefined ? undefined : String(rows[0]?.server_version);
    },
    async close() {
      for (const dataset of [...services.keys()]) await release(dataset);
      await (await server)?.stop();
      removeWork();
    },
  };
};
