import packageJson from "../../package.json" with { type: "json" };
import type { Answer } from "./command.ts";
import { CommandError, UsageError } from "./command.ts";
import { explain } from "./explain.ts";
import { findCommand } from "./find-command.ts";
import { describeCommand, generalHelp } from "./help.ts";
import { parse } from "./parse.ts";
import { printableJson, printableLines } from "./printable.ts";

/** Only before `--`: later words are never options. */
const beforeDashes = (args: readonly string[]): readonly string[] => {
  const end = args.indexOf("--");
  return end === -1 ? args : args.slice(0, end);
};

const answer = async (args: readonly string[]): Promise<Answer> => {
  const asked = beforeDashes(args);
  if (asked.includes("--version")) {
    return { value: { version: packageJson.version }, text: packageJson.version };
  }
  const wantsHelp = asked.includes("--help") || asked.includes("-h") || asked[0] === "help";
  const words = asked[0] === "help" ? args.slice(1) : args;
  const found = findCommand(words, wantsHelp);
  if (!found) return generalHelp(words.filter((word) => !word.startsWith("-")));
  if (wantsHelp) return describeCommand(found.command);
  return found.command.run(parse(found.command, found.rest));
};

/**
 * A reader of the output may stop reading, which is no fault. If output fails for another reason,
 * such as a full disk, a command fails; a service goes on without its log.
 */
const surviveLostOutput = (): void => {
  let isReported = false;
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", ({ code }: NodeJS.ErrnoException) => {
      if (code === "EPIPE") return;
      process.exitCode = 1;
      if (!isReported) process.stderr.write(`parley: The output cannot be written (${code}).\n`);
      isReported = true;
    });
  }
};

/**
 * Returns the result of work. Node ends a process that has nothing left to do with exit code 0, also
 * while a promise is pending.
 *
 * @throws CommandError if nothing is left that could settle the work
 */
const settled = async <T>(work: Promise<T>): Promise<T> => {
  const { promise, reject } = Promise.withResolvers<never>();
  const onIdle = (): void =>
    reject(
      new CommandError(
        "This should not have happened. The command waits for an event that never comes: its work is not done.",
      ),
    );
  process.once("beforeExit", onIdle);
  try {
    return await Promise.race([work, promise]);
  } finally {
    process.off("beforeExit", onIdle);
  }
};

/** The output of a command besides its progress, and its exit code. */
export interface CommandOutcome {
  readonly code: 0 | 1 | 2;
  readonly out: string;
  readonly err: string;
}

/**
 * Carries out one command of `parley`. Exit code 1 if it failed, 2 if it is not valid; with
 * `--json` standard output has one JSON value and nothing else.
 */
export const outcomeOf = async (args: readonly string[]): Promise<CommandOutcome> => {
  const json = beforeDashes(args).includes("--json");
  try {
    const { value, text, isFile, failed } = await settled(answer(args));
    const shown = isFile ? text : printableLines(text);
    const out = `${json ? printableJson(value, 2) : shown}\n`;
    return { code: failed ? 1 : 0, out, err: "" };
  } catch (error) {
    const line = explain(error);
    const err = `${json ? printableJson({ error: line }) : printableLines(`parley: ${line}`)}\n`;
    return { code: error instanceof UsageError ? 2 : 1, out: "", err };
  }
};

/** Runs one command of `parley` as this process. */
export const run = async (args: readonly string[]): Promise<void> => {
  surviveLostOutput();
  const { code, out, err } = await outcomeOf(args);
  process.stdout.write(out);
  process.stderr.write(err);
  if (code !== 0) process.exitCode = code;
};
