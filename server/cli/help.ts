import { styleText } from "node:util";
import type { Answer, CliCommand, Option, Options } from "./command.ts";
import { cliCommands } from "./commands.ts";
import { commonOptions } from "./parse.ts";
import { columns } from "./table.ts";

const title = (text: string): string => styleText("bold", text, { stream: process.stdout });

const flagOf = (name: string, options: Options): string => {
  const value = options[name]?.value;
  return value === undefined ? `--${name}` : `--${name} ${value}`;
};

/** A command as it is typed; optional parts in brackets. */
const usage = (command: CliCommand): string => {
  const options = Object.entries(command.options).map(([name, { required }]) =>
    required ? flagOf(name, command.options) : `[${flagOf(name, command.options)}]`,
  );
  return [command.name, ...command.arguments, ...options].join(" ");
};

/** The meaning of an option, the values that it accepts, and its default. */
const explained = ({ meaning, accepts, default: usual }: Option): string =>
  [
    meaning,
    ...(accepts === undefined ? [] : [`Accepted: ${accepts.accepted}.`]),
    ...(usual === undefined ? [] : [`Default: ${usual}.`]),
  ].join(" ");

const list = (options: Options): string[] =>
  columns(
    Object.entries(options).map(([name, option]) => [
      `  ${flagOf(name, options)}`,
      explained(option),
    ]),
  );

/** The help of one command. */
export const describeCommand = (command: CliCommand): Answer => {
  const options = { ...command.options, ...commonOptions };
  const lines = [
    `parley ${usage(command)}`,
    "",
    command.summary,
    ...(command.details === undefined ? [] : ["", command.details]),
    "",
    title("Options"),
    ...list(options),
    "",
    title("Examples"),
    ...command.examples.map((example) => `  parley ${example}`),
  ];
  return { value: describe(command), text: lines.join("\n") };
};

const describe = (command: CliCommand) => ({
  name: command.name,
  usage: `parley ${usage(command)}`,
  summary: command.summary,
  arguments: command.arguments,
  options: Object.entries({ ...command.options, ...commonOptions }).map(([name, option]) => ({
    name: `--${name}`,
    value: option.value ?? null,
    required: option.required ?? false,
    meaning: explained(option),
  })),
  examples: command.examples.map((example) => `parley ${example}`),
});

/** The help of all commands, or of those that begin with the given words. */
export const generalHelp = (words: readonly string[] = []): Answer => {
  const shown = cliCommands.filter(({ name }) =>
    words.every((word, at) => name.split(" ")[at] === word),
  );
  const lines = [
    "parley COMMAND [OPTIONS]",
    "",
    "Rooms and people for video conferences, on a server of your own.",
    "",
    title("Commands"),
    ...columns(
      shown.map((command) => [
        `  ${[command.name, ...command.arguments].join(" ")}`,
        command.summary,
      ]),
    ),
    "",
    title("Options"),
    ...list({
      ...commonOptions,
      version: { type: "boolean", meaning: "Show the version of Parley." },
    }),
    "",
    "ORG is the ID of an organization or its name. Settings are read from the environment and from one",
    "file: `parley config` shows them all, and which file. Commands work beside a running service and",
    "without one.",
  ];
  return { value: { commands: shown.map(describe) }, text: lines.join("\n") };
};
