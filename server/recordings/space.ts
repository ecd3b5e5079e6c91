import { statfs } from "node:fs/promises";

/** The bytes that this user may still write to the disk of an existing folder. */
export const freeSpace = async (folder: string): Promise<number> => {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
};

/** Whether the disk of a folder has room for these bytes, with `leastFree` left over. */
export const hasRoomFor = async (
  bytes: number,
  folder: string,
  leastFree: number,
): Promise<boolean> => (await freeSpace(folder)) - bytes > leastFree;
