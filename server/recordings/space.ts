import { statfs } from "node:fs/promises";
import { askDisk } from "../lib/disk.ts";

/**
 * The bytes that this user may still write to an existing folder's disk.
 *
 * @param read asks the disk
 * @throws Error also if the disk does not answer
 */
export const freeSpace = async (folder: string, read = statfs): Promise<number> => {
  const { bavail, bsize } = await askDisk(`space ${folder}`, () => read(folder));
  return bavail * bsize;
};

/** Whether a folder's disk has room for these bytes, with `leastFree` left over. */
export const hasRoomFor = async (
  bytes: number,
  folder: string,
  leastFree: number,
): Promise<boolean> => (await freeSpace(folder)) - bytes > leastFree;
