import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { devNull } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { DatabaseConfig } from "../../server/db/open.ts";

const door = fileURLToPath(new URL("../../parley.js", import.meta.url));

export type Environment = Readonly<Record<string, string>>;

/** What a command printed, and how it ended. */
export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** A command that runs. */
export interface Begun {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  out(): string;
  err(): string;
}

/** The environment of a command in this place. */
export const environmentOf = ({ databaseUrl, dataDir }: DatabaseConfig): Environment => ({
  DATA_DIR: dataDir,
  PORT: "0",
  DRAIN_SECONDS: "0",
  ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl, PARLEY_SECRET: "ab".repeat(32) }),
});

/** Begins `parley ...` as people do, with this environment and nothing else. */
export const begin = (env: Environment, args: readonly string[], input = ""): Begun => {
  const child = spawn(process.execPath, [door, ...args], {
    // No settings of this machine.
    env: { PATH: process.env.PATH, PARLEY_ENV_FILE: devNull, ...env },
    // Some tests have no data folder yet.
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

/** Runs `parley ...` to its end. */
export const run = (env: Environment, ...args: string[]): Promise<Ended> => begin(env, args).ended;

/** Runs `parley ... --json`, which has to succeed, and answers its value. */
// biome-ignore lint/suspicious/noExplicitAny: a test reads what is there, and fails where it is not
export const value = async (env: Environment, ...args: string[]): Promise<any> => {
  const { code, out, err } = await run(env, ...args, "--json");
  assert.equal(code, 0, err);
  return JSON.parse(out);
};

/** The error of `parley ... --json`, which has to fail in this way. */
export const failure = async (code: number, env: Environment, ...args: string[]) => {
  const ended = await run(env, ...args, "--json");
  assert.equal(ended.code, code, ended.err + ended.out);
  assert.equal(ended.out, "");
  const { error, ...rest } = JSON.parse(ended.err);
  assert.deepEqual(rest, {});
  assert.doesNotMatch(error, /[\r\n]/);
  return error as string;
};

/** Waits until a command that runs has said something. */
export const said = async ({ out, err, child }: Begun, what: RegExp): Promise<void> => {
  const until = Date.now() + 30_000;
  while (!what.test(out())) {
    assert.ok(
      child.exitCode === null && Date.now() < until,
      `${what} was not said:\n${out()}${err()}`,
    );
    await sleep(10);
  }
};

/** Ends a service in order. */
export const end = async ({ child, ended }: Begun): Promise<Ended> => {
  child.kill("SIGTERM");
  return ended;
};
