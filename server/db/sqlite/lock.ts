import { closeSync, mkdirSync, openSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { isBusy, ServedAlready } from "../errors.ts";

/**
 * Makes the data folder and a file in it, for their owner only. SQLite gives the files it puts
 * beside a database (WAL, shared memory) the mode of that database.
 */
export const privateFile = (dataDir: string, name: string): string => {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const path = join(dataDir, name);
  closeSync(openSync(path, "a", 0o600));
  return path;
};

/**
 * Claims the data folder for this service and answers how to let go of it. A lock of the system on
 * a small database beside the real one: it ends with the process, however the process ends.
 */
export const lockDataDir = (dataDir: string): (() => void) => {
  const lock = new DatabaseSync(privateFile(dataDir, "parley.lock"), { timeout: 0 });
  try {
    lock.exec("begin exclusive");
  } catch (error) {
    lock.close();
    throw isBusy(error) ? new ServedAlready(dataDir) : error;
  }
  return () => lock.close();
};
