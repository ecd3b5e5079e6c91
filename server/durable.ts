import { chmod, link, open, rename, stat, unlink } from "node:fs/promises";
import { dirname } from "node:path";

/** A file that is not to be written over is there. */
export class FileExists extends Error {
  override readonly name = "FileExists";
}

/** Whether there is a file (or anything else) of this name. */
export const exists = async (path: string): Promise<boolean> =>
  (await stat(path).catch(ignoring("ENOENT"))) !== undefined;

/**
 * Gives a finished file its name, for its owner only, durably: at any moment the name has all of it
 * or what it had before, and afterwards a power failure takes nothing away.
 *
 * @throws FileExists where the name is taken and may not be overwritten
 */
export const putInPlace = async (
  draft: string,
  path: string,
  overwrite: boolean,
): Promise<void> => {
  await chmod(draft, 0o600);
  await sync(draft);
  // Unlike renaming, linking fails where the name is taken, also when it was taken just now.
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

/** What was renamed or linked in a folder lasts only when the folder itself is on the disk. */
export const syncFolder = async (folder: string): Promise<void> => {
  if (process.platform !== "win32") await sync(folder);
};

const sync = async (path: string): Promise<void> => {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};

/** For `catch`: nothing where the system said this, else the error goes on. */
export const ignoring =
  (code: string): ((error: unknown) => undefined) =>
  (error) => {
    if (!isCode(error, code)) throw error;
  };

const isCode = (error: unknown, code: string): boolean =>
  error instanceof Error && "code" in error && error.code === code;
