import type { Readable } from "node:stream";
import type { Config } from "../config.ts";
import { openFolder } from "./folder-store.ts";
import type { S3Store } from "./s3-store.ts";

/** Bytes of a file, the last one included. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** A place where the files of recordings are. */
export interface Store {
  /**
   * Reads a file, or a range of it.
   *
   * @param path relative to all recordings, such as `ORGANIZATION/ROOM/RECORDING/index.m3u8`
   * @throws FileMissing; StoreAway
   */
  read(path: string, range?: ByteRange): Promise<Readable>;
  /**
   * Erases everything below a folder.
   *
   * @returns whether anything was there
   * @throws StoreAway, or an error of the file system; what is left is erased by the next try
   */
  erase(folder: string): Promise<boolean>;
}

/** A file is not where its recording says. */
export class FileMissing extends Error {
  override readonly name = "FileMissing";
}

/**
 * The store does not answer, or refuses. Its message is the store's name of the error: nothing that the
 * store or its client says beside it, because that may name keys and signatures.
 */
export class StoreAway extends Error {
  override readonly name = "StoreAway";
}

/** Where the files of recordings are, by the name that rows give it. */
export interface Stores {
  readonly folder: Store & { readonly path: (folder: string) => string };
  /** The S3-compatible store; undefined where none is set. Its client is loaded by the first call. */
  readonly s3: (() => Promise<S3Store>) | undefined;
}

/** Opens the stores that the settings describe. */
export const openStores = ({ dataDir, s3 }: Pick<Config, "dataDir" | "s3">): Stores => {
  let opened: Promise<S3Store> | undefined;
  return {
    folder: openFolder(dataDir),
    s3:
      s3 &&
      (() => {
        opened ??= import("./s3-store.ts").then(({ openS3 }) => openS3(s3));
        return opened;
      }),
  };
};

/**
 * The store that rows call so.
 *
 * @throws StoreAway where it is set no longer
 */
export const storeOf = async ({ folder, s3 }: Stores, name: "folder" | "s3"): Promise<Store> => {
  if (name === "folder") return folder;
  if (s3 === undefined) throw new StoreAway("S3_BUCKET is not set");
  return s3();
};
