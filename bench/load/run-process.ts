import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";

/**
 * Runs a program that reads one text and writes one.
 *
 * @throws Error with the program's output if it fails
 */
export const runProcess = async (
  program: string,
  args: readonly string[],
  input = "",
): Promise<string> => {
  const child = spawn(program, args, { stdio: ["pipe", "pipe", "pipe"] });
  const ended = once(child, "close");
  child.stdin.on("error", () => {}).end(input);
  const [out, said] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = (await ended) as [number | null];
  if (code !== 0) throw new Error(`${program} ${args.join(" ")} failed:\n${said}`);
  return out;
};

/** A program in this folder. */
export const runOwn = async <T>(name: string, input: unknown): Promise<T> => {
  const path = new URL(name, import.meta.url).pathname;
  return JSON.parse(await runProcess(process.execPath, [path], JSON.stringify(input)));
};
