import { fetches, page, planOf } from "../asks.ts";
import { type Bench, databases } from "../bench.ts";
import { beside } from "../beside.ts";
import { timed } from "../load/timed.ts";
import { median } from "../statistics.ts";
import { type DatabaseName, type Figure, target } from "../target.ts";

/** What is searched, and how long it may take on SQLite; twice that on PostgreSQL. */
const terms: Readonly<Record<string, { readonly search: readonly string[]; readonly ms: number }>> =
  {
    "rare term": { search: ["weekly planning 123", "onboarding 77"], ms: 2 },
    "common term": { search: ["review", "σύσκεψη", "会議"], ms: 60 },
    "one or two letters": { search: ["e", "re", "会"], ms: 100 },
    "absent term": { search: ["xylophone", "nowhere 99"], ms: 100 },
  };

const WARM_UP = 2;

const measureOn = async (bench: Bench, database: DatabaseName): Promise<Figure[]> => {
  const dataset = await bench.dataset(database, "large");
  const service = await bench.service(dataset);
  const asks = Object.entries(terms).flatMap(([label, { search }]) =>
    search.map((term) => page({ search: term }, label)),
  );
  const plan = planOf(service, dataset, asks);
  const rounds: Record<string, number[]>[] = [];
  // In the first rounds the names come into memory, and what searches them is compiled.
  for (let round = -WARM_UP; round < bench.rounds; round += 1) {
    const times = await timed(plan, { seconds: 60, count: asks.length * 3 });
    if (round >= 0) rounds.push(times);
  }
  const figures = Object.entries(terms).map(([label, { ms }]): Figure => {
    const values = rounds.map((times) => median(times[label] ?? []));
    const atMost = database === "SQLite" ? ms : ms * 2;
    return { what: label, database, unit: "ms", rounds: values, goal: { atMost } };
  });
  const besides = await beside(bench, planOf(service, dataset, fetches(dataset)), (seconds) =>
    timed(plan, { seconds }),
  );
  return [
    ...figures,
    {
      what: "fetches beside searches without a pause, median against idle",
      ...{ database, unit: "ratio", rounds: besides, goal: { atMost: 1.5 } },
    },
  ];
};

export const search = target({
  number: 6,
  title: "Search among 1,000,000 rooms: page and exact total",
  async measure(bench) {
    const figures: Figure[] = [];
    for (const database of databases) figures.push(...(await measureOn(bench, database)));
    return figures;
  },
});
