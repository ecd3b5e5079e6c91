import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { devNull } from "node:os";
import type { DatabaseConfig } from "../../server/db/place.ts";
import { outcome } from "../cli/run.ts";
import { door } from "../world/process.ts";

/** The sealing key of every installation in these tests. */
export const secret = "ab".repeat(32);

/** The outcome of a command. */
export interface Outcome {
  readonly code: number | null;
  /** Its JSON output, on success. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads any field, and fails if it is missing
  readonly value: any;
  readonly said: string;
}

export type Environment = Readonly<Record<string, string>>;

/** The environment of a command on this database. */
export const environmentOf = (place: DatabaseConfig): Environment => {
  const url: Environment =
    place.databaseUrl === undefined ? {} : { DATABASE_URL: place.databaseUrl };
  return { DATA_DIR: place.dataDir, PARLEY_SECRET: secret, ...url };
};

/** Starts `parley ...` as people do. */
export const begin = (
  env: Environment,
  ...args: string[]
): { readonly child: ChildProcess; readonly end: Promise<Outcome> } => {
  const child = spawn(process.execPath, [door(), ...args, "--json"], {
    env: { PATH: process.env.PATH, PARLEY_ENV_FILE: devNull, ...env },
    cwd: env.DATA_DIR,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const out: string[] = [];
  const err: string[] = [];
  child.stdout.setEncoding("utf8").on("data", (text: string) => out.push(text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => err.push(text));
  const end = once(child, "close").then(([code]) => {
    const text = out.join("");
    return { code, value: text === "" ? undefined : JSON.parse(text), said: err.join("") };
  });
  return { child, end };
};

/** Carries out `parley ...` in this process. */
export const parley = async (env: Environment, ...args: string[]): Promise<Outcome> => {
  const { code, out, err } = await outcome(env, ...args);
  return { code, value: out === "" ? undefined : JSON.parse(out), said: err };
};
