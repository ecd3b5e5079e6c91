import { spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { processorSeconds } from "./processor.ts";
import type { Outcome, Used } from "./reporter.ts";

/** The result of a test file, or of a check. */
export interface FileReport {
  readonly outcomes: Outcome[];
  readonly seconds: number;
  /** Processor time; undefined if the file did not live long enough to report it. */
  readonly processor: number | undefined;
  /** Processor time of what files of one process share, with the last of them: browsers. */
  readonly shared?: number;
  /** Its diagnostics and its output. */
  readonly output: string;
}

/**
 * Seconds in which no test begins or ends: one of them waits forever, even on a busy machine. The longest test takes a
 * minute on an idle one.
 */
const silentAtMost = (): number => (process.env.PARLEY_SOAK === "1" ? 7_200 : 600);

/** Where parley.js also keeps code that Node compiled: most of what a short file costs is compiling. */
const compiled = fileURLToPath(new URL("../../.cache/compiled", import.meta.url));

const running = new Set<number>();
const folders = new Set<string>();

/** Makes a temporary folder that goes with this run, however the run ends. */
export const makeFolder = async (name: string): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), `parley-${name}-`));
  folders.add(folder);
  return folder;
};

export const removeFolder = async (folder: string): Promise<void> => {
  await rm(folder, { recursive: true, force: true, maxRetries: 10 });
  folders.delete(folder);
};

/** Ends every running test file and all its processes, and removes what they wrote. */
export const endAll = (): void => {
  for (const pid of running) endGroup(pid);
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
};

/**
 * Runs test files in a separate process, one after the other. If it breaks, the files after the one that broke it run
 * in another.
 *
 * @param env environment variables in addition to ours.
 * @param silent seconds after which a process ends in which no test begins or ends
 * @returns a report for each file, in their order.
 */
export const runFiles = async (
  files: readonly string[],
  env: NodeJS.ProcessEnv,
  silent = silentAtMost(),
): Promise<FileReport[]> => {
  const folder = await makeFolder("test");
  const [results, used] = [join(folder, "results"), join(folder, "used")];
  const reporter = new URL("./reporter.ts", import.meta.url).href;
  const group = fileURLToPath(new URL("./group.ts", import.meta.url));
  const ended = await runProgram(
    [
      // A test and its service create many short-lived objects: room for them saves half of the garbage
      // collections.
      "--min-semi-space-size=16",
      `--test-reporter=${reporter}`,
      `--test-reporter-destination=${results}`,
      group,
      ...files,
    ],
    // Everything that the tests create goes with this folder, even what a killed test left behind.
    { ...env, TMPDIR: folder, NODE_COMPILE_CACHE: compiled, TEST_USED: used },
    silent,
    results,
  );
  const lines = await readFile(results, "utf8").catch(() => "");
  const inAll = Number(await readFile(used, "utf8").catch(() => "0"));
  await removeFolder(folder);
  // A process that was killed may have written a part of its last line.
  const told = lines
    .slice(0, lines.lastIndexOf("\n") + 1)
    .split("\n")
    .filter((line) => line !== "")
    .map((line): Outcome => JSON.parse(line));
  const hasBegun = (file: string): boolean => told.some(({ names }) => names[0] === file);
  const mine = files.filter((file, n) => n === 0 || hasBegun(file));
  let before: Used = { seconds: 0, processor: 0 };
  const how = `${ended.how} ${whereIn(told)}`;
  const reports = mine.map((file) => {
    const ofFile = told.filter(({ names }) => names[0] === file);
    const until = ofFile.find(({ result }) => result === "end")?.used;
    const report = reportOf(ofFile, { ...ended, how }, before, until);
    before = until ?? before;
    const shared = file === mine.at(-1) ? inAll - before.processor : 0;
    return { ...report, shared: Math.max(shared, 0) };
  });
  const strays = told.filter(
    ({ names: [name = ""], result }) => result === "end" && !files.includes(name),
  );
  reports.at(-1)?.outcomes.push(...strays.map(stray));
  const failed = reports.some(({ outcomes }) => outcomes.some(({ result }) => result === "failed"));
  if (!ended.well && !failed) reports.at(-1)?.outcomes.push(wholeFile(how));
  const others = files.slice(mine.length);
  return others.length === 0 ? reports : [...reports, ...(await runFiles(others, env, silent))];
};

/** Where a process was that ended early, as a sentence. */
const whereIn = (told: readonly Outcome[]): string => {
  const last = told.findLast(({ result }) => result === "begun")?.names;
  if (last === undefined) return "No file is known to have begun.";
  const hasEnded = told.some(
    ({ names, result }) =>
      !["begun", "remark"].includes(result) && names.join("\0") === last.join("\0"),
  );
  return `${hasEnded ? "After" : "In"} ${last.toReversed().join(", in ")}.`;
};

/** A test that belongs to no file: see async-hook.ts. */
const stray = ({ names }: Outcome): Outcome => ({
  names,
  result: "failed",
  detail: "It was registered after its file: the functions of suites must not be asynchronous.",
});

const wholeFile = (detail: string): Outcome => ({
  names: ["(the whole file)"],
  result: "failed",
  detail,
});

/** The seed with which a test failed: it said so (world/seed.ts), or its property did. */
const seedOf = ({ names, detail }: Outcome, remarks: readonly Outcome[]): string | undefined => {
  const said = remarks.filter((remark) => remark.names.join("\0") === names.join("\0"));
  const texts = [...said.map((remark) => remark.detail), detail];
  return texts
    .map((text) => /PARLEY_SEED=(\d+)|\bseed: (-?\d+)/.exec(text))
    .flatMap((found) => found?.[1] ?? found?.[2] ?? [])[0];
};

/** The result of a file between two moments of its process; it never ended if `until` is missing. */
const reportOf = (
  told: readonly Outcome[],
  ended: Ended,
  before: Used,
  until: Used | undefined,
): FileReport => {
  const remarks = told.filter(({ result }) => result === "remark");
  const outcomes = told
    .filter(({ result }) => result === "passed" || result === "failed" || result === "skipped")
    .map((outcome): Outcome => {
      const seed = outcome.result === "failed" ? seedOf(outcome, remarks) : undefined;
      return { ...outcome, names: outcome.names.slice(1), ...(seed !== undefined && { seed }) };
    });
  if (until === undefined) outcomes.push(wholeFile(ended.how));
  else if (outcomes.length === 0) outcomes.push(wholeFile("It holds no test."));
  return {
    outcomes,
    seconds: (until?.seconds ?? ended.seconds) - before.seconds,
    processor: until && until.processor - before.processor,
    output: [...remarks.map(({ detail }) => detail), ended.output].join("\n"),
  };
};

/** A check that takes longer never ends. */
const CHECK_SECONDS = 1_200;

/** Runs one of the checks: it passes if the program exits with 0. */
export const runCheck = async (
  args: string[],
  env: NodeJS.ProcessEnv = {},
): Promise<FileReport> => {
  const before = processorSeconds();
  const { well, output, seconds } = await runProgram(args, env, CHECK_SECONDS);
  return {
    outcomes: [{ names: [], result: well ? "passed" : "failed", detail: output }],
    seconds,
    // Checks run one at a time.
    processor: processorSeconds() - before,
    output: "",
  };
};

interface Ended {
  readonly well: boolean;
  readonly how: string;
  readonly output: string;
  readonly seconds: number;
}

/** The size of a file; 0 if there is none yet. */
const sizeOf = (path: string): Promise<number> =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  );

/**
 * Runs a program, and ends it after a time in which its results did not grow.
 *
 * @param silent that time in seconds, in which this process runs too
 * @param results a file; without one the time begins with the program
 */
const runProgram = (
  args: string[],
  env: NodeJS.ProcessEnv,
  silent: number,
  results?: string,
): Promise<Ended> => {
  const begun = performance.now();
  const { promise, resolve, reject } = Promise.withResolvers<Ended>();
  // Detached makes it the leader of a process group: what it started ends with it.
  const child = spawn(process.execPath, args, {
    env: { ...process.env, NO_COLOR: "1", ...env },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  child.once("error", reject);
  const pid = child.pid ?? 0;
  running.add(pid);
  let tooLong = false;
  let [size, quiet] = [0, 0];
  const watch = setInterval(async () => {
    const now = results === undefined ? 0 : await sizeOf(results);
    quiet = now === size ? quiet + 1 : 0;
    size = now;
    if (quiet < silent || tooLong) return;
    tooLong = true;
    endGroup(pid);
  }, 1_000);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  }
  child.once("exit", (code, signal) => {
    clearInterval(watch);
    running.delete(pid);
    endGroup(pid);
    const how = tooLong
      ? `It did nothing for ${silent} s: something is open, or waits.`
      : `It ended with ${signal ?? `exit code ${code}`}.`;
    // Not "close": a process that it left behind may hold the pipes open.
    setImmediate(() =>
      resolve({ well: code === 0, how, output, seconds: (performance.now() - begun) / 1_000 }),
    );
  });
  return promise;
};

const endGroup = (leader: number): void => {
  try {
    process.kill(-leader, "SIGKILL");
  } catch {
    // No process of the group is left.
  }
};
