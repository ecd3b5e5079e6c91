import { availableParallelism } from "node:os";
import {
  alone,
  type Database,
  drawing,
  inCompleteRuns,
  longest,
  onBothDatabases,
  onOneDatabase,
  onPostgresInShortRuns,
  paging,
  waiting,
} from "./files.ts";

/** The lanes in which files wait for their turn, and which of them begin first. */
const lanes = { drawing, paging, waiting, computing: longest } as const;
type Lane = keyof typeof lanes;

/**
 * The places of a run, in each of which a process runs, as many as measured fastest: it takes its files from the first
 * of these lanes that has any. Browsers that play pictures compute all the time, also while their tests wait for a
 * core: one core is left to them, and to files that mostly wait.
 */
export const places: readonly (readonly Lane[])[] = [
  ["drawing", "paging", "computing", "waiting"],
  ...Array<readonly Lane[]>(Math.max(1, availableParallelism() - 1)).fill([
    "computing",
    "paging",
    "waiting",
  ]),
  ...Array<readonly Lane[]>(2).fill(["waiting", "computing", "paging"]),
];

/**
 * How many files share a process: if it breaks, all of them are lost. Fewer for files that wait long, so that
 * their places end at about the same time.
 */
const AT_MOST: Readonly<Record<Lane, number>> = {
  drawing: 10,
  paging: 10,
  waiting: 5,
  computing: 16,
};

/** The index of the beginning that a file has; the number of beginnings if it has none. */
const placeIn = (beginnings: readonly string[], file: string): number => {
  const at = beginnings.findIndex((beginning) => file.startsWith(beginning));
  return at < 0 ? beginnings.length : at;
};

/** Whether a file is in one of these lists. */
export const startsWithOne = (file: string, beginnings: readonly string[]): boolean =>
  placeIn(beginnings, file) < beginnings.length;

const laneOf = (file: string): Lane => {
  if (startsWithOne(file, drawing)) return "drawing";
  if (startsWithOne(file, paging)) return "paging";
  return startsWithOne(file, waiting) ? "waiting" : "computing";
};

/** Divides files into as few groups as possible, of about the same size. */
const inGroups = (files: readonly string[], atMost: number): string[][] => {
  const size = Math.ceil(files.length / Math.ceil(files.length / atMost));
  return Array.from({ length: Math.ceil(files.length / size) }, (_, n) =>
    files.slice(n * size, (n + 1) * size),
  );
};

/** Files that run in one process, on one database. */
export interface Group {
  readonly database: Database;
  readonly files: readonly string[];
}

/** What a run is asked for. */
export interface Plan {
  readonly databases: readonly Database[];
  readonly files: readonly string[];
  /** Each file on both databases, unless it runs on one only. */
  readonly complete: boolean;
}

/** Whether a file runs on one of the databases of a plan. */
const runsOn = (file: string, database: Database, { databases, complete }: Plan): boolean => {
  const other = database === "sqlite" ? "postgres" : "sqlite";
  if (!complete && startsWithOne(file, inCompleteRuns)) return false;
  if (startsWithOne(file, onOneDatabase[other])) return false;
  if (startsWithOne(file, onOneDatabase[database])) return true;
  if (complete || databases.length === 1 || startsWithOne(file, onBothDatabases)) return true;
  return database === (startsWithOne(file, onPostgresInShortRuns) ? "postgres" : "sqlite");
};

/** The groups of all databases, in the order in which they begin. */
export const queuesFor = (plan: Plan): Readonly<Record<Lane, Group[]>> => {
  const queueOf = (lane: Lane): Group[] => {
    const groups = plan.databases.flatMap((database) => {
      const mine = plan.files
        .filter((file) => laneOf(file) === lane && runsOn(file, database, plan))
        .sort((one, other) => placeIn(lanes[lane], one) - placeIn(lanes[lane], other));
      const apart = mine.filter((file) => startsWithOne(file, alone));
      const shared = mine.filter((file) => !startsWithOne(file, alone));
      return [...apart.map((file) => [file]), ...inGroups(shared, AT_MOST[lane])].map(
        (group): Group => ({ database, files: group }),
      );
    });
    return groups.sort(
      ({ files: [one = ""] }, { files: [other = ""] }) =>
        placeIn(lanes[lane], one) - placeIn(lanes[lane], other),
    );
  };
  return {
    drawing: queueOf("drawing"),
    paging: queueOf("paging"),
    waiting: queueOf("waiting"),
    computing: queueOf("computing"),
  };
};
