// `npm test`: type check, lint, then every test file, on SQLite and on PostgreSQL.
import { globSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { installEngine } from "./run/engine.ts";
import { endAll, runCheck, runFiles } from "./run/file.ts";
import { groupsFor, type onOneDatabase } from "./run/files.ts";
import { forgetful, startPostgres } from "./run/postgres.ts";
import { memoryFolder } from "./run/postgres-binaries.ts";
import { installPrograms } from "./run/programs.ts";
import { addReport, closeReport, heading } from "./run/report.ts";
import { installStore } from "./run/store.ts";

const usage = `npm test                  type check, lint, all tests on SQLite and on PostgreSQL
npm test -- NAME ...      only the test files whose path contains a NAME; no checks
npm test -- --sqlite      only on SQLite
npm test -- --postgres    only on PostgreSQL
npm test -- --soak        with the large counts of races and faults (npm run test:soak)
npm run check             only type check and lint`;

// One more than there are cores here: tests wait for clocks and disks as much as they compute.
const processesAtOnce = availableParallelism() + 1;

async function runChecks(): Promise<void> {
  heading("Checks");
  const tsc = "node_modules/typescript/bin/tsc";
  const projects = globSync("**/tsconfig.json", { exclude: ["**/node_modules", "**/dist"] });
  for (const project of projects.sort()) {
    addReport(`type check (${project})`, await runCheck([tsc, "--noEmit", "-p", project]));
  }
  const biome = "node_modules/@biomejs/biome/bin/biome";
  const strict = ["--error-on-warnings", "--diagnostic-level=warn"];
  addReport("lint", await runCheck([biome, "check", ...strict]));
}

async function runOnPostgres(): Promise<void> {
  if (groupsFor("postgres", files).length === 0) return;
  const server = await startPostgres(forgetful, memoryFolder());
  try {
    await runTests("PostgreSQL", "postgres", {
      TEST_DATABASE_URL: server.url,
      TEST_DATABASE_TEMPLATE: await migratedTemplate(server.url),
    });
  } finally {
    await server.stop();
  }
}

const migratedTemplate = async (server: string): Promise<string | undefined> => {
  try {
    const { createMigratedTemplate } = await import("./run/migrated-template.ts");
    return await createMigratedTemplate(server);
  } catch {
    // Services then migrate by themselves, and the tests show what is wrong with that.
    return undefined;
  }
};

async function runTests(
  title: string,
  database: keyof typeof onOneDatabase,
  env: NodeJS.ProcessEnv = {},
): Promise<void> {
  const waiting = groupsFor(database, files);
  if (waiting.length === 0) return;
  heading(title);
  const inTurn = async () => {
    for (let group = waiting.shift(); group !== undefined; group = waiting.shift()) {
      const reports = await runFiles(group, { TEST_DATABASE: database, ...env });
      for (const [n, report] of reports.entries()) addReport(group[n] ?? "", report);
    }
  };
  await Promise.all(Array.from({ length: processesAtOnce }, inTurn));
}

function readArguments() {
  try {
    const flag = { type: "boolean" } as const;
    const read = parseArgs({
      allowPositionals: true,
      options: { help: flag, sqlite: flag, postgres: flag, soak: flag, check: flag },
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

/** Ctrl-C, a stop of the job, or the end of the shell that npm put between: nothing is left behind. */
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

const { values: options, positionals: names } = readArguments();
process.chdir(fileURLToPath(new URL("..", import.meta.url)));
if (options.soak) process.env.PARLEY_SOAK = "1";
endWhenAsked();

const files = globSync("test/**/*.test.ts")
  .map((file) => file.replaceAll("\\", "/"))
  .filter((file) => names.length === 0 || names.some((name) => file.includes(name)))
  .sort();
if (files.length === 0) fail(`No test file has ${names.join(" or ")} in its path.`);

if (names.length === 0) await runChecks();
if (!options.check) {
  installPrograms(files);
  installEngine(files);
  installStore(files);
  // Once, before several services that start at the same time would each do it.
  const built = await runCheck(["console/build.ts"]);
  if (names.length === 0) addReport("console build", built);
  if (options.sqlite || !options.postgres) await runTests("SQLite", "sqlite");
  if (options.postgres || !options.sqlite) await runOnPostgres();
}
process.exitCode = closeReport() ? 0 : 1;
