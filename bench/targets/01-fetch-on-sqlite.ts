import { fetches, planOf } from "../asks.ts";
import { constantOf, startConstants } from "../baseline/constants.ts";
import type { Bench } from "../bench.ts";
import type { Size } from "../dataset.ts";
import { load } from "../load/load.ts";
import { interleave } from "../rounds.ts";
import { ratios } from "../statistics.ts";
import { target } from "../target.ts";

/** Fetches a second of the service and of Fastify's constant, round by round. */
export const fetchesBesideConstants = async (bench: Bench, size: Size) => {
  const dataset = await bench.dataset("SQLite", size);
  const service = await bench.service(dataset);
  const asks = fetches(dataset);
  const constant = await constantOf(service.url, dataset.tokens[0] ?? "", {
    path: asks[0]?.path ?? "",
    route: "/api/roomSetting/:id",
  });
  const baseline = await startConstants({ answers: [constant] });
  const perSecond = async (at: { readonly url: string }) =>
    (await load(planOf(at, dataset, asks), bench.seconds)).perSecond;
  try {
    return await interleave(bench.rounds, {
      ours: () => perSecond(service),
      constants: () => perSecond(baseline),
    });
  } finally {
    await baseline.stop();
  }
};

export const fetchOnSqlite = target({
  number: 1,
  title: "Fetch one room of 100,000, random IDs",
  async measure(bench) {
    const { ours, constants } = await fetchesBesideConstants(bench, "medium");
    return [
      {
        what: "throughput against Fastify answering a constant of the same size",
        database: "SQLite",
        unit: "ratio",
        rounds: ratios(ours, constants),
        goal: { atLeast: 0.7 },
      },
      {
        what: "fetches with 32 connections",
        database: "SQLite",
        unit: "a second",
        rounds: ours,
        first: "Rooms fetched with 32 connections",
      },
    ];
  },
});
