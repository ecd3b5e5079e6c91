import { anyPage, LIMIT, orders, page, pagesOf, planOf } from "../asks.ts";
import { type Bench, databases } from "../bench.ts";
import type { DatabaseName, Dataset } from "../dataset.ts";
import type { Ask } from "../load/plan.ts";
import { timed } from "../load/timed.ts";
import { median, quantile } from "../statistics.ts";
import { type Figure, target } from "../target.ts";

/** The time limit for 95% of pages. */
const goals = {
  medium: { SQLite: 15, PostgreSQL: 30 },
  large: { SQLite: 100, PostgreSQL: 150 },
} as const;
/** The number of random pages of each order in one round. */
const EACH = 8;

/** Random pages of every order, and each order's last page. */
const pages = (dataset: Dataset): Ask[] =>
  orders.flatMap((order) =>
    [pagesOf(dataset), ...Array.from({ length: EACH }, () => anyPage(dataset))].map((number) =>
      page({ page: number, limit: LIMIT, ...order }, Object.values(order).join(" ")),
    ),
  );

const measureOn = async (
  bench: Bench,
  database: DatabaseName,
  size: keyof typeof goals,
): Promise<Figure[]> => {
  const dataset = await bench.dataset(database, size);
  const service = await bench.service(dataset);
  const medians: number[] = [];
  const most: number[] = [];
  let slowest = { label: "", ms: 0 };
  for (let round = 0; round < bench.rounds; round += 1) {
    const asks = pages(dataset);
    const times = await timed(planOf(service, dataset, asks), { seconds: 60, count: asks.length });
    const all = Object.values(times).flat();
    medians.push(median(all));
    most.push(quantile(all, 0.95));
    for (const [label, list] of Object.entries(times)) {
      const ms = Math.max(...list);
      if (ms > slowest.ms) slowest = { label, ms };
    }
  }
  const of = `of ${dataset.rooms.toLocaleString("en")}`;
  return [
    {
      what: `a random page ${of}, median`,
      database,
      unit: "ms",
      rounds: medians,
      ...(size === "large" && { first: "A random page of a million rooms, median" }),
    },
    {
      what: `19 of 20 such pages ${of} take at most`,
      database,
      unit: "ms",
      rounds: most,
      goal: { atMost: goals[size][database] },
      note: `slowest of all: ${slowest.ms.toFixed(1)} ms, by ${slowest.label}`,
    },
  ];
};

export const anyPageInAnyOrder = target({
  number: 5,
  title: "Any page of 100,000 and of 1,000,000 rooms in any order",
  async measure(bench) {
    const figures: Figure[] = [];
    for (const database of databases) {
      figures.push(...(await measureOn(bench, database, "medium")));
      figures.push(...(await measureOn(bench, database, "large")));
    }
    return figures;
  },
});
