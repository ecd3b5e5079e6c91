import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/*
 * The first lines of a test file say where it runs and what it needs; a file without them runs on SQLite in every
 * run, on both databases in a complete one:
 *
 *     // Runs: sqlite, pictures, complete
 *     // Needs: browser, ffmpeg
 */

/** The words of the first line. */
export const runWords = {
  sqlite: "only on SQLite: it would pass and fail alike on any database, or is about SQLite",
  postgres:
    "only on PostgreSQL: it needs several processes on one database, or is about PostgreSQL",
  both: "on both databases in every run: what it shows depends on transactions, on queries, or on the form of the data",
  "postgres-first":
    "on PostgreSQL in a short run, on both in a complete one: several services share its database, or it waits for locks and leases",
  "sqlite-first":
    "on SQLite in a short run, on both in a complete one, as without a word, though some of its tests differ on PostgreSQL",
  complete: "in complete runs only (docs/decisions/0039-what-every-run-tests.md)",
  always: "with every change, also in `npm test -- --changed`: it reads sources as texts",
  alone: "in a process of its own: it fills, changes, or measures what a process shares",
  waits:
    "beside files that compute: it waits for clocks, leases, and deadlines, and computes little",
  pictures: "one at a time: it drives browsers whose pages play pictures, which fill a core",
  pages: "beside files with pictures: it drives browsers whose pages show no moving pictures",
  unsteady:
    "in complete runs and by its name, not where `CI` adds a fifth of a complete run: it fails on a busy machine now and then",
  first: "before others of its kind, because it takes long",
} as const;

/** The words of the second line: programs that the run installs, if it can, before the file runs. */
export const needWords = [
  "browser",
  "buildah",
  "ffmpeg",
  "haproxy",
  "libfaketime",
  "media-engine",
  "nginx",
  "pgbouncer",
  "redis",
  "rtmp",
  "speech",
  "store",
  "strace",
] as const;

type RunWord = keyof typeof runWords;
export type Need = (typeof needWords)[number];

/** The first lines of a test file. */
interface Head {
  readonly runs: ReadonlySet<RunWord>;
  readonly needs: ReadonlySet<Need>;
}

/** Words that exclude each other. */
const oneOf: readonly (readonly RunWord[])[] = [
  ["sqlite", "postgres", "both", "postgres-first", "sqlite-first"],
  ["waits", "pictures", "pages"],
];

const readWords = <T extends string>(file: string, line: string, known: readonly T[]): Set<T> => {
  const said = line.split(", ");
  const unknown = said.find((word) => !known.some((one) => one === word));
  if (unknown !== undefined) {
    throw new Error(`${file}: "${unknown}" is none of ${known.join(", ")} (test/README.md).`);
  }
  return new Set(said as T[]);
};

/**
 * Reads the first lines of a test file.
 *
 * @throws Error if they have a word that the runner does not know, or stand elsewhere
 */
export const headOf = (file: string, text: string): Head => {
  const [, runs = "", need = ""] =
    /^(?:\/\/ Runs: (.+)\n)?(?:\/\/ Needs: (.+)\n)?/.exec(text) ?? [];
  const said = (text.match(/^\/\/ *(?:runs|needs) *:/gim) ?? []).length;
  if (said > [runs, need].filter(Boolean).length) {
    throw new Error(`${file}: "// Runs: ..." is its first line, and "// Needs: ..." the next.`);
  }
  const head = {
    runs:
      runs === "" ? new Set<RunWord>() : readWords(file, runs, Object.keys(runWords) as RunWord[]),
    needs: need === "" ? new Set<Need>() : readWords(file, need, needWords),
  };
  for (const some of oneOf) {
    const both = some.filter((word) => head.runs.has(word));
    if (both.length > 1) throw new Error(`${file}: it runs either ${both.join(" or ")}.`);
  }
  return head;
};

const root = fileURLToPath(new URL("../..", import.meta.url));
const heads = new Map<string, Head>();

/** The first lines of a file, read once. */
const read = (file: string): Head => {
  const known = heads.get(file);
  if (known !== undefined) return known;
  const head = headOf(file, readFileSync(`${root}/${file}`, "utf8"));
  heads.set(file, head);
  return head;
};

/** Returns whether a test file, by its path from the root, says this about where it runs. */
export const runs = (file: string, place: RunWord): boolean => read(file).runs.has(place);

/** Returns whether one of these test files needs this. */
export const needed = (files: readonly string[], need: Need): boolean =>
  files.some((file) => read(file).needs.has(need));
