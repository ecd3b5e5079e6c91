import { mkdtempSync, rmSync } from "node:fs";
import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { ignoring } from "../../durable.ts";

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
