import { anyOf, LIMIT, many, planOf } from "../asks.ts";
import { type Bench, databases } from "../bench.ts";
import type { DatabaseName, Dataset } from "../dataset.ts";
import type { Ask } from "../load/plan.ts";
import { timedMedian } from "../load/timed.ts";
import { interleave } from "../rounds.ts";
import { ratios } from "../statistics.ts";
import { type Figure, target } from "../target.ts";

const ROLES = ["agent", "teacher", "student", "support", "sales", "guest"];

/** A random page of people of one role, by name or age. */
const pages = ({ users }: Dataset): Ask[] => {
  const last = Math.max(1, Math.floor(users / ROLES.length / LIMIT) - 1);
  return many(() => ({
    method: "POST",
    path: "/api/user/fetchOrgUsersWithPagination",
    body: JSON.stringify({
      page: 1 + Math.floor(Math.random() * last),
      limit: LIMIT,
      role: anyOf(ROLES),
      sortBy: anyOf(["name", "createdAt"]),
      sortOrder: anyOf(["ASC", "DESC"]),
      search: "",
    }),
  }));
};

const measureOn = async (bench: Bench, database: DatabaseName): Promise<Figure> => {
  const small = await bench.dataset(database, "small");
  const medium = await bench.dataset(database, "medium");
  const taking = (dataset: Dataset) => async () =>
    timedMedian(planOf(await bench.service(dataset), dataset, pages(dataset)), {
      seconds: bench.seconds,
    });
  const times = await interleave(bench.rounds, { small: taking(small), medium: taking(medium) });
  return {
    what: "a random page of 25, with rooms and roomIds, against 1,000 people",
    database,
    unit: "ratio",
    rounds: ratios(times.medium, times.small),
    goal: { atMost: 3 },
  };
};

export const userLists = target({
  number: 9,
  title: "Lists of 100,000 people, some of whom own 10,000 rooms",
  async measure(bench) {
    const figures: Figure[] = [];
    for (const database of databases) figures.push(await measureOn(bench, database));
    return figures;
  },
});
