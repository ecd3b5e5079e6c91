import { resolve, sep } from "node:path";
import { type Config, readConfig } from "../config/config.ts";
import type { Called } from "./command.ts";
import { giveToOwner } from "./give-to-owner.ts";
import { readSettings, type Settings } from "./settings-file.ts";

/**
 * This installation's settings. The file's variables are also set in this process's environment:
 * libraries read some, such as PGPASSWORD.
 *
 * @throws CommandError if the file cannot be read
 */
export const installationSettings = ({ envFile }: Called): Settings => {
  // biome-ignore lint/style/noProcessEnv: the only place that passes it to config.ts.
  const env = process.env;
  const settings = readSettings(env, envFile);
  Object.assign(env, settings.environment);
  return settings;
};

/** The data folders of this process's commands. */
const dataFolders = new Set<string>();

/** When the command ends, root's files in this data folder go to the folder's owner. */
export const giveToOwnerAtEnd = (dataDir: string): void => {
  if (dataFolders.size === 0) process.on("exit", () => dataFolders.forEach(giveToOwner));
  dataFolders.add(dataDir);
};

/** DATA_DIR of this process, once it is known. */
let dataDir: string | undefined;

/** Returns whether a path is in DATA_DIR or, where it is a folder that could not be made, on the way there. */
export const isOfDataDir = (path: string, isUnmade: boolean): boolean => {
  if (dataDir === undefined) return false;
  const [one, folder] = [resolve(path) + sep, resolve(dataDir) + sep];
  return one.startsWith(folder) || (isUnmade && folder.startsWith(one));
};

const configure = ({ environment }: Settings): Config => {
  const config = readConfig(environment);
  dataDir = config.dataDir;
  giveToOwnerAtEnd(dataDir);
  return config;
};

/**
 * The configuration. When the command ends, root's files in the data folder go to its owner.
 *
 * @throws ConfigError on values that are not accepted
 */
export const configurationOf = (called: Called): Config => configure(installationSettings(called));

/** The source of the settings, in words. */
export const sourceOf = ({ file }: Settings): string => file ?? "the environment, no file";

/**
 * The configuration of a command that opens the database. Names it on standard error: the working
 * folder may be the wrong one.
 *
 * @throws ConfigError on values that are not accepted
 */
export const installationOf = async (called: Called): Promise<Config> => {
  const settings = installationSettings(called);
  const config = configure(settings);
  if (!called.json) {
    const { describePlace } = await import("../db/backup/place.ts");
    process.stderr.write(`Database: ${describePlace(config)}. Settings: ${sourceOf(settings)}.\n`);
  }
  return config;
};
