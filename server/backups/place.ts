import { constants, createReadStream, createWriteStream } from "node:fs";
import { access, readdir, rm, rmdir, stat, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import type { BackupTarget } from "../config/backup.ts";
import type { Config } from "../config/config.ts";
import { besideFile } from "../db/backup/files.ts";
import { BackupError, DamagedBackup } from "../db/errors.ts";
import { ignoring, putInPlace } from "../lib/durable.ts";
import { DAY_MS } from "../lib/durations.ts";
import { existing, makeFolder } from "../lib/folders.ts";
import type { S3Bucket } from "../recordings/s3-store.ts";
import { FileMissing } from "../recordings/store.ts";
import { FILMS, OWN } from "./manifest.ts";

/** Where backups are kept. A file is there whole, or not at all. */
export interface BackupPlace {
  /** For messages. */
  readonly shown: string;
  /** The files directly in it with their sizes. */
  names(): Promise<ReadonlyMap<string, number>>;
  /** The files below FILMS with their sizes. */
  films(): Promise<ReadonlyMap<string, number>>;
  /** Runs work with a folder for drafts, which is removed afterwards. */
  withDrafts<T>(work: (folder: string) => Promise<T>): Promise<T>;
  /** Moves a draft here, over a former file of this name. @param onSent gets how many bytes are here */
  put(file: string, draft: string, onSent?: (bytes: number) => void): Promise<void>;
  /** @throws DamagedBackup if the file is not here */
  read(file: string, bytes: number): Promise<Readable>;
  /** A file as one of this machine: itself, or its copy in `folder`. @throws DamagedBackup */
  local(file: string, bytes: number, folder: string): Promise<string>;
  remove(file: string): Promise<void>;
  /**
   * Checks that backups can be written here. A folder stays as it is; in a bucket a small object is
   * written and removed.
   *
   * @throws an error of the system; StoreAway
   */
  check(): Promise<void>;
}

const missing = (file: string, shown: string): DamagedBackup =>
  new DamagedBackup(`${file} is not in ${shown}.`);

const openBackupFolder = (root: string): BackupPlace => {
  const path = (file: string): string => join(root, file);
  return {
    shown: root,
    names: () => sizesIn(root, false),
    films: async () => {
      const found = await sizesIn(path(FILMS), true);
      return new Map([...found].map(([file, bytes]) => [`${FILMS}${file}`, bytes]));
    },
    // Of one prefix for all backups: the next one removes what a killed one has left.
    withDrafts: (work) => besideFile(path("parley"), work),
    put: async (file, draft) => {
      await makeFolder(dirname(path(file)));
      await putInPlace(draft, path(file), true);
    },
    read: async (file) => {
      if ((await stat(path(file)).catch(ignoring("ENOENT"))) === undefined) {
        throw missing(file, root);
      }
      return createReadStream(path(file));
    },
    local: async (file) => path(file),
    remove: async (file) => {
      await rm(path(file), { force: true });
      // The last file of a recording takes the empty folders with it.
      for (let above = dirname(file); above !== "."; above = dirname(above)) {
        const isGone = await rmdir(path(above)).then(
          () => true,
          () => false,
        );
        if (!isGone) return;
      }
    },
    check: async () => {
      await access(await existing(root), constants.R_OK | constants.W_OK | constants.X_OK);
    },
  };
};

/** The sizes of the files in a folder, by their names with slashes. */
const sizesIn = async (folder: string, recursive: boolean): Promise<Map<string, number>> => {
  const entries =
    (await readdir(folder, { recursive, withFileTypes: true }).catch(ignoring("ENOENT"))) ?? [];
  const found = new Map<string, number>();
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const facts = await stat(path).catch(ignoring("ENOENT"));
    if (facts) found.set(relative(folder, path).replaceAll("\\", "/"), facts.size);
  }
  return found;
};

/** @param dataDir where drafts are made before they are sent */
const openBackupBucket = (store: S3Bucket, shown: string, dataDir: string): BackupPlace => {
  const read = async (file: string, bytes: number): Promise<Readable> => {
    try {
      return await store.read(file, bytes);
    } catch (error) {
      throw error instanceof FileMissing ? missing(file, shown) : error;
    }
  };
  return {
    shown,
    names: () => store.sizes(OWN, false),
    films: () => store.sizes(FILMS, true),
    withDrafts: async (work) => {
      await store.forgetUploads(OWN, DAY_MS);
      return besideFile(join(dataDir, "parley-backup"), work);
    },
    put: async (file, draft, onSent) => {
      const { size } = await stat(draft);
      await store.put(file, draft, size, new AbortController().signal, onSent);
    },
    read,
    local: async (file, bytes, folder) => {
      const path = join(folder, "local");
      await pipeline(await read(file, bytes), createWriteStream(path, { mode: 0o600 }));
      return path;
    },
    remove: (file) => store.remove(file),
    check: () => store.check(),
  };
};

/**
 * Opens a place of backups.
 *
 * @throws BackupError if it cannot be used
 */
export const openBackupPlace = async (
  { backup, dataDir, s3 }: Pick<Config, "backup" | "dataDir" | "s3">,
  target: BackupTarget,
): Promise<BackupPlace> => {
  if ("folder" in target) return openBackupFolder(target.folder);
  const { bucket, prefix } = target;
  if (backup.access === undefined) {
    throw new BackupError(
      `For s3://${bucket}/${prefix}, set BACKUP_S3_ACCESS_KEY_ID and BACKUP_S3_SECRET_ACCESS_KEY (and BACKUP_S3_ENDPOINT outside of Amazon).`,
    );
  }
  // Retention would remove the recordings themselves.
  if (s3?.bucket === bucket && s3.prefix.startsWith(`${prefix}${FILMS}`)) {
    throw new BackupError("The recordings of the service are where the backup would keep its own.");
  }
  const { openS3 } = await import("../recordings/s3-store.ts");
  const store = openS3({ ...backup.access, bucket, prefix });
  return openBackupBucket(store, `s3://${bucket}/${prefix}`, dataDir);
};

/** The text of a small file of a place. @throws DamagedBackup */
export const readText = async (
  place: BackupPlace,
  file: string,
  sizes: ReadonlyMap<string, number>,
): Promise<string> => {
  const bytes = sizes.get(file);
  if (bytes === undefined) throw missing(file, place.shown);
  return text(await place.read(file, bytes));
};

/** Puts a text as a file into a place. */
export const putText = async (
  place: BackupPlace,
  folder: string,
  file: string,
  content: string,
): Promise<void> => {
  const draft = join(folder, file);
  await writeFile(draft, content, { mode: 0o600 });
  await place.put(file, draft);
};
