import { anyOf, creates, fetches, LIMIT, many, orders, page, planOf } from "../asks.ts";
import { type Bench, databases } from "../bench.ts";
import type { DatabaseName, Dataset } from "../dataset.ts";
import type { Ask } from "../load/plan.ts";
import { timed } from "../load/timed.ts";
import { interleave } from "../rounds.ts";
import { median, ratios } from "../statistics.ts";
import { type Figure, target } from "../target.ts";

interface Kind {
  readonly what: string;
  readonly atMost: number;
  readonly asks: (dataset: Dataset) => Ask[];
}

const kinds: readonly Kind[] = [
  { what: "fetch", atMost: 1.2, asks: fetches },
  {
    what: "page 1 of any order",
    atMost: 1.3,
    asks: () =>
      orders.map((order) =>
        page({ page: 1, limit: LIMIT, ...order }, Object.values(order).join(" ")),
      ),
  },
  { what: "create", atMost: 1.2, asks: creates },
  {
    what: "owner filter",
    atMost: 1.5,
    asks: ({ ownerIds }) => many(() => page({ userFilter: anyOf(ownerIds) })),
  },
];

/** If a plan mixes several kinds of requests, the note names the kind that grows most. */
const worstOf = (small: Record<string, number[]>[], large: Record<string, number[]>[]) => {
  const labels = Object.keys(large[0] ?? {});
  const grown = labels.map((label) => {
    const medians = (rounds: typeof small) => rounds.map((times) => median(times[label] ?? []));
    return { label, rounds: ratios(medians(large), medians(small)) };
  });
  grown.sort((one, two) => median(two.rounds) - median(one.rounds));
  return grown[0] ?? { label: "", rounds: [] };
};

const measureOn = async (bench: Bench, database: DatabaseName): Promise<Figure[]> => {
  const small = await bench.dataset(database, "small");
  const large = await bench.dataset(database, "large");
  const figures: Figure[] = [];
  for (const { what, atMost, asks } of kinds) {
    const taking = (dataset: Dataset) => async () =>
      timed(planOf(await bench.service(dataset), dataset, asks(dataset)), {
        seconds: bench.seconds / 2,
      });
    const times = await interleave(bench.rounds, { small: taking(small), large: taking(large) });
    const { label, rounds } = worstOf(times.small, times.large);
    figures.push({
      what,
      database,
      rounds,
      unit: "ratio",
      goal: { atMost },
      ...(label !== "all" && { note: `the order that grows most: ${label}` }),
    });
  }
  return figures;
};

export const growth = target({
  number: 4,
  title: "Growth from 1,000 to 1,000,000 rooms: median time of one request after the other",
  async measure(bench) {
    const figures: Figure[] = [];
    for (const database of databases) figures.push(...(await measureOn(bench, database)));
    return figures;
  },
});
