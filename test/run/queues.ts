import { availableParallelism } from "node:os";
import { runs } from "./head.ts";

export type Database = "sqlite" | "postgres";

/** The lanes in which files wait for their turn; those that say none of the others compute. */
const lanes = ["pictures", "pages", "waits", "computing"] as const;
type Lane = (typeof lanes)[number];

/**
 * The places of a run, in each of which a process runs, as many as measured fastest: it takes its files from the first
 * of these lanes that has any. Browsers that play pictures compute all the time, also while their tests wait for a
 * core: one core is left to them, and to files that mostly wait.
 */
export const places: readonly (readonly Lane[])[] = [
  ["pictures", "pages", "computing", "waits"],
  ...Array<readonly Lane[]>(Math.max(1, availableParallelism() - 1)).fill([
    "computing",
    "pages",
    "waits",
  ]),
  ...Array<readonly Lane[]>(3).fill(["waits", "computing", "pages"]),
];

/**
 * How many files share a process, because loading the service costs a second. Fewer for files that take long, so that
 * their places end at about the same time.
 */
const AT_MOST: Readonly<Record<Lane, number>> = {
  pictures: 10,
  pages: 4,
  waits: 10,
  computing: 40,
};

const laneOf = (file: string): Lane =>
  lanes.find((lane) => lane !== "computing" && runs(file, lane)) ?? "computing";

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

/** The scope of a run. */
export interface Plan {
  readonly databases: readonly Database[];
  readonly files: readonly string[];
  /** Each file on both databases, unless it runs on one only. */
  readonly complete: boolean;
}

/** A file on a database. */
export interface Run {
  readonly database: Database;
  readonly file: string;
}

const isRun = ({ database, file }: Run, { databases, complete }: Plan): boolean => {
  if (!complete && runs(file, "complete")) return false;
  if (runs(file, "sqlite") || runs(file, "postgres")) return runs(file, database);
  // Unit tests know no database.
  if (file.startsWith("test/unit/")) return database === "sqlite";
  if (complete || databases.length === 1 || runs(file, "both")) return true;
  return database === (runs(file, "postgres-first") ? "postgres" : "sqlite");
};

/** Everything that a plan runs. */
export const runsOf = (plan: Plan): readonly Run[] =>
  plan.databases.flatMap((database) =>
    plan.files.map((file) => ({ database, file })).filter((run) => isRun(run, plan)),
  );

const firstOnes = (file: string): number => (runs(file, "first") ? 0 : 1);

/**
 * The groups of all databases, in the order in which they begin.
 *
 * @param together how many files share a process at most
 */
export const queuesFor = (
  all: readonly Run[],
  together = Number.POSITIVE_INFINITY,
): Readonly<Record<Lane, Group[]>> => {
  const queueOf = (lane: Lane): Group[] => {
    const groups = (["sqlite", "postgres"] as const).flatMap((database) => {
      const mine = all
        .filter((run) => run.database === database && laneOf(run.file) === lane)
        .map(({ file }) => file)
        .sort((one, other) => firstOnes(one) - firstOnes(other));
      const apart = mine.filter((file) => runs(file, "alone"));
      const shared = mine.filter((file) => !runs(file, "alone"));
      return [
        ...apart.map((file) => [file]),
        ...inGroups(shared, Math.min(AT_MOST[lane], together)),
      ].map((files): Group => ({ database, files }));
    });
    return groups.sort(
      ({ files: [one = ""] }, { files: [other = ""] }) => firstOnes(one) - firstOnes(other),
    );
  };
  return {
    pictures: queueOf("pictures"),
    pages: queueOf("pages"),
    waits: queueOf("waits"),
    computing: queueOf("computing"),
  };
};
