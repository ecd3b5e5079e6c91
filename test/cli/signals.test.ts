// Runs: sqlite, complete

import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { devNull } from "node:os";
import { type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import { emptyPlace } from "../world/empty-database.ts";
import { freePort } from "../world/free-port.ts";
import { until } from "../world/process.ts";
import { environmentOf } from "./run.ts";

/*
 * People do not start the service itself: their Node, or npm, stands before it. Signals are for
 * the process that they started.
 */

const file = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));

const starters = {
  "node pinned-node.js parley.js start": [
    process.execPath,
    file("pinned-node.js"),
    file("parley.js"),
    "start",
  ],
  "npm start": ["npm", "start", "--silent"],
} as const;

const answers = (url: string): Promise<boolean> =>
  fetch(`${url}/healthz`).then(
    () => true,
    () => false,
  );

/** Starts a service, and waits until it answers. */
const startBy = async (t: TestContext, command: readonly string[]) => {
  const port = String(await freePort());
  const [program = "", ...given] = command;
  const child = spawn(program, given, {
    env: {
      ...environmentOf(await emptyPlace(t)),
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      PARLEY_ENV_FILE: devNull,
      PORT: port,
    },
    cwd: file("."),
    stdio: "ignore",
  });
  const url = `http://127.0.0.1:${port}`;
  await until("the service answers", () => answers(url));
  return { child, url };
};

const endsBy = async (child: ChildProcess, signal: NodeJS.Signals) => {
  const ended = once(child, "exit");
  child.kill(signal);
  const [code] = await ended;
  return code;
};

for (const [name, command] of Object.entries(starters)) {
  test(`the death of "${name}" ends the service`, async (t) => {
    const { child, url } = await startBy(t, command);
    await endsBy(child, "SIGKILL");
    await until("the service is gone", async () => !(await answers(url)));
  });

  test(`SIGTERM to "${name}" ends the service`, async (t) => {
    const { child, url } = await startBy(t, command);
    await endsBy(child, "SIGTERM");
    await until("the service is gone", async () => !(await answers(url)));
  });
}

for (const signal of ["SIGINT", "SIGHUP", "SIGQUIT"] as const) {
  test(`${signal} to the process that was started ends the service in order`, async (t) => {
    const { child, url } = await startBy(t, starters["node pinned-node.js parley.js start"]);
    assert.equal(await endsBy(child, signal), 0);
    assert.equal(await answers(url), false, "it ends with the service, not before it");
  });
}
