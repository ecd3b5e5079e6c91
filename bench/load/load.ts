import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Plan } from "./plan.ts";
import { runOwn, runProcess } from "./run-process.ts";

/** The outcome of a load. */
export interface Met {
  readonly perSecond: number;
  readonly medianMs: number;
  readonly requests: number;
  readonly failures: number;
}

export const CONNECTIONS = 32;

const findWrk = (): boolean => {
  try {
    execFileSync("wrk", ["--version"], { stdio: "ignore" });
    return true;
  } catch (error) {
    // It prints its version with exit code 1.
    return (error as NodeJS.ErrnoException).code !== "ENOENT";
  }
};
const hasWrk = findWrk();

/** The load generator of this machine: wrk takes far less of the other core than autocannon. */
export const generator = hasWrk ? "wrk" : "autocannon";

const withWrk = async (plan: Plan, connections: number, seconds: number): Promise<Met> => {
  const folder = mkdtempSync(join(tmpdir(), "parley-load-"));
  try {
    const { asks, tokens, url } = plan;
    const lines = asks.map(({ method, path, body }, at) =>
      [method, path, tokens[at % tokens.length], body ?? ""].join("\t"),
    );
    writeFileSync(join(folder, "plan"), `${lines.join("\n")}\n`);
    const script = new URL("wrk.lua", import.meta.url).pathname;
    const how = [`-t1`, `-c${connections}`, `-d${Math.max(1, Math.round(seconds))}s`, "-s", script];
    const said = await runProcess("wrk", [...how, url, "--", join(folder, "plan")]);
    return JSON.parse(said.slice(said.indexOf('{"perSecond"')));
  } finally {
    rmSync(folder, { recursive: true });
  }
};

/**
 * Sends as many requests as the service can answer, from a separate process.
 *
 * @throws Error if more than a few requests failed, because their speed would mean nothing
 */
export const load = async (
  plan: Plan,
  seconds: number,
  connections = CONNECTIONS,
): Promise<Met> => {
  const met = hasWrk
    ? await withWrk(plan, connections, seconds)
    : await runOwn<Met>("autocannon-process.ts", { plan, connections, seconds });
  if (met.failures > met.requests / 100 || met.requests === 0) {
    throw new Error(`${met.failures} of ${met.requests} requests to ${plan.url} failed.`);
  }
  return met;
};
