// `npm test`: type check, lint, then every test file, on SQLite and on PostgreSQL.
import { globSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { changedFiles, choose } from "./run/changed.ts";
import { installEngine } from "./run/engine.ts";
import { FIFTH_SECONDS, FIFTH_TOGETHER, fifthOf } from "./run/fifth.ts";
import { endAll, makeFolder, removeFolder, runCheck, runFiles } from "./run/file.ts";
import { needed } from "./run/head.ts";
import { memoryFolder } from "./run/memory.ts";
import { forgetful, startPostgres } from "./run/postgres.ts";
import { processorSeconds } from "./run/processor.ts";
import { compileProgram, digestOf } from "./run/program.ts";
import { installPrograms } from "./run/programs.ts";
import { type Database, type Group, places, queuesFor, type Run, runsOf } from "./run/queues.ts";
import { addCost, addReport, addUnsteady, closeReport, hasFailed, heading } from "./run/report.ts";
import { installStore } from "./run/store.ts";

const usage = `npm test                  type check, lint, and tests; those that depend on the database on SQLite and on
                          PostgreSQL
npm test -- --complete    every test on both databases, and the twins (npm run test:complete)
npm test -- --soak        the same, with the large counts of races and faults (npm run test:soak)
npm test -- --changed     what can be reached by what differs from main, or from --since COMMIT
npm test -- NAME ...      only the test files whose path contains a NAME, completely; no checks
npm test -- --sqlite      only on SQLite
npm test -- --postgres    only on PostgreSQL
npm run check             only type check and lint`;

const titles = { sqlite: "SQLite    ", postgres: "PostgreSQL" } as const;

async function runChecks(): Promise<void> {
  heading("Checks");
  const tsc = "node_modules/typescript/bin/tsc";
  const projects = globSync("**/tsconfig.json", { exclude: ["**/node_modules", "**/dist"] });
  for (const project of projects.sort()) {
    // One checker checks everything once; several share no types, and cost twice as much.
    const known = `.cache/${project.replaceAll(/[\\/]/g, "_")}.tsbuildinfo`;
    const kept = ["--incremental", "--tsBuildInfoFile", known];
    const args = [tsc, "--noEmit", ...kept, "--checkers", "1", "-p", project];
    addReport(`type check (${project})`, await runCheck(args, { GOGC: "400" }), "npm run check");
  }
  const biome = "node_modules/@biomejs/biome/bin/biome";
  const strict = ["--error-on-warnings", "--diagnostic-level=warn"];
  addReport("lint", await runCheck([biome, "check", ...strict]), "npm run check");
}

/** One database for the tests: the variables by which they find it, and how it ends. */
interface Started {
  readonly environment: NodeJS.ProcessEnv;
  stop(): Promise<void>;
}

/** A server for all tests on PostgreSQL. */
async function startPostgresForTests(): Promise<Started> {
  const server = await startPostgres(forgetful);
  const template = await made(({ migratedOnPostgres }) => migratedOnPostgres(server.url));
  const environment = { TEST_DATABASE_URL: server.url, TEST_DATABASE_TEMPLATE: template };
  return { environment, stop: server.stop };
}

/** A folder with a file to copy for the tests on SQLite. */
async function prepareSqlite(): Promise<Started> {
  const folder = await makeFolder("template");
  const template = await made(({ migratedOnSqlite }) => migratedOnSqlite(folder));
  return {
    environment: { TEST_SQLITE_TEMPLATE: template },
    stop: () => removeFolder(folder),
  };
}

/** A database with all tables, or undefined: services then migrate by themselves, and tests show what is wrong. */
const made = async (
  make: (templates: typeof import("./run/migrated-template.ts")) => Promise<string>,
): Promise<string | undefined> => {
  try {
    return await make(await import("./run/migrated-template.ts"));
  } catch {
    return undefined;
  }
};

/** How tests find the program that their processes should run. */
const compiledProgram = async (): Promise<NodeJS.ProcessEnv> => {
  try {
    return { TEST_PROGRAM: await compileProgram() };
  } catch {
    // Processes then run the sources, and the tests show what is wrong with them.
    return {};
  }
};

/** Files that run together, and how. */
interface Phase {
  readonly title: string;
  readonly runs: readonly Run[];
  /** With the twins. */
  readonly complete?: boolean;
  /** Every file may fail once beside others. */
  readonly mayRunAgain?: boolean;
  /** How many files share a process at most. */
  readonly together?: number;
  /** After so many seconds nothing else begins. */
  readonly seconds?: number;
}

/** The command that runs a file again. */
const commandOf = (database: Database, file = ""): string =>
  `npm test -- --${database} ${file.replace(/^test\//, "").replace(/\.ts$/, "")}`;

async function runPhase(phase: Phase, environmentOf: Record<Database, NodeJS.ProcessEnv>) {
  const queues = queuesFor(phase.runs, phase.together);
  const again: Group[] = [];
  const run = async ({ database, files: group }: Group, mayRunAgain: boolean) => {
    const env = { ...environmentOf[database], PARLEY_COMPLETE: phase.complete ? "1" : "" };
    const reports = await runFiles(group, { TEST_DATABASE: database, ...env });
    for (const [n, report] of reports.entries()) {
      const title = `${titles[database]}  ${group[n]}`;
      const command = commandOf(database, group[n]);
      if (mayRunAgain && hasFailed(report)) {
        addUnsteady(title, report, command);
        again.push({ database, files: group.slice(n, n + 1) });
      } else addReport(title, report, command);
    }
  };
  // Browsers need a dedicated processor: some machines have none to spare.
  const withBrowsers = new Set([...queues.pictures, ...queues.pages]);
  const begun = performance.now();
  const isLate = (): boolean =>
    phase.seconds !== undefined && performance.now() - begun > phase.seconds * 1_000;
  const runIn = async (lanes: (typeof places)[number]): Promise<void> => {
    while (!isLate()) {
      const group = lanes
        .map((lane) => queues[lane])
        .find(({ length }) => length > 0)
        ?.shift();
      if (group === undefined) return;
      await run(group, phase.mayRunAgain || withBrowsers.has(group));
    }
  };
  heading(phase.title);
  await Promise.all(places.map(runIn));
  for (const group of again) await run(group, false);
  const late = Object.values(queues).flat();
  if (late.length > 0) {
    const count = late.reduce((sum, group) => sum + group.files.length, 0);
    console.log(`Not begun within ${phase.seconds} s: ${count} files.`);
  }
}

async function runTests(phases: readonly Phase[]): Promise<void> {
  const memory = memoryFolder();
  if (memory !== undefined) process.env.TMPDIR = memory;
  const used = new Set(phases.flatMap(({ runs }) => runs.map(({ database }) => database)));
  const sqlite = used.has("sqlite") ? await prepareSqlite() : undefined;
  const postgres = used.has("postgres") ? await startPostgresForTests() : undefined;
  const program = await compiledProgram();
  const environmentOf = {
    sqlite: { ...program, ...sqlite?.environment },
    postgres: { ...program, ...postgres?.environment },
  };
  try {
    for (const phase of phases) {
      if (phase.runs.length > 0) await runPhase(phase, environmentOf);
    }
  } finally {
    const before = processorSeconds();
    await postgres?.stop();
    if (postgres) addCost("the PostgreSQL of these files", processorSeconds() - before);
    await sqlite?.stop();
  }
}

/** All that is asked for on the command line. */
function phasesFor(): readonly Phase[] {
  const every = { databases, files };
  if (options.changed) {
    const { changed, reached, why } = choose(changedFiles(options.since), files);
    heading("What the change can reach:");
    for (const line of why) console.log(`    ${line}`);
    const own = runsOf({ ...every, files: changed, complete: true });
    const others = runsOf({ ...every, files: reached, complete });
    return [
      { title: "Tests that have changed", runs: own, complete: true },
      { title: "Tests that the change can reach", runs: others, complete },
    ];
  }
  const runs = runsOf({ ...every, complete });
  if (complete || !process.env.CI) return [{ title: "Tests", runs, complete }];
  const digest = digestOf(["{contract,server,console,test}/**/*.{ts,tsx}", "package-lock.json"]);
  const { shortened, more } = fifthOf(digest, runs, runsOf({ ...every, complete: true }));
  return [
    { title: "Tests", runs: runs.filter((one) => !shortened.includes(one)) },
    { title: "A fifth of the files that this run would shorten", runs: shortened, complete: true },
    {
      title: "A fifth of what this run would leave out",
      runs: more,
      complete: true,
      mayRunAgain: true,
      together: FIFTH_TOGETHER,
      seconds: FIFTH_SECONDS,
    },
  ];
}

/** The phases, unless a test file has a word that the runner does not know, or there is nothing to compare with. */
function planned(): readonly Phase[] {
  try {
    return phasesFor();
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error));
  }
}

function readArguments() {
  try {
    const flag = { type: "boolean" } as const;
    const read = parseArgs({
      allowPositionals: true,
      options: {
        help: flag,
        sqlite: flag,
        postgres: flag,
        complete: flag,
        soak: flag,
        check: flag,
        changed: flag,
        since: { type: "string" },
      },
    });
    if (read.values.help) {
      console.log(usage);
      process.exit(0);
    }
    return read;
  } catch (error) {
    return fail(`${error instanceof Error ? error.message : error}\n\n${usage}`);
  }
}

/** The tests that a run leaves out, in words; undefined if it is complete. */
const leftOut = (phases: readonly Phase[]): string | undefined => {
  if (phases.every((phase) => phase.complete)) return undefined;
  const ran = phases.flatMap(({ runs }) => runs);
  const seen = new Set(ran.map(({ file }) => file));
  const all = runsOf({ databases, files, complete: true });
  const never = files.filter((file) => !seen.has(file)).length;
  const once = all.filter(({ file }) => seen.has(file)).length - ran.length;
  return `Left out: twins and some other tests and rounds, ${never} files, and the second database of ${once}. npm run test:complete runs these too.`;
};

/** How fast a fetch is, for the eye only; that it could not be measured fails nothing. */
const fetchLine = async (): Promise<string> => {
  const { outcomes } = await runCheck(["bench/fetch-line.ts"]);
  return outcomes[0]?.detail.trimEnd().split("\n").at(-1) ?? "";
};

/** Ctrl-C, a canceled job, or the end of the shell that npm put in between: nothing is left behind. */
function endWhenAsked(): void {
  const end = () => {
    endAll();
    fail("Interrupted.");
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, end);
  const parent = process.ppid;
  setInterval(() => process.ppid === parent || end(), 500).unref();
}

function fail(text: string): never {
  console.error(text);
  process.exit(1);
}

const { values: options, positionals: words } = readArguments();
process.chdir(fileURLToPath(new URL("..", import.meta.url)));
if (options.soak) process.env.PARLEY_SOAK = "1";
const databases: readonly Database[] = [
  ...(options.sqlite || !options.postgres ? (["sqlite"] as const) : []),
  ...(options.postgres || !options.sqlite ? (["postgres"] as const) : []),
];
const complete = options.complete || options.soak || words.length > 0;
endWhenAsked();

const files = globSync("test/**/*.test.ts")
  .map((file) => file.replaceAll("\\", "/"))
  .filter((file) => words.length === 0 || words.some((name) => file.includes(name)))
  .sort();
if (files.length === 0) fail(`No test file has ${words.join(" or ")} in its path.`);

const phases = options.check ? [] : planned();
if (words.length === 0) await runChecks();
if (!options.check) {
  const chosen = [...new Set(phases.flatMap(({ runs }) => runs.map(({ file }) => file)))];
  installPrograms(chosen);
  if (needed(chosen, "media-engine")) installEngine();
  if (needed(chosen, "store")) installStore();
  // Once, because several services that start at the same time would each do it.
  const built = await runCheck(["console/build.ts"]);
  if (words.length === 0) addReport("console build", built, "npm run build");
  await runTests(phases);
}
const isWhole = words.length === 0 && !options.check && !options.changed;
const showsFetch = isWhole && (complete || Boolean(process.env.CI));
const remarks = [leftOut(phases), showsFetch ? await fetchLine() : undefined].filter(Boolean);
process.exitCode = closeReport(remarks.length > 0 ? remarks.join("\n") : undefined) ? 0 : 1;
