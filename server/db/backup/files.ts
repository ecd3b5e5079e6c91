import { mkdtempSync, rmSync } from "node:fs";
import { readdir, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { exists, FileExists, ignoring, putInPlace } from "../../lib/durable.ts";
import { DAY_MS } from "../../lib/durations.ts";
import { makeFolder } from "../../lib/folders.ts";
import { BackupError } from "../errors.ts";

const drafts = new Set<string>();

/**
 * Runs work with its own folder beside `path`, so that files made there can be renamed into place.
 * Only the owner can read the folder and its files; it is removed afterwards.
 */
export const besideFile = async <T>(
  path: string,
  work: (folder: string) => Promise<T>,
): Promise<T> => {
  const [parent, prefix] = [dirname(path), `.${basename(path)}.partial-`];
  await makeFolder(parent);
  await removeForgotten(parent, prefix);
  // Synchronously with the next line: a signal in between would leave the folder there.
  const folder = mkdtempSync(join(parent, prefix));
  drafts.add(folder);
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
    drafts.delete(folder);
  }
};

/**
 * Writes a file that an operator named: at any moment the name has the whole new file or what was
 * there before, and only the owner can read it.
 *
 * @param example the name of such a file, for somebody who names a folder
 * @param write writes the file into the folder that it is given, and returns its path and a result
 * @throws BackupError if the name is that of a folder, of a file that must not be overwritten, or in no folder
 */
export const writeNamed = async <T>(
  file: string,
  { force, example }: { readonly force: boolean; readonly example: string },
  write: (folder: string) => Promise<readonly [draft: string, result: T]>,
): Promise<T> => {
  const taken = new BackupError(`${file} exists already; --force writes over it.`);
  const found = await stat(file).catch(ignoring("ENOENT"));
  if (found?.isDirectory()) {
    throw new BackupError(
      `${file} is a folder: give the name of a file, such as ${join(file, example)}.`,
    );
  }
  if (found !== undefined && !force) throw taken;
  const parent = dirname(file);
  // A folder that is made for a mistyped name hides the mistake.
  if (!(await exists(parent))) {
    throw new BackupError(`There is no folder ${parent}: make it, or give another path.`);
  }
  return besideFile(file, async (folder) => {
    const [draft, result] = await write(folder);
    await putInPlace(draft, file, force).catch((error: unknown) => {
      throw error instanceof FileExists ? taken : error;
    });
    return result;
  });
};

/** Removes folders of killed processes: those older than a day, because another process may be running. */
const removeForgotten = async (parent: string, prefix: string): Promise<void> => {
  for (const name of (await readdir(parent)).filter((one) => one.startsWith(prefix))) {
    const { mtimeMs } = (await stat(join(parent, name)).catch(ignoring("ENOENT"))) ?? {};
    if (mtimeMs === undefined || Date.now() - mtimeMs < DAY_MS) continue;
    await rm(join(parent, name), { recursive: true, force: true });
  }
};

let removes = false;

/** For commands: removes drafts when the operator interrupts; the signal then ends the process as usual. */
export const removeDraftsOnSignals = (): void => {
  if (removes) return;
  removes = true;
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.once(signal, () => {
      for (const folder of drafts) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
      process.kill(process.pid, signal);
    });
  }
};

/** The current time as part of a file's name: `20260131T093000123Z`. */
export const stamp = (): string => new Date().toISOString().replace(/[-:.]/g, "");
