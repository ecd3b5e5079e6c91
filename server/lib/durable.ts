import { chmod, link, open, rename, stat, unlink } from "node:fs/promises";
import { dirname } from "node:path";

/** A file exists that must not be overwritten. */
export class FileExists extends Error {
  override readonly name = "FileExists";
}

/** Whether there is a file (or anything else) of this name. */
export const exists = async (path: string): Promise<boolean> =>
  (await stat(path).catch(ignoringAbsence)) !== undefined;

/**
 * Renames a finished file durably, readable by its owner only: at any moment the name has the whole
 * new file or the old one, and a power failure afterwards changes nothing.
 *
 * @throws FileExists when the name is taken and must not be overwritten
 */
export const putInPlace = async (
  draft: string,
  path: string,
  overwrite: boolean,
): Promise<void> => {
  await chmod(draft, 0o600);
  await sync(draft);
  // Unlike a rename, a link fails when the name is taken, even if it was taken just now.
  if (overwrite || !(await linked(draft, path))) await rename(draft, path);
  else await unlink(draft);
  await syncFolder(dirname(path));
};

/**
 * Gives a file a second name.
 *
 * @returns whether the file system can do that
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

/** A rename or link in a folder survives a power failure once the folder itself is synced. */
export const syncFolder = async (folder: string): Promise<void> => {
  if (process.platform !== "win32") await sync(folder);
};

/** Waits until the disk has a file or folder. */
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
 * For `catch`: ignores that a file does not exist, or that a folder in its path is not a folder, and
 * rethrows any other error.
 */
export const ignoringAbsence = (error: unknown): undefined => {
  if (!isCode(error, "ENOENT") && !isCode(error, "ENOTDIR")) throw error;
};

/** Whether an error of the system says that the disk, or the user's share of it, is full. */
export const isFull = (error: unknown): boolean =>
  isCode(error, "ENOSPC") || isCode(error, "EDQUOT");

const isCode = (error: unknown, code: string): boolean =>
  error instanceof Error && "code" in error && error.code === code;
