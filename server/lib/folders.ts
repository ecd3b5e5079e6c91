import { mkdirSync, statSync } from "node:fs";
import { mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";

/*
 * Makes folders one by one, for their owner only. With `recursive`, Node tries for ever where a file
 * system refuses a folder with ENOENT although its parent is there, as /proc does.
 */

const options = { mode: 0o700 } as const;

/** The path, or its nearest ancestor that this user can find. */
export const existing = async (path: string): Promise<string> => {
  const isThere = await stat(path).then(
    () => true,
    () => false,
  );
  return isThere || dirname(path) === path ? path : existing(dirname(path));
};

/** Returns whether the parent of a folder may be missing. */
const lacksParent = (error: unknown, path: string): boolean =>
  error instanceof Error && "code" in error && error.code === "ENOENT" && dirname(path) !== path;

/**
 * Makes a folder and those above it that are missing. One that exists stays as it is.
 *
 * @throws an error of the system where it cannot be made, or is no folder
 */
export const makeFolder = async (path: string): Promise<void> => {
  const make = (): Promise<void> =>
    mkdir(path, options).catch(async (error: unknown) => {
      const found = await stat(path).catch(() => undefined);
      if (found?.isDirectory() !== true) throw error;
    });
  try {
    await make();
  } catch (error) {
    if (!lacksParent(error, path)) throw error;
    await makeFolder(dirname(path));
    await make();
  }
};

/** The same before it returns, for a start. */
export const makeFolderNow = (path: string): void => {
  const make = (): void => {
    try {
      mkdirSync(path, options);
    } catch (error) {
      if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) throw error;
    }
  };
  try {
    make();
  } catch (error) {
    if (!lacksParent(error, path)) throw error;
    makeFolderNow(dirname(path));
    make();
  }
};
