import { fetches, page, planOf } from "../asks.ts";
import { type Bench, databases } from "../bench.ts";
import { beside } from "../beside.ts";
import { timed } from "../load/timed.ts";
import { median } from "../statistics.ts";
import { type DatabaseName, type Figure, target } from "../target.ts";

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

export const search = target({
  number: 6,
  title: "Search among 100,000 and 1,000,000 rooms: page and exact total",
  async measure(bench) {
    const figures: Figure[] = [];
    for (const database of databases) {
      figures.push(...(await measureOn(bench, database, "medium")));
      figures.push(...(await measureOn(bench, database, "large")));
    }
    return figures;
  },
});
