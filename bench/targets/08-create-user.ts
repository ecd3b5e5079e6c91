import { fetches, newPeople, planOf } from "../asks.ts";
import { type Bench, databases } from "../bench.ts";
import { beside } from "../beside.ts";
import type { DatabaseName } from "../dataset.ts";
import { load } from "../load/load.ts";
import { interleave } from "../rounds.ts";
import { type Figure, target } from "../target.ts";

/** Enough that one password is always being hashed while others wait. */
const CLIENTS = 4;

const measureOn = async (bench: Bench, database: DatabaseName): Promise<Figure[]> => {
  const dataset = await bench.dataset(database, "small");
  const service = await bench.service(dataset);
  const rounds = await beside(bench, planOf(service, dataset, fetches(dataset)), (seconds) =>
    load(planOf(service, dataset, newPeople()), seconds, CLIENTS),
  );
  const { created } = await interleave(bench.rounds, {
    created: async () =>
      (await load(planOf(service, dataset, newPeople()), bench.seconds, CLIENTS)).perSecond,
  });
  return [
    {
      what: "fetches beside people being created, median against idle",
      database,
      unit: "ratio",
      rounds,
      goal: { atMost: 1.2 },
    },
    {
      what: "people created, each with a hashed password",
      database,
      unit: "a second",
      rounds: created,
      first: "People created, each with a hashed password",
    },
  ];
};

export const createUser = target({
  number: 8,
  title: "Create a person: what others feel of it",
  async measure(bench) {
    const figures: Figure[] = [];
    for (const database of databases) figures.push(...(await measureOn(bench, database)));
    return figures;
  },
});
