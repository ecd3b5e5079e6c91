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
 * Only refers to a file (open(2)). Closing an ordinary descriptor would end this process's locks on
 * the file, and with them the service's hold on its database.
 */
const O_PATH = 0o10_000_000;

/** The path of an open folder by its descriptor, which survives a rename. */
const opened = (folder: number): string => `/proc/self/fd/${folder}`;

const giveAll = (folder: number, uid: number, gid: number): void => {
  for (const name of readdirSync(opened(folder))) {
    try {
      giveOne(`${opened(folder)}/${name}`, uid, gid);
    } catch {
      // It was removed meanwhile, or is a link: skip it.
    }
  }
};

/** Changes the owner of root's file, or of a folder with its content. Does not follow links. */
const giveOne = (path: string, uid: number, gid: number): void => {
  const file = openSync(path, O_PATH | O_NOFOLLOW);
  try {
    const found = fstatSync(file);
    // A hard link to root's file elsewhere would give that file away.
    const isPlain = found.isDirectory() || (found.isFile() && found.nlink === 1);
    if (found.uid === 0 && isPlain) chownSync(opened(file), uid, gid);
    if (found.isDirectory()) giveAll(file, uid, gid);
  } finally {
    closeSync(file);
  }
};

/**
 * Gives root's files in a data folder to the folder's owner, the service's user: otherwise the
 * service could not start. That user may rename things at any time, so files are reached only
 * through open folders. Does nothing for other users, or without `/proc`; a missing folder was
 * reported by the command.
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
