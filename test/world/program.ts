import { type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import type { Scope } from "./empty-database.ts";

/** A program beside the service, such as a proxy or a collector. */
interface Program {
  /** All that it has written. */
  readonly said: () => string;
  /** @throws Error if it has ended, with what it wrote */
  readonly check: () => void;
  readonly signal: (name: NodeJS.Signals) => void;
}

/** Starts a program, which is killed with the test. */
export const startProgram = (
  t: Scope,
  program: string,
  args: readonly string[],
  options: SpawnOptions = {},
): Program => {
  const child = spawn(program, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
  }
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null;
  t.after(async () => {
    const ended = hasEnded() ? undefined : once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  });
  return {
    said: () => said,
    signal: (name) => void child.kill(name),
    check: () => {
      if (hasEnded()) throw new Error(`${program} has ended: ${said.slice(-4_000)}`);
    },
  };
};
