import { chmod, link, open, rename, stat, unlink } from "node:fs/promises";
import { dirname } from "node:path";

/** A file exists that must not be overwritten. */
export class FileExists extends Error {
  override readonly name = "FileExists";
}

/** Returns whether a file, or anything else, has this name. */
export const exists = async (path: string): Promise<boolean> =>
  (await stat(path).catch(ignoringAbsence)) !== undefined;

/**
 * Renames a finished file durably, readable by its owner only: the name always has the whole old or
 * the whole new file, also after a power failure.
 *
 * @throws FileExists if the name is taken and must not be overwritten
 */
export const putInPlace = async (
  draft: string,
  path: string,
  overwrite: boolean,
): Promise<void> => {
  await chmod(draft, 0o600);
  await sync(draft);
  // Unlike a rename, a link fails if the name is taken.
  if (overwrite || !(await linked(draft, path))) await rename(draft, path);
  else await unlink(draft);
  await syncFolder(dirname(path));
};

/**
 * Gives a file a second name.
 *
 * @returns whether the file system can
 * @throws FileExists
 */
export const linked = async (from: string, to: string): Promise<boolean> => {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if (isCode(error, "EEXIST") || (await exists(to))) {
      throw new FileExists(`${to} exists already.`);
    }
    if (["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"].some((code) => isCode(error, code)))
      return false;
    throw error;
  }
};

/** Syncs a folder: only then does a rename or link in it survive a power failure. */
export const syncFolder = async (folder: string): Promise<void> => {
  if (process.platform !== "win32") await sync(folder);
};

/** Waits until a file or folder is on the disk. */
export const sync = async (path: string): Promise<void> => {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};

/** For `catch`: ignores an error of the system with this code, and rethrows any other. */
export const ignoring =
  (code: string): ((error: unknown) => undefined) =>
  (error) => {
    if (!isCode(error, code)) throw error;
  };

/**
 * For `catch`: ignores that a file, or a folder in its path, does not exist, and rethrows any other
 * error.
 */
export const ignoringAbsence = (error: unknown): undefined => {
  if (!isCode(error, "ENOENT") && !isCode(error, "ENOTDIR")) throw error;
};

/** Returns whether an error of the system says that the disk, or the user's share of it, is full. */
export const saysDiskFull = (error: unknown): boolean =>
  isCode(error, "ENOSPC") || isCode(error, "EDQUOT");

const isCode = (error: unknown, code: string): boolean =>
  error instanceof Error && "code" in error && error.code === code;
