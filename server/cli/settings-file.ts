import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseEnv } from "node:util";
import type { Environment } from "../config/setting.ts";
import { CommandError } from "./command.ts";
import { unreadable } from "./given-file.ts";

/** The settings file of an installation as a service. */
export const SYSTEM_FILE = "/etc/parley.env";

/**
 * The lines that Node and systemd's EnvironmentFile read alike: a comment, or a name and its value,
 * in quotes if it has a quote, a hash or a backslash. Other lines are refused: otherwise half of a
 * password might be read without a warning.
 */
const ORDINARY = /^[ \t]*(#.*|[A-Za-z_]\w*=("[^"\\\r]*"|'[^'\r]*'|[^"'`\\#\r]*)[ \t]*)?$/;
/** A byte order mark would belong to the first setting's name. */
const BYTE_ORDER_MARK = "\ufeff";

/**
 * A file's settings.
 *
 * @throws CommandError if it cannot be read, or a line is not ordinary
 */
const readFile = (path: string): Environment => {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    throw unreadable("settings file", path, error as NodeJS.ErrnoException);
  }
  if (text.startsWith(BYTE_ORDER_MARK)) {
    throw new CommandError(`${path} begins with a byte order mark. Save it as UTF-8 without one.`);
  }
  const bad = text.split(/\r?\n/).findIndex((line) => !ORDINARY.test(line));
  if (bad !== -1) {
    throw new CommandError(
      `Line ${bad + 1} of ${path} is not NAME=value. Put a value with #, quotes or backslashes in single quotes, and a comment on a line of its own.`,
    );
  }
  return parseEnv(text);
};

/** The environment, and the file that adds to it. */
export interface Settings {
  readonly environment: Environment;
  /** Undefined if there is no file. */
  readonly file: string | undefined;
  /** The names in the file. */
  readonly names: readonly string[];
}

/**
 * Reads settings from the environment, and the others from one file.
 *
 * @param given the file that `--env-file` names; otherwise PARLEY_ENV_FILE, then `.env` in the
 * working folder, then /etc/parley.env
 * @throws CommandError
 */
export const readSettings = (
  environment: Environment,
  given: string | undefined,
  systemFile = SYSTEM_FILE,
): Settings => {
  const named = given ?? (environment.PARLEY_ENV_FILE || undefined);
  const file = named ?? [".env", systemFile].find((path) => existsSync(path));
  if (file === undefined) return { environment, file: undefined, names: [] };
  const read = readFile(file);
  return {
    environment: { ...read, ...environment },
    file: resolve(file),
    names: Object.keys(read),
  };
};
