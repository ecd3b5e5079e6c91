import { ConfigError, describeConfig, readConfig } from "../config.ts";
import { command } from "./command.ts";
import { environment } from "./environment.ts";

const WIDTH = 96;

/** A text in lines of at most 96 letters, indented. */
const wrapped = (text: string): string => {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last === undefined || last.length + word.length >= WIDTH) lines.push(`    ${word}`);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines.join("\n");
};

/** What is wrong with the configuration, in one line; undefined where it is accepted. */
const wrongWith = (env: Parameters<typeof readConfig>[0]): string | undefined => {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return undefined;
};

export const config = command({
  name: "config",
  arguments: [],
  options: {},
  summary: "Show every setting: its value, default and meaning.",
  details:
    "Settings are environment variables; the file .env in this folder adds to them. Secrets are masked.",
  examples: ["config", "config --json"],
  async run() {
    const env = environment();
    const settings = describeConfig(env);
    const wrong = wrongWith(env);
    const lines = settings.map(({ name, value, default: usual, meaning }) => {
      const shown = value === null ? `not set (${usual})` : `${value} (default: ${usual})`;
      return `${name}  ${shown}\n${wrapped(meaning)}`;
    });
    if (wrong !== undefined) lines.push(`WRONG: ${wrong}`);
    return { value: settings, text: lines.join("\n"), failed: wrong !== undefined };
  },
});
