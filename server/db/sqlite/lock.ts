import { accessSync, closeSync, constants, existsSync, openSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { makeFolderNow } from "../../lib/folders.ts";
import { isBusy, ServedAlready } from "../errors.ts";

/**
 * Makes a data folder and a file in it, for their owner only. The files that SQLite puts beside a
 * database (WAL, shared memory) get the mode of that database. An existing file is not opened: closing
 * it would end the locks that this process has on it (fcntl(2), "Advisory record locking").
 *
 * @throws an error of the system where this user may not use the file
 */
export const privateFile = (path: string): string => {
  makeFolderNow(dirname(path));
  if (existsSync(path)) accessSync(path, constants.R_OK | constants.W_OK);
  else closeSync(openSync(path, "a", 0o600));
  return path;
};

/** A data folder that this service holds. */
export interface HeldFolder {
  /** Lets a service that starts wait for this one, which is ending, instead of refusing to start. */
  leave(): void;
  release(): void;
}

const PAUSE_MS = 100;
/** Longer than a service takes to answer what runs, and to send the emails that are on their way. */
const LEAVING_MS = 60_000;

/**
 * Locks the data folder for this service. The lock is an operating-system lock on a small database beside
 * the real one: it ends with the process, however the process ends.
 *
 * @param onWaiting called once if another service holds the folder and is ending
 * @throws ServedAlready if another service holds it, and goes on
 */
export const lockDataDir = async (dataDir: string, onWaiting: () => void): Promise<HeldFolder> => {
  const lock = new DatabaseSync(privateFile(join(dataDir, "parley.lock")), { timeout: 0 });
  const leaving = join(dataDir, "parley.leaving");
  const isLocked = (): boolean => {
    try {
      lock.exec("begin exclusive");
      return true;
    } catch (error) {
      if (isBusy(error)) return false;
      throw error;
    }
  };
  try {
    const until = performance.now() + LEAVING_MS;
    for (let tries = 0; !isLocked(); tries += 1) {
      if (!existsSync(leaving) || performance.now() > until) throw new ServedAlready(dataDir);
      if (tries === 0) onWaiting();
      await sleep(PAUSE_MS);
    }
    // Of a service that was killed while it was ending.
    rmSync(leaving, { force: true });
  } catch (error) {
    lock.close();
    throw error;
  }
  return {
    leave: () => void privateFile(leaving),
    release: () => {
      rmSync(leaving, { force: true });
      lock.close();
    },
  };
};
