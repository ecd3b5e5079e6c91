import { parseArgs } from "node:util";
import { type CliCommand, type CommandInput, type Options, UsageError } from "./command.ts";
import { nearest } from "./find-command.ts";

/** The options of every command. */
export const commonOptions: Options = {
  "env-file": {
    type: "string",
    value: "FILE",
    meaning: "Read settings from FILE (default: PARLEY_ENV_FILE, ./.env or /etc/parley.env).",
  },
  json: { type: "boolean", meaning: "Answer with one JSON value on standard output." },
  help: { type: "boolean", meaning: "Show this help." },
};

const misused = (command: CliCommand, message: string): UsageError =>
  new UsageError(`${message} See "parley ${command.name} --help".`);

/** The options and words of a command line, not yet checked as a whole. */
const read = (command: CliCommand, args: readonly string[]) => {
  const known: Options = { ...command.options, ...commonOptions };
  const options = Object.fromEntries(
    Object.entries(known).map(([name, { type }]) => [name, { type }]),
  );
  const { tokens } = parseArgs({
    args: [...args],
    options,
    strict: false,
    tokens: true,
    allowPositionals: true,
  });
  const words: string[] = [];
  const values: Record<string, string | boolean> = {};
  for (const token of tokens) {
    if (token.kind === "positional") words.push(token.value);
    if (token.kind !== "option") continue;
    const option = known[token.name];
    if (!option) {
      const near = nearest(token.name, Object.keys(known));
      const hint = near === undefined ? "" : ` Did you mean --${near}?`;
      throw misused(command, `"${command.name}" has no option ${token.rawName}.${hint}`);
    }
    if (token.name in values) throw misused(command, `--${token.name} was given twice.`);
    if (option.type === "boolean" && token.value !== undefined) {
      throw misused(command, `--${token.name} takes no value.`);
    }
    // `--name --json`: a forgotten value must not swallow the next option.
    const missing =
      token.value === undefined || (!token.inlineValue && token.value.startsWith("--"));
    if (option.type === "string" && missing) {
      throw misused(command, `--${token.name} needs a value: --${token.name} ${option.value}.`);
    }
    values[token.name] = token.value ?? true;
  }
  return { words, values };
};

/**
 * The values that the texts of options stand for, or those of defaults.
 *
 * @throws UsageError on a text that is not accepted
 */
const valuesOf = (options: Options, given: Readonly<Record<string, string | boolean>>) =>
  Object.entries(options).map(([name, { type, accepts, default: usual }]) => {
    const text = given[name] ?? (type === "boolean" ? false : usual);
    if (accepts === undefined || typeof text !== "string") return [name, text] as const;
    const value = accepts.parse(text);
    if (value !== undefined) return [name, value] as const;
    throw new UsageError(`--${name} is ${JSON.stringify(text)}; accepted: ${accepts.accepted}.`);
  });

/**
 * Checks a command line: all required arguments and options, nothing unknown.
 *
 * @throws UsageError
 */
export const parse = (
  command: CliCommand,
  args: readonly string[],
): CommandInput<readonly string[], Options> => {
  const { words, values } = read(command, args);
  const missing = command.arguments[words.length];
  if (missing !== undefined && !missing.startsWith("["))
    throw misused(command, `${missing} is missing.`);
  const extra = words[command.arguments.length];
  if (extra !== undefined) {
    throw misused(command, `"${extra}" is one word too many; quote a text of several words.`);
  }
  for (const [name, { required, value }] of Object.entries(command.options)) {
    if (required && !(name in values)) throw misused(command, `--${name} ${value} is missing.`);
  }
  return {
    arguments: words,
    options: Object.fromEntries(valuesOf(command.options, values)) as never,
    json: values.json === true,
    envFile: typeof values["env-file"] === "string" ? values["env-file"] : undefined,
  };
};
