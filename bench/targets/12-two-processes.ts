import { fetches, planOf } from "../asks.ts";
import { CONNECTIONS, load } from "../load/load.ts";
import { interleave } from "../rounds.ts";
import { ratios } from "../statistics.ts";
import { target } from "../target.ts";

export const twoProcesses = target({
  number: 12,
  title: "Two processes on one PostgreSQL against one",
  async measure(bench) {
    const dataset = await bench.dataset("PostgreSQL", "medium");
    const first = await bench.service(dataset);
    const second = await bench.start(dataset);
    const asks = fetches(dataset);
    const perSecond = async (at: { readonly url: string }, connections: number) =>
      (await load(planOf(at, dataset, asks), bench.seconds, connections)).perSecond;
    const { one, two } = await interleave(bench.rounds, {
      one: () => perSecond(first, CONNECTIONS),
      async two() {
        const both = [first, second].map((service) => perSecond(service, CONNECTIONS / 2));
        return (await Promise.all(both)).reduce((sum, value) => sum + value, 0);
      },
    });
    await second.stop();
    return [
      {
        what: "throughput of fetches, 32 connections in all",
        database: "PostgreSQL",
        unit: "ratio",
        rounds: ratios(two, one),
        goal: { atLeast: 1.6 },
        note: "services, PostgreSQL and the load share the cores",
      },
    ];
  },
});
