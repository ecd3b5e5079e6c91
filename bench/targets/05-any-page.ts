import { anyPage, creates, LIMIT, orders, page, pagesOf, planOf } from "../asks.ts";
import { type Bench, databases } from "../bench.ts";
import type { Dataset } from "../dataset.ts";
import type { Ask } from "../load/plan.ts";
import { timed } from "../load/timed.ts";
import { median, quantile } from "../statistics.ts";
import { type DatabaseName, type Figure, target } from "../target.ts";

const goals = { SQLite: 30, PostgreSQL: 150 } as const;
/** Random pages of each order in one round. */
const EACH = 8;

/** Random pages of every order, and the last one of each. */
const pages = (dataset: Dataset): Ask[] =>
  orders.flatMap((order) =>
    [pagesOf(dataset), ...Array.from({ length: EACH }, () => anyPage(dataset))].map((number) =>
      page({ page: number, limit: LIMIT, ...order }, Object.values(order).join(" ")),
    ),
  );

/** Before each request a room is created: what is remembered of the lists has to move with it. */
const afterChanges = (dataset: Dataset): Ask[] => {
  const changes = creates(dataset);
  return pages(dataset).flatMap((ask, at) => [{ ...(changes[at] as Ask), label: CHANGE }, ask]);
};
const CHANGE = "change";

interface Taken {
  readonly medians: number[];
  readonly most: number[];
  readonly slowest: string;
}

const take = async (
  bench: Bench,
  dataset: Dataset,
  asksOf: (dataset: Dataset) => Ask[],
): Promise<Taken> => {
  const service = await bench.service(dataset);
  const medians: number[] = [];
  const most: number[] = [];
  let slowest = { label: "", ms: 0 };
  for (let round = 0; round < bench.rounds; round += 1) {
    const asks = asksOf(dataset);
    const times = await timed(planOf(service, dataset, asks), { seconds: 60, count: asks.length });
    const kinds = Object.entries(times).filter(([label]) => label !== CHANGE);
    const all = kinds.flatMap(([, list]) => list);
    medians.push(median(all));
    most.push(quantile(all, 0.95));
    for (const [label, list] of kinds) {
      const ms = Math.max(...list);
      if (ms > slowest.ms) slowest = { label, ms };
    }
  }
  return {
    medians,
    most,
    slowest: `slowest of all: ${slowest.ms.toFixed(1)} ms, by ${slowest.label}`,
  };
};

const measureOn = async (bench: Bench, database: DatabaseName): Promise<Figure[]> => {
  const dataset = await bench.dataset(database, "large");
  const goal = { atMost: goals[database] };
  const quiet = await take(bench, dataset, pages);
  const changed = await take(bench, dataset, afterChanges);
  return [
    {
      what: "a random page of any order, median",
      ...{ database, unit: "ms", rounds: quiet.medians },
      first: "A random page of a million rooms, median",
    },
    {
      what: "19 of 20 such pages take at most",
      ...{ database, unit: "ms", rounds: quiet.most, goal, note: quiet.slowest },
    },
    {
      what: "the same right after a room was created, median",
      ...{ database, unit: "ms", rounds: changed.medians },
    },
    {
      what: "19 of 20 of them take at most",
      ...{ database, unit: "ms", rounds: changed.most, goal, note: changed.slowest },
    },
  ];
};

export const anyPageOfAMillion = target({
  number: 5,
  title: "Any page of 1,000,000 rooms in any order",
  async measure(bench) {
    const figures: Figure[] = [];
    for (const database of databases) figures.push(...(await measureOn(bench, database)));
    return figures;
  },
});
