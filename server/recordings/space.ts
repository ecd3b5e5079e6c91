import { statfs } from "node:fs/promises";

/** The free space on the disk of a folder that exists, for this user, in bytes. */
export const freeSpace = async (folder: string): Promise<number> => {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
};

/** Whether so many bytes can be written to the disk of a folder, and the least that stays free is left. */
export const hasRoomFor = async (
  bytes: number,
  folder: string,
  leastFree: number,
): Promise<boolean> => (await freeSpace(folder)) - bytes > leastFree;
