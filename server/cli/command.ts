import type { AcceptedText } from "../../contract/kit/accepted.ts";

/** One option of a command, for the parser and the help. */
export interface Option {
  readonly type: "string" | "boolean";
  /** The name of its value in the help: `N`, `ORG`. */
  readonly value?: string;
  readonly meaning: string;
  /** The values that it accepts; without it, any text. */
  readonly accepts?: AcceptedText<unknown>;
  /** The text that is read when it is not given. */
  readonly default?: string;
  readonly required?: true;
}

export type Options = Readonly<Record<string, Option>>;

type ValueOf<O extends Option> = O extends { readonly accepts: AcceptedText<infer T> } ? T : string;

/** The given options; every boolean, and every option with a default, has a value. */
type GivenOptions<O extends Options> = {
  readonly [K in keyof O]: O[K]["type"] extends "boolean"
    ? boolean
    : O[K] extends { readonly required: true } | { readonly default: string }
      ? ValueOf<O[K]>
      : ValueOf<O[K]> | undefined;
};

/** The options of every call. */
export interface Called {
  /** Standard output is for one JSON value only, standard error for an error. */
  readonly json: boolean;
  /** The settings file that `--env-file` names. */
  readonly envFile: string | undefined;
}

/** The input of a command. */
export interface CommandInput<A extends readonly string[], O extends Options> extends Called {
  readonly arguments: {
    readonly [I in keyof A]: A[I] extends `[${string}]` ? string | undefined : string;
  };
  readonly options: GivenOptions<O>;
}

/** A command's result: a value for programs, a text for people. */
export interface Answer {
  readonly value: unknown;
  readonly text: string;
  /** True if the text is the content of a file, and not for a terminal. */
  readonly isFile?: boolean;
  /** Something is wrong: exit code 1. */
  readonly failed?: boolean;
}

/** A command of `parley` with its help. */
export interface CliCommand<
  A extends readonly string[] = readonly string[],
  O extends Options = Options,
> {
  readonly name: string;
  /** In this order; all are required, except a last one in brackets. */
  readonly arguments: A;
  readonly options: O;
  readonly summary: string;
  /** Details that the summary omits. */
  readonly details?: string;
  /** Without the leading `parley`. */
  readonly examples: readonly string[];
  /** Imports its modules when it runs, so that other commands start fast. */
  run(given: CommandInput<A, O>): Promise<Answer>;
}

/**
 * Keeps the types of a command's own arguments and options, although the table has one type for
 * all.
 */
export const cliCommand = <const A extends readonly string[], const O extends Options>(
  definition: CliCommand<A, O>,
): CliCommand => definition as unknown as CliCommand;

/** The command is valid and failed: one line for the person who ran it. */
export class CommandError extends Error {
  override readonly name = "CommandError";
}

/** The command is not valid: exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
