import {
  chownSync,
  closeSync,
  constants,
  existsSync,
  fstatSync,
  openSync,
  readdirSync,
  statSync,
} from "node:fs";

const { O_RDONLY, O_NOFOLLOW, O_DIRECTORY } = constants;
/**
 * Only refers to a file (open(2)). Closing an ordinary descriptor would end every lock that this
 * process has on the file, and with them the service's hold on its database.
 */
const O_PATH = 0o10_000_000;

/** The path of an open folder by its descriptor, which stays right when the folder is renamed. */
const opened = (folder: number): string => `/proc/self/fd/${folder}`;

const giveAll = (folder: number, uid: number, gid: number): void => {
  for (const name of readdirSync(opened(folder))) {
    try {
      giveOne(`${opened(folder)}/${name}`, uid, gid);
    } catch {
      // It was removed meanwhile, or is a link: it is skipped.
    }
  }
};

/** Changes the owner of a file of root, or of a folder and what is in it. Does not follow links. */
const giveOne = (path: string, uid: number, gid: number): void => {
  const file = openSync(path, O_PATH | O_NOFOLLOW);
  try {
    const found = fstatSync(file);
    // A hard link to a file of root elsewhere would give that file away.
    const isPlain = found.isDirectory() || (found.isFile() && found.nlink === 1);
    if (found.uid === 0 && isPlain) chownSync(opened(file), uid, gid);
    if (found.isDirectory()) giveAll(file, uid, gid);
  } finally {
    closeSync(file);
  }
};

/**
 * Gives files that root made in a data folder to the owner of the folder, the user of the service: a
 * file of root would keep the service from starting. That user may rename what is in the folder at
 * any time, so files are reached through open folders only. Does nothing for other users, and where
 * the system has no `/proc`; where there is no such folder, the command has said so.
 */
export const giveToOwner = (dataDir: string): void => {
  if (process.getuid?.() !== 0 || !existsSync(opened(0))) return;
  if (!statSync(dataDir, { throwIfNoEntry: false })?.isDirectory()) return;
  const folder = openSync(dataDir, O_RDONLY | O_DIRECTORY);
  try {
    const { uid, gid } = fstatSync(folder);
    if (uid !== 0) giveAll(folder, uid, gid);
  } finally {
    closeSync(folder);
  }
};
