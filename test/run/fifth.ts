import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { runs } from "./head.ts";
import type { Run } from "./queues.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

const PARTS = 5;

/** Seconds after which no further process begins that runs files of the fifth: with what runs then, six minutes. */
export const FIFTH_SECONDS = 300;

/** How many of these files share a process, so that few run after the time. */
export const FIFTH_TOGETHER = 3;

/** A number from 0, and less than five, that follows from a text. */
const partOf = (text: string): number =>
  createHash("sha256").update(text).digest().readUInt32BE() % PARTS;

/** By these a file is shorter in a short run: its twins, other tests of complete runs, and counts of rounds. */
const SHORTER =
  /\btestTwin\(|\bimport \{[^}]*\b(?:complete|count|onlyComplete)\b[^}]*\} from "[./]+\/world\/seed\.ts"/;

/** Returns whether a short run leaves out some tests or rounds of a file with this text. */
export const isShorter = (text: string): boolean => SHORTER.test(text);

const hasMore = (file: string): boolean => isShorter(readFileSync(`${root}/${file}`, "utf8"));

const drivesBrowser = (file: string): boolean => runs(file, "pictures") || runs(file, "pages");

const keyOf = ({ database, file }: Run): string => `${database} ${file}`;

/**
 * A fifth of the tests that a short run leaves out: files on their second database, files of complete runs, twins,
 * and other tests and rounds of files that it shortens. Other sources have another fifth, so that nothing is unwatched for long.
 *
 * @param digest of all sources
 * @param short the runs of a short run
 * @param complete the runs of a complete run
 * @returns runs of files that run completely; `more` are not in a short run, `shortened` are
 */
export const fifthOf = (
  digest: string,
  short: readonly Run[],
  complete: readonly Run[],
): { readonly shortened: readonly Run[]; readonly more: readonly Run[] } => {
  const inShort = new Set(short.map(keyOf));
  const steady = complete.filter((run) => !runs(run.file, "unsteady"));
  const part = partOf(digest);
  /** Each fifth run: of those with browsers, which cost most, too. */
  const fifth = (some: readonly Run[]): readonly Run[] =>
    [true, false]
      .flatMap((drives) => some.filter(({ file }) => drivesBrowser(file) === drives))
      .filter((_, n) => n % PARTS === part);
  return {
    shortened: fifth(steady.filter((run) => inShort.has(keyOf(run)) && hasMore(run.file))),
    more: fifth(steady.filter((run) => !inShort.has(keyOf(run)))),
  };
};
