import { setTimeout as sleep } from "node:timers/promises";
import { fetches, planOf } from "../asks.ts";
import { timed } from "../load/timed.ts";
import { memoryOf } from "../memory.ts";
import { target } from "../target.ts";

/** After its start the service frees the memory that only the start needed. */
const REST_MS = 1500;

export const start = target({
  number: 11,
  title: "Start with 1,000,000 rooms in the file",
  async measure(bench) {
    const dataset = await bench.dataset("SQLite", "large");
    await bench.release(dataset);
    const seconds: number[] = [];
    const idle: number[] = [];
    const used: number[] = [];
    for (let round = -1; round < bench.rounds; round += 1) {
      const from = performance.now();
      const service = await bench.start(dataset);
      const took = (performance.now() - from) / 1000;
      await sleep(REST_MS);
      const memory = memoryOf(service.pid);
      await timed(planOf(service, dataset, fetches(dataset)), { seconds: 0.5 });
      if (round >= 0) {
        seconds.push(took);
        idle.push(memory);
        used.push(memoryOf(service.pid));
      }
      await service.stop();
    }
    return [
      {
        what: "from the command to the first answer of /readyz",
        database: "SQLite",
        unit: "s",
        rounds: seconds,
        goal: { atMost: 3 },
        first: "From the command to ready, with a million rooms",
      },
      {
        what: "memory when idle",
        database: "SQLite",
        unit: "MB",
        rounds: idle,
        goal: { atMost: 150 },
        first: "Memory of an idle service",
      },
      {
        what: "memory after half a second of fetches",
        database: "SQLite",
        unit: "MB",
        rounds: used,
      },
    ];
  },
});
