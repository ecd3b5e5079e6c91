import { open, rm, rmdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { exists } from "../durable.ts";
import { FileMissing, type Stores } from "./store.ts";

/** The folder of all recordings. */
export const recordingsFolder = (dataDir: string): string => join(dataDir, "recordings");

/** The recordings in DATA_DIR. */
export const openFolder = (dataDir: string): Stores["folder"] => {
  const root = recordingsFolder(dataDir);
  const path = (folder: string): string => join(root, folder);
  return {
    path,
    read: async (file, range) => {
      const handle = await open(path(file)).catch(() => undefined);
      if (handle === undefined) throw new FileMissing(`${file} is not there.`);
      return handle.createReadStream(range);
    },
    erase: async (folder) => {
      const found = path(folder);
      if (!(await exists(found))) return false;
      await rm(found, { recursive: true, force: true });
      // The folders of its room and organization go with the last recording.
      for (let above = dirname(found); above.length > root.length; above = dirname(above)) {
        if (!(await rmdir(above).then(() => true, () => false))) break;
      }
      return true;
    },
  };
};

/** Whether a file of a recording is in the folder with this size. */
export const isWhole = async (path: string, bytes: number): Promise<boolean> =>
  (await stat(path).catch(() => undefined))?.size === bytes;
