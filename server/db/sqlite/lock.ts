import { accessSync, closeSync, constants, existsSync, mkdirSync, openSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { isBusy, ServedAlready } from "../errors.ts";

/**
 * Makes a data folder and a file in it, for their owner only. The files that SQLite puts beside a
 * database (WAL, shared memory) get the mode of that database. An existing file is not opened: closing
 * it would end the locks that this process has on it (fcntl(2), "Advisory record locking").
 *
 * @throws an error of the system where this user may not use the file
 */
export const privateFile = (path: string): string => {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  if (existsSync(path)) accessSync(path, constants.R_OK | constants.W_OK);
  else closeSync(openSync(path, "a", 0o600));
  return path;
};

/**
 * Locks the data folder for this service and returns the function that unlocks it. The lock is an
 * operating-system lock on a small database beside the real one: it ends with the process, however the
 * process ends.
 */
export const lockDataDir = (dataDir: string): (() => void) => {
  const lock = new DatabaseSync(privateFile(join(dataDir, "parley.lock")), { timeout: 0 });
  try {
    lock.exec("begin exclusive");
  } catch (error) {
    lock.close();
    throw isBusy(error) ? new ServedAlready(dataDir) : error;
  }
  return () => lock.close();
};
