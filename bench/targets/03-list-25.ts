import { anyPage, LIMIT, many, page, planOf } from "../asks.ts";
import { constantOf, startConstants } from "../baseline/constants.ts";
import { type Bench, databases } from "../bench.ts";
import type { DatabaseName } from "../dataset.ts";
import { load } from "../load/load.ts";
import { interleave } from "../rounds.ts";
import { ratios } from "../statistics.ts";
import { type Figure, target } from "../target.ts";

const goals = { SQLite: 0.3, PostgreSQL: 0.2 } as const;

/** Pages near the start of the list. */
const NEAR = 20;

const measureOn = async (bench: Bench, database: DatabaseName): Promise<Figure[]> => {
  const dataset = await bench.dataset(database, "medium");
  const service = await bench.service(dataset);
  const asks = many((at) => page({ page: 1 + (at % NEAR), limit: LIMIT }));
  const anywhere = many(() => page({ page: anyPage(dataset), limit: LIMIT }));
  const constant = await constantOf(service.url, dataset.tokens[0] ?? "", {
    path: asks[0]?.path ?? "",
    route: "/api/roomSetting/paginated",
  });
  const baseline = await startConstants({ answers: [constant] });
  const perSecond = async (at: { readonly url: string }, plan = asks) =>
    (await load(planOf(at, dataset, plan), bench.seconds)).perSecond;
  const { ours, far, constants } = await interleave(bench.rounds, {
    ours: () => perSecond(service),
    far: () => perSecond(service, anywhere),
    constants: () => perSecond(baseline),
  });
  await baseline.stop();
  return [
    {
      what: "one of the first pages: throughput against Fastify answering a constant of 25 records",
      database,
      unit: "ratio",
      rounds: ratios(ours, constants),
      goal: { atLeast: goals[database] },
    },
    { what: "any page", database, unit: "ratio", rounds: ratios(far, constants) },
  ];
};

export const list25 = target({
  number: 3,
  title: "List 25 of 100,000 rooms with their exact total",
  async measure(bench) {
    const figures: Figure[] = [];
    for (const database of databases) figures.push(...(await measureOn(bench, database)));
    return figures;
  },
});
