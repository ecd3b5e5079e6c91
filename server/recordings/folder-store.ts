import { open, readdir, rm, rmdir } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import { exists } from "../lib/durable.ts";
import { recordingsFolder } from "./folder.ts";
import { FileMissing, type FolderStore } from "./store.ts";

/** The recordings in DATA_DIR. */
export const openFolder = (dataDir: string): FolderStore => {
  const root = recordingsFolder(dataDir);
  const path = (below: string): string => {
    const found = join(root, below);
    // A restored database may name anything: backups come from places that others may write to.
    if (!found.startsWith(root + sep)) throw new Error(`${below} is no path of a recording.`);
    return found;
  };
  return {
    path,
    organizations: () => readdir(root).catch(() => []),
    read: async (file, _bytes, range) => {
      const handle = await open(path(file)).catch(() => undefined);
      if (handle === undefined) throw new FileMissing(`${file} is not there.`);
      return handle.createReadStream(range);
    },
    erase: async (folder) => {
      const found = path(folder);
      if (!(await exists(found))) return;
      await rm(found, { recursive: true, force: true });
      // With the last recording, the folders of its room and organization are removed too.
      for (let above = dirname(found); above.length > root.length; above = dirname(above)) {
        if (
          !(await rmdir(above).then(
            () => true,
            () => false,
          ))
        )
          break;
      }
    },
  };
};
