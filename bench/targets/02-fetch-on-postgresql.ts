import { fetches, planOf } from "../asks.ts";
import { constantOf, startConstants } from "../baseline/constants.ts";
import { load } from "../load/load.ts";
import { interleave } from "../rounds.ts";
import { ratios } from "../statistics.ts";
import { target } from "../target.ts";

export const fetchOnPostgresql = target({
  number: 2,
  title: "Fetch one room of 100,000, random IDs",
  async measure(bench) {
    const dataset = await bench.dataset("PostgreSQL", "medium");
    const service = await bench.service(dataset);
    const asks = fetches(dataset);
    const rows = dataset.roomIds.map((room) => ({ method: "GET" as const, path: `/row/${room}` }));
    const constant = await constantOf(service.url, dataset.tokens[0] ?? "", {
      path: asks[0]?.path ?? "",
      route: "/api/roomSetting/:id",
    });
    const { databaseUrl = "", organizationId } = dataset;
    const baseline = await startConstants({
      answers: [constant],
      row: { databaseUrl, organizationId },
    });
    const perSecond = async (at: { readonly url: string }, which = asks) =>
      (await load(planOf(at, dataset, which), bench.seconds)).perSecond;
    const { ours, constants, plain } = await interleave(bench.rounds, {
      ours: () => perSecond(service),
      constants: () => perSecond(baseline),
      plain: () => perSecond(baseline, rows),
    });
    await baseline.stop();
    return [
      {
        what: "throughput against Fastify answering a constant of the same size",
        database: "PostgreSQL",
        unit: "ratio",
        rounds: ratios(ours, constants),
        goal: { atLeast: 0.45 },
      },
      {
        what: "throughput against plain Fastify with one `select *` by pg",
        database: "PostgreSQL",
        unit: "ratio",
        rounds: ratios(ours, plain),
        goal: { atLeast: 3 },
      },
      {
        what: "fetches with 32 connections",
        database: "PostgreSQL",
        unit: "a second",
        rounds: ours,
        first: "Rooms fetched with 32 connections",
      },
    ];
  },
});
