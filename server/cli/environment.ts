import { type Config, loadEnvFile, readConfig } from "../config.ts";
import type { Environment } from "../config-setting.ts";
import { CommandError } from "./command.ts";

/**
 * The environment of this process, with what `.env` adds to it. Only handed on: config.ts alone
 * looks into it.
 *
 * @throws CommandError when `.env` cannot be read
 */
export const environment = (): Environment => {
  try {
    loadEnvFile();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CommandError(`The file .env in this folder cannot be read: ${reason}.`);
  }
  // biome-ignore lint/style/noProcessEnv: the one place from which config.ts is given it.
  return process.env;
};

/**
 * The configuration.
 *
 * @throws ConfigError on a value that is not accepted
 */
export const configuration = (): Config => readConfig(environment());
