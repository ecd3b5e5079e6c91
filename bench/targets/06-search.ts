import { sql } from "kysely";
import { openDatabase } from "../../server/db/open.ts";
import type { DatabaseConfig } from "../../server/db/place.ts";
import { fetches, page, planOf } from "../asks.ts";
import { startConstants } from "../baseline/constants.ts";
import { type Bench, databases } from "../bench.ts";
import { beside } from "../beside.ts";
import type { DatabaseName, Dataset } from "../dataset.ts";
import { load } from "../load/load.ts";
import type { Ask } from "../load/plan.ts";
import { timed } from "../load/timed.ts";
import { interleave } from "../rounds.ts";
import { median, ratios } from "../statistics.ts";
import { type Figure, target } from "../target.ts";

const terms: Readonly<Record<string, readonly string[]>> = {
  "rare term": ["weekly planning 123", "onboarding 77"],
  "common term": ["review", "σύσκεψη", "会議"],
  "one or two letters": ["e", "re", "会"],
  "absent term": ["xylophone", "nowhere 99"],
};
/** Each search reads all names, on both databases. */
const goals = { medium: 60, large: 500 } as const;

const measureOn = async (
  bench: Bench,
  database: DatabaseName,
  size: keyof typeof goals,
): Promise<Figure[]> => {
  const dataset = await bench.dataset(database, size);
  const service = await bench.service(dataset);
  const asks = Object.entries(terms).flatMap(([label, search]) =>
    search.map((term) => page({ search: term }, label)),
  );
  const plan = planOf(service, dataset, asks);
  const rounds: Record<string, number[]>[] = [];
  // Does not count: it reads the index for the first time.
  for (let round = -1; round < bench.rounds; round += 1) {
    const times = await timed(plan, { seconds: 60, count: asks.length * 3 });
    if (round >= 0) rounds.push(times);
  }
  const of = `of ${dataset.rooms.toLocaleString("en")}`;
  const figures = Object.keys(terms).map((label): Figure => {
    const values = rounds.map((times) => median(times[label] ?? []));
    const goal = { atMost: goals[size] };
    return { what: `${label}, ${of}`, database, unit: "ms", rounds: values, goal };
  });
  const besides = await beside(bench, planOf(service, dataset, fetches(dataset)), (seconds) =>
    timed(plan, { seconds }),
  );
  return [
    ...figures,
    {
      what: `fetches beside searches ${of} without a pause, median against idle`,
      database,
      unit: "ratio",
      rounds: besides,
      goal: { atMost: 1.5 },
    },
  ];
};

/** Of all lengths, frequent and rare, in lower case. */
const twenty = [
  "e",
  "a",
  "1",
  "会",
  "re",
  "in",
  "99",
  "会議",
  "ing",
  "plan",
  "team",
  "sync",
  "review",
  "meeting",
  "weekly",
  "xylophone",
  "nowhere 99",
  "weekly planning",
  "onboarding 77",
  "weekly planning 123",
];

/** The same names as a program of one table would have them, with an index of trigrams. */
const makePlainTable = async (config: DatabaseConfig): Promise<void> => {
  const database = await openDatabase(config);
  try {
    await database.schema.alone(async (db) => {
      for (const statement of [
        sql`create extension if not exists pg_trgm`,
        sql`drop table if exists plain_rooms`,
        sql`create table plain_rooms as
          select id, name_key collate "C" as name, record from rooms where deleted_at is null`,
        sql`create index on plain_rooms (name, id)`,
        sql`create index on plain_rooms using gin (name gin_trgm_ops)`,
        sql`analyze plain_rooms`,
      ]) {
        await statement.execute(db);
      }
    });
  } finally {
    await database.close();
  }
};

/** Without it, the next run would have a table more in its data set. */
const dropPlainTable = async (config: DatabaseConfig): Promise<void> => {
  const database = await openDatabase(config);
  try {
    await database.schema.alone((db) => sql`drop table if exists plain_rooms`.execute(db));
  } finally {
    await database.close();
  }
};

/** Searches a second against plain Fastify and pg on one table with a trigram index. */
const againstTrigrams = async (bench: Bench): Promise<Figure[]> => {
  const plain = await bench.dataset("PostgreSQL", "medium");
  await makePlainTable(plain);
  const baseline = await startConstants({
    answers: [],
    search: { databaseUrl: plain.databaseUrl ?? "" },
  });
  const ask = (term: string) => ({
    method: "GET" as const,
    path: `/search?term=${encodeURIComponent(term)}`,
  });
  const perSecond = async (at: { readonly url: string }, dataset: Dataset, asks: readonly Ask[]) =>
    (await load(planOf(at, dataset, asks), bench.seconds)).perSecond;
  const figures: Figure[] = [];
  for (const database of databases) {
    const dataset = await bench.dataset(database, "medium");
    const service = await bench.service(dataset);
    const { ours, theirs } = await interleave(bench.rounds, {
      ours: () =>
        perSecond(
          service,
          dataset,
          twenty.map((term) => page({ search: term })),
        ),
      theirs: () => perSecond(baseline, plain, twenty.map(ask)),
    });
    const what = "20 terms of all lengths against plain Fastify and pg with an index of trigrams";
    figures.push({
      what,
      database,
      unit: "ratio",
      rounds: ratios(ours, theirs),
      goal: { atLeast: 2 },
    });
  }
  await baseline.stop();
  await dropPlainTable(plain);
  return figures;
};

export const search = target({
  number: 6,
  title: "Search among 100,000 and 1,000,000 rooms: page and exact total",
  async measure(bench) {
    const figures: Figure[] = [];
    for (const database of databases) {
      figures.push(...(await measureOn(bench, database, "medium")));
      figures.push(...(await measureOn(bench, database, "large")));
    }
    figures.push(...(await againstTrigrams(bench)));
    return figures;
  },
});
