import { fetches, page, planOf } from "../asks.ts";
import { type Bench, databases } from "../bench.ts";
import { beside } from "../beside.ts";
import type { DatabaseName } from "../dataset.ts";
import type { Ask } from "../load/plan.ts";
import { timed } from "../load/timed.ts";
import { ownMemoryOf, watchMemory } from "../memory.ts";
import { type Figure, target } from "../target.ts";

const lists: Readonly<Record<string, Ask>> = {
  "all people": { method: "POST", path: "/api/user/fetchOrgUsers", body: "{}" },
  "rooms with limit=100000": page({ limit: 100_000 }),
};

const measureOn = async (bench: Bench, database: DatabaseName): Promise<Figure[]> => {
  const dataset = await bench.dataset(database, "medium");
  await bench.release(dataset);
  const figures: Figure[] = [];
  for (const [what, ask] of Object.entries(lists)) {
    // A new process for each list: memory that one list left would hide that of the other.
    const service = await bench.start(dataset);
    const others = planOf(service, dataset, fetches(dataset));
    await timed(others, { seconds: 1 });
    const before = ownMemoryOf(service.pid);
    const grown: number[] = [];
    const besides = await beside(bench, others, async (seconds) => {
      const peak = watchMemory(service.pid);
      await timed(planOf(service, dataset, [ask]), { seconds });
      grown.push(peak() - before);
    });
    await service.stop();
    figures.push(
      {
        what: `${what}: memory grows by`,
        database,
        unit: "MB",
        rounds: grown.slice(1),
        goal: { atMost: 64 },
      },
      {
        what: `${what}: fetches beside it, median against idle`,
        database,
        unit: "ratio",
        rounds: besides,
        goal: { atMost: 1.5 },
      },
    );
  }
  return figures;
};

export const wholeLists = target({
  number: 10,
  title: "Lists without pages: 100,000 people, 100,000 rooms",
  async measure(bench) {
    const figures: Figure[] = [];
    for (const database of databases) figures.push(...(await measureOn(bench, database)));
    return figures;
  },
});
