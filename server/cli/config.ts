import { ConfigError, describeConfig, readConfig } from "../config/config.ts";
import { cliCommand } from "./command.ts";
import { installationSettings, sourceOf } from "./environment.ts";

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

/** The errors in the settings, one line each. */
const wrongWith = (env: Parameters<typeof readConfig>[0]): readonly string[] => {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
};

export const config = cliCommand({
  name: "config",
  arguments: [],
  options: {},
  summary: "Show every setting: its value, default and meaning.",
  details:
    "Settings are environment variables. What the environment does not set is read from one file: that\nof --env-file, else PARLEY_ENV_FILE, else .env in this folder, else /etc/parley.env.\nSecrets are masked.",
  examples: ["config", "config --json"],
  async run(called) {
    const read = installationSettings(called);
    const settings = describeConfig(read.environment);
    const wrong = wrongWith(read.environment);
    const lines = settings.map(({ name, value, default: usual, meaning, accepted }) => {
      const shown = value === null ? `not set (${usual})` : `${value} (default: ${usual})`;
      return `${name}  ${shown}\n${wrapped(meaning)}\n${wrapped(`Accepted: ${accepted}.`)}`;
    });
    return {
      value: { file: read.file ?? null, settings, wrong },
      text: [
        `Settings: ${sourceOf(read)}.`,
        ...lines,
        ...wrong.map((problem) => `WRONG: ${problem}`),
      ].join("\n"),
      failed: wrong.length > 0,
    };
  },
});
