// `npm run bench`: measures every target of bench/figures.md and prints one table.
import { parseArgs } from "node:util";
import { generator } from "./load/load.ts";
import { describeMachine } from "./machine.ts";
import { openBench } from "./open-bench.ts";
import { asText } from "./report.ts";
import type { Measured, Run } from "./results.ts";
import { say } from "./say.ts";
import { targets } from "./targets/index.ts";
import { writeDocs } from "./write-docs.ts";

const usage = `npm run bench                  every target, in an hour on two cores
npm run bench -- --only 1,4    only these targets
npm run bench -- --quick       small data and short rounds: whether it works, not how fast
npm run bench -- --json        the run as JSON
npm run bench -- --write       what was measured into the tables of bench/figures.md`;

const fail = (text: string): never => {
  process.stderr.write(`${text}\n`);
  process.exit(1);
};

const readArguments = () => {
  const flag = { type: "boolean", default: false } as const;
  try {
    const { values } = parseArgs({
      options: { help: flag, quick: flag, json: flag, write: flag, only: { type: "string" } },
    });
    return values;
  } catch (error) {
    return fail(`${error instanceof Error ? error.message : error}\n\n${usage}`);
  }
};

const { help, quick, json, write, only } = readArguments();
if (help) {
  process.stdout.write(`${usage}\n`);
  process.exit(0);
}
const numbers = only?.split(",").map(Number);
const chosen = targets.filter(({ number }) => numbers?.includes(number) ?? true);
if (chosen.length === 0) fail(`No target has the number ${only}.\n\n${usage}`);
if (write && quick) fail("A quick run's figures mean nothing, so they are not written.");

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.once(signal, () => fail("\nInterrupted."));
}

const from = performance.now();
const bench = openBench(quick);
const measured: Measured[] = [];
try {
  for (const { number, section, title, measure } of chosen) {
    say(`Measuring ${number}: ${title}`);
    const began = performance.now();
    const figures = await measure(bench);
    measured.push({ number, section, title, figures });
    say(`Measured ${number} in ${Math.round((performance.now() - began) / 1000)} s.`);
  }
  const run: Run = {
    at: new Date().toISOString(),
    quick,
    generator,
    measured,
    minutes: Math.round((performance.now() - from) / 6000) / 10,
    machine: describeMachine(await bench.postgresVersion()),
  };
  process.stdout.write(`${json ? JSON.stringify(run, null, 2) : asText(run)}\n`);
  if (write) writeDocs(run);
} finally {
  await bench.close();
}
