import { statfs } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";

/** How long a disk may take to say how much room it has, in milliseconds: less than the lease of a recording. */
const DISK_MS = 5_000;

/** The questions that no disk has answered yet: one for each folder, because each takes one of few threads. */
const asked = new Map<string, Promise<number>>();

const ask = async (folder: string, read: typeof statfs): Promise<number> => {
  try {
    const { bavail, bsize } = await read(folder);
    return bavail * bsize;
  } finally {
    asked.delete(folder);
  }
};

/**
 * The bytes that this user may still write to the disk of an existing folder.
 *
 * @param read asks the disk
 * @throws Error also where the disk does not answer
 */
export const freeSpace = async (folder: string, read = statfs): Promise<number> => {
  const asking = asked.get(folder) ?? ask(folder, read);
  asked.set(folder, asking);
  const answered = new AbortController();
  const late = sleep(DISK_MS, undefined, { signal: answered.signal }).then(() => {
    throw new Error("The disk does not answer.");
  });
  late.catch(() => {});
  return await Promise.race([asking, late]).finally(() => answered.abort());
};

/** Whether the disk of a folder has room for these bytes, with `leastFree` left over. */
export const hasRoomFor = async (
  bytes: number,
  folder: string,
  leastFree: number,
): Promise<boolean> => (await freeSpace(folder)) - bytes > leastFree;
