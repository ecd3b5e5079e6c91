import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { devNull } from "node:os";
import type { TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { type CommandOutcome, outcomeOf } from "../../server/cli/main.ts";
import type { DatabaseConfig } from "../../server/db/place.ts";
import { door } from "../world/process.ts";

export type Environment = Readonly<Record<string, string>>;

/** A command's output, and how it ended. */
export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** A running command. */
export interface Begun {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  out(): string;
  err(): string;
}

/** The environment of a command at this place. */
export const environmentOf = ({ databaseUrl, dataDir }: DatabaseConfig): Environment => ({
  DATA_DIR: dataDir,
  PORT: "0",
  DRAIN_SECONDS: "0",
  MEDIA_UDP: "0",
  MEDIA_TCP: "0",
  ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl, PARLEY_SECRET: "ab".repeat(32) }),
});

/** Starts `parley ...` as people do, with this environment and nothing else. */
export const begin = (env: Environment, args: readonly string[], input = ""): Begun => {
  const child = spawn(process.execPath, [door(), ...args], {
    // Ignores this machine's settings.
    env: { PATH: process.env.PATH, PARLEY_ENV_FILE: devNull, ...env },
    // Some tests do not have a data folder yet.
    cwd: fileURLToPath(new URL(".", import.meta.url)),
    stdio: ["pipe", "pipe", "pipe"],
  });
  let [out, err] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    out += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    err += text;
  });
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  const ended = once(child, "close").then(([code]) => ({ code, out, err }));
  return { child, ended, out: () => out, err: () => err };
};

/** Runs `parley ...` as a process until it ends. */
export const run = (env: Environment, ...args: string[]): Promise<Ended> => begin(env, args).ended;

let last: Promise<unknown> = Promise.resolve();

/**
 * Carries out `parley ... --json` in this process, which takes a tenth of the time: a separate process would
 * only print the outcome in addition. One at a time, because commands read the environment of this process.
 */
export const outcome = (env: Environment, ...args: string[]): Promise<CommandOutcome> => {
  const next = last.then(async () => {
    const before = process.env;
    process.env = { PARLEY_ENV_FILE: devNull, ...env };
    try {
      return await outcomeOf([...args, "--json"]);
    } finally {
      process.env = before;
    }
  });
  last = next.catch(() => {});
  return next;
};

/** The value of a command that must succeed, carried out in this process. */
// biome-ignore lint/suspicious/noExplicitAny: a test reads any field, and fails if it is missing
export const value = async (env: Environment, ...args: string[]): Promise<any> => {
  const { code, out, err } = await outcome(env, ...args);
  assert.equal(code, 0, err);
  assert.equal(err, "");
  return JSON.parse(out);
};

/** The error of a command that must fail in this way, carried out in this process. */
export const failure = async (code: number, env: Environment, ...args: string[]): Promise<string> =>
  errorOf(code, await outcome(env, ...args));

/** The error of a service that must fail in this way when it starts, as a process. */
export const startFailure = async (code: number, env: Environment): Promise<string> =>
  errorOf(code, await run(env, "start", "--json"));

const errorOf = (code: number, ended: Ended): string => {
  assert.equal(ended.code, code, ended.err + ended.out);
  assert.equal(ended.out, "");
  const { error, ...rest } = JSON.parse(ended.err);
  assert.deepEqual(rest, {});
  assert.doesNotMatch(error, /[\r\n]/);
  return error;
};

/** Waits until a running command has printed something. */
const said = async ({ out, err, child }: Begun, what: RegExp): Promise<void> => {
  // Long enough on any machine.
  const until = Date.now() + 300_000;
  while (!what.test(out())) {
    assert.ok(
      child.exitCode === null && Date.now() < until,
      `${what} was not said:\n${out()}${err()}`,
    );
    await sleep(10);
  }
};

/** Stops a service gracefully. */
export const end = async ({ child, ended }: Begun): Promise<Ended> => {
  child.kill("SIGTERM");
  return ended;
};

const ready = /OpenAPI document {2,}(http\S+)\/openapi\.json\n/;
/** The heading of the first start's output. */
export const block = /The following is shown only this once/g;

/** A service that is ready; it stops at the end of the test. */
export const started = async (
  t: TestContext,
  env: Readonly<Record<string, string>>,
  ...args: string[]
): Promise<Begun & { readonly url: string }> => {
  const service = begin(env, ["start", ...args]);
  t.after(async () => {
    service.child.kill("SIGKILL");
    await service.ended;
  });
  const what = args.includes("--json") ? /"openApi": "(http\S+)\/openapi\.json"/ : ready;
  await said(service, what);
  return { ...service, url: what.exec(service.out())?.[1] ?? "" };
};
