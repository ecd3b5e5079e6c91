import {
  closeSync,
  constants,
  fchownSync,
  fstatSync,
  openSync,
  readdirSync,
  statSync,
} from "node:fs";
import { join } from "node:path";

/** Does not follow links, and does not wait for devices or pipes. */
const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;

/** Changes the owner of one file or folder of root. @returns whether it is a folder */
const giveOne = (path: string, uid: number, gid: number): boolean => {
  const file = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const found = fstatSync(file);
    // A second name for a file of root elsewhere would give that file away.
    const isPlain = found.isDirectory() || (found.isFile() && found.nlink === 1);
    if (found.uid === 0 && isPlain) fchownSync(file, uid, gid);
    return found.isDirectory();
  } finally {
    closeSync(file);
  }
};

const giveAll = (folder: string, uid: number, gid: number): void => {
  for (const name of readdirSync(folder)) {
    try {
      const path = join(folder, name);
      if (giveOne(path, uid, gid)) giveAll(path, uid, gid);
    } catch {
      // It is gone meanwhile, or is a link: skip both.
    }
  }
};

/**
 * Gives files that root made in a data folder to the owner of the folder, the user of the service: a
 * file of root would keep the service from starting. Does nothing for other users.
 */
export const giveToOwner = (dataDir: string): void => {
  if (process.getuid?.() !== 0) return;
  const found = statSync(dataDir, { throwIfNoEntry: false });
  if (found !== undefined && found.uid !== 0) giveAll(dataDir, found.uid, found.gid);
};
