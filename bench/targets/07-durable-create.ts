import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdtempSync,
  openSync,
  rmSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { creates, planOf } from "../asks.ts";
import type { Bench } from "../bench.ts";
import { type Dataset, fill, fullSizes, inspect } from "../dataset.ts";
import { load } from "../load/load.ts";
import { interleave } from "../rounds.ts";
import { ratios } from "../statistics.ts";
import { type Figure, target } from "../target.ts";

/** A folder in memory, where fsync costs nothing, in place of synchronous=OFF. */
const MEMORY = "/dev/shm";
/** The size of a page and its frame header in SQLite's log. */
const PAGE = Buffer.alloc(4096 + 24, 1);

/** How many pages per second can be written durably, one after the other. */
const fsyncRate = async (file: string, seconds: number): Promise<number> => {
  const open = openSync(file, "w");
  const from = performance.now();
  let count = 0;
  while (performance.now() - from < seconds * 1000) {
    writeSync(open, PAGE);
    fsyncSync(open);
    count += 1;
  }
  closeSync(open);
  return (count / (performance.now() - from)) * 1000;
};

const freshData = async (dataDir: string): Promise<Dataset> => {
  const config = { databaseUrl: undefined, dataDir };
  await fill(config, fullSizes.small, () => {});
  return inspect(config, "SQLite", "small");
};

const perSecond = async (bench: Bench, dataset: Dataset, connections: number) => {
  const service = await bench.service(dataset);
  const plan = planOf(service, dataset, creates(dataset));
  return (await load(plan, bench.seconds, connections)).perSecond;
};

export const durableCreate = target({
  number: 7,
  title: "Create a room, durable",
  async measure(bench) {
    const folder = bench.folder("durable");
    const disk = await freshData(folder);
    const { one, fsyncs } = await interleave(bench.rounds, {
      one: () => perSecond(bench, disk, 1),
      fsyncs: () => fsyncRate(join(folder, "fsync"), bench.seconds / 2),
    });
    const figures: Figure[] = [
      {
        what: "one client against the bare rate of write and fsync",
        database: "SQLite",
        unit: "ratio",
        rounds: ratios(one, fsyncs),
        goal: { atLeast: 0.6 },
      },
    ];
    const server = await bench.dataset("PostgreSQL", "small");
    const { alone, several } = await interleave(bench.rounds, {
      alone: () => perSecond(bench, server, 1),
      several: () => perSecond(bench, server, 16),
    });
    figures.push(
      {
        what: "one client",
        database: "PostgreSQL",
        unit: "a second",
        rounds: alone,
        goal: { atLeast: 300 },
      },
      {
        what: "16 clients",
        database: "PostgreSQL",
        unit: "a second",
        rounds: several,
        goal: { atLeast: 700 },
      },
      {
        what: "16 clients against one",
        database: "PostgreSQL",
        unit: "ratio",
        rounds: ratios(several, alone),
        goal: { atLeast: 1.8 },
      },
    );
    if (!existsSync(MEMORY)) return figures;
    const inMemory = mkdtempSync(join(MEMORY, "parley-bench-"));
    const remove = () => rmSync(inMemory, { recursive: true, force: true });
    process.once("exit", remove);
    const memory = await freshData(inMemory);
    const { full, off } = await interleave(bench.rounds, {
      full: () => perSecond(bench, disk, 32),
      off: () => perSecond(bench, memory, 32),
    });
    await bench.release(memory);
    remove();
    return [
      {
        what: "32 clients against the same where fsync costs nothing",
        database: "SQLite",
        unit: "ratio",
        rounds: ratios(full, off),
        goal: { atLeast: 0.5 },
        note: "a data folder in memory (/dev/shm) stands for synchronous=OFF",
      },
      ...figures,
    ];
  },
});
