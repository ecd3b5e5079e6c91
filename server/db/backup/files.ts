import { mkdtempSync, rmSync } from "node:fs";
import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { ignoring } from "../../durable.ts";
import { DAY_MS } from "../../durations.ts";

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
  await mkdir(parent, { recursive: true, mode: 0o700 });
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

/** Removes folders of killed processes: those older than a day, because another process may be running. */
const removeForgotten = async (parent: string, prefix: string): Promise<void> => {
  for (const name of (await readdir(parent)).filter((one) => one.startsWith(prefix))) {
    const { mtimeMs } = (await stat(join(parent, name)).catch(ignoring("ENOENT"))) ?? {};
    if (mtimeMs === undefined || Date.now() - mtimeMs < DAY_MS) continue;
    await rm(join(parent, name), { recursive: true, force: true });
  }
};

/** For commands: removes drafts when the operator interrupts; the signal then ends the process as usual. */
export const removeDraftsOnSignals = (): void => {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.once(signal, () => {
      for (const folder of drafts) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
      process.kill(process.pid, signal);
    });
  }
};

/** The current time as part of a file's name: `20260131T093000123Z`. */
export const stamp = (): string => new Date().toISOString().replace(/[-:.]/g, "");
