// `npm test`: type check, lint, then every test file, on SQLite and on PostgreSQL.
import { globSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { installEngine } from "./run/engine.ts";
import { endAll, makeFolder, removeFolder, runCheck, runFiles } from "./run/file.ts";
import { needed } from "./run/head.ts";
import { memoryFolder } from "./run/memory.ts";
import { forgetful, startPostgres } from "./run/postgres.ts";
import { compileProgram } from "./run/program.ts";
import { installPrograms } from "./run/programs.ts";
import { type Database, type Group, places, queuesFor, runsOf } from "./run/queues.ts";
import { addReport, addUnsteady, closeReport, hasFailed, heading } from "./run/report.ts";
import { installStore } from "./run/store.ts";

const usage = `npm test                  type check, lint, and tests; those that depend on the database on SQLite and on
                          PostgreSQL
npm test -- --complete    every test on both databases, and the twins (npm run test:complete)
npm test -- --soak        the same, with the large counts of races and faults (npm run test:soak)
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
    const args = [tsc, "--noEmit", "--checkers", "1", "-p", project];
    addReport(`type check (${project})`, await runCheck(args, { GOGC: "400" }));
  }
  const biome = "node_modules/@biomejs/biome/bin/biome";
  const strict = ["--error-on-warnings", "--diagnostic-level=warn"];
  addReport("lint", await runCheck([biome, "check", ...strict]));
}

/** What the tests on one database need: the variables by which they find it, and how it ends. */
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

async function runTests(): Promise<void> {
  const memory = memoryFolder();
  if (memory !== undefined) process.env.TMPDIR = memory;
  const runs = runsOf({ databases, files, complete });
  const queues = queuesFor(runs);
  const used = new Set(runs.map(({ database }) => database));
  const sqlite = used.has("sqlite") ? await prepareSqlite() : undefined;
  const postgres = used.has("postgres") ? await startPostgresForTests() : undefined;
  const started = { sqlite, postgres };
  const program = await compiledProgram();
  const again: Group[] = [];
  const run = async ({ database, files: group }: Group, mayRunAgain: boolean) => {
    const found = started[database]?.environment;
    const reports = await runFiles(group, { TEST_DATABASE: database, ...program, ...found });
    for (const [n, report] of reports.entries()) {
      const title = `${titles[database]}  ${group[n]}`;
      if (mayRunAgain && hasFailed(report)) {
        addUnsteady(title, report);
        again.push({ database, files: group.slice(n, n + 1) });
      } else addReport(title, report);
    }
  };
  // Browsers need a dedicated processor: some machines have none to spare.
  const withBrowsers = new Set([...queues.pictures, ...queues.pages]);
  const runIn = async (lanes: (typeof places)[number]): Promise<void> => {
    for (;;) {
      const group = lanes
        .map((lane) => queues[lane])
        .find(({ length }) => length > 0)
        ?.shift();
      if (group === undefined) return;
      await run(group, withBrowsers.has(group));
    }
  };
  heading("Tests");
  try {
    await Promise.all(places.map(runIn));
    for (const group of again) await run(group, false);
  } finally {
    await postgres?.stop();
    await sqlite?.stop();
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

/** What a short run has not run. */
const leftOut = (): string => {
  const [all, some] = [true, false].map((everything) =>
    runsOf({ databases, files, complete: everything }).map(({ file }) => file),
  ) as [string[], string[]];
  const ran = new Set(some);
  const never = new Set(all.filter((file) => !ran.has(file)));
  const once = all.length - some.length - never.size;
  return `Left out: the twins, ${never.size} files, and the second database of ${once}. npm run test:complete runs everything.`;
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
if (complete) process.env.PARLEY_COMPLETE = "1";
endWhenAsked();

const files = globSync("test/**/*.test.ts")
  .map((file) => file.replaceAll("\\", "/"))
  .filter((file) => words.length === 0 || words.some((name) => file.includes(name)))
  .sort();
if (files.length === 0) fail(`No test file has ${words.join(" or ")} in its path.`);

if (words.length === 0) await runChecks();
if (!options.check) {
  installPrograms(files);
  if (needed(files, "media-engine")) installEngine();
  if (needed(files, "store")) installStore();
  // Once, because several services that start at the same time would each do it.
  const built = await runCheck(["console/build.ts"]);
  if (words.length === 0) addReport("console build", built);
  await runTests();
}
process.exitCode = closeReport(complete || options.check ? undefined : leftOut()) ? 0 : 1;
