import { statfs } from "node:fs/promises";

/** The free space on the disk of a folder that exists, for this user, in bytes. */
export const freeSpace = async (folder: string): Promise<number> => {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
};
