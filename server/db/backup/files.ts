import { mkdtempSync, rmSync } from "node:fs";
import { chmod, link, mkdir, open, readdir, rename, rm, stat, unlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { BackupError } from "./backup-error.ts";

const drafts = new Set<string>();

/**
 * Runs work that needs a folder of its own beside `path`, so that what it makes there can be renamed
 * into place. For the owner only, as everything that is made in it; gone afterwards.
 */
export const besideFile = async <T>(
  path: string,
  work: (folder: string) => Promise<T>,
): Promise<T> => {
  const [parent, prefix] = [dirname(path), `.${basename(path)}.partial-`];
  await mkdir(parent, { recursive: true, mode: 0o700 });
  await removeForgotten(parent, prefix);
  // At once with the note of it: a signal between the two would leave it there.
  const folder = mkdtempSync(join(parent, prefix));
  drafts.add(folder);
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
    drafts.delete(folder);
  }
};

/** What a process that was killed has left. Another one may be at work: only after a day is that sure. */
const removeForgotten = async (parent: string, prefix: string): Promise<void> => {
  for (const name of (await readdir(parent)).filter((one) => one.startsWith(prefix))) {
    const { mtimeMs } = (await stat(join(parent, name)).catch(ignoring("ENOENT"))) ?? {};
    if (mtimeMs === undefined || Date.now() - mtimeMs < 86_400_000) continue;
    await rm(join(parent, name), { recursive: true, force: true });
  }
};

/** For commands: half-made files go when the operator interrupts, which ends the process as usual. */
export const removeDraftsOnSignals = (): void => {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.once(signal, () => {
      for (const folder of drafts) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
      process.kill(process.pid, signal);
    });
  }
};

/** Whether there is a file (or anything else) of this name. */
export const exists = async (path: string): Promise<boolean> =>
  (await stat(path).catch(ignoring("ENOENT"))) !== undefined;

/** Gives a finished file its name, durably: at any moment the name has all of it or what it had before. */
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

/** Gives a file a second name. @returns whether the file system can do that. */
export const linked = async (from: string, to: string): Promise<boolean> => {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if (isCode(error, "EEXIST") || (await exists(to))) throw alreadyThere(to);
    if (["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"].some((code) => isCode(error, code)))
      return false;
    throw error;
  }
};

/** The refusal to write over a file. */
export const alreadyThere = (path: string): BackupError =>
  new BackupError(`${path} exists already; --force writes over it.`);

/** For `catch`: nothing where the system said this, else the error goes on. */
export const ignoring =
  (code: string): ((error: unknown) => undefined) =>
  (error) => {
    if (!isCode(error, code)) throw error;
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

const isCode = (error: unknown, code: string): boolean =>
  error instanceof Error && "code" in error && error.code === code;
