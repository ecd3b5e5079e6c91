import type { Readable } from "node:stream";

/** A range of a file's bytes, including the last one. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** A place for files of recordings. */
export interface RecordingStore {
  /**
   * Reads a file, or a range of it.
   *
   * @param path relative to all recordings, such as `ORGANIZATION/ROOM/RECORDING/index.m3u8`
   * @param bytes its size when it moved to a store, which a replacement would not have
   * @throws FileMissing; StoreAway
   */
  read(path: string, bytes: number, range?: ByteRange): Promise<Readable>;
  /**
   * Erases everything below a folder.
   *
   * @param signal ends it
   * @throws StoreAway, or a file system error; the next try erases the rest
   */
  erase(folder: string, signal?: AbortSignal): Promise<void>;
}

/** A file is not where its recording says. */
export class FileMissing extends Error {
  override readonly name = "FileMissing";
}

/**
 * The store does not answer, or refuses. The message is only the name of its error: the details may
 * contain keys and signatures.
 */
export class StoreAway extends Error {
  override readonly name = "StoreAway";
}

/** A file in DATA_DIR to upload cannot be read: the store is not to blame. */
export class FileUnreadable extends Error {
  override readonly name = "FileUnreadable";
}

/** The recordings in DATA_DIR. */
export interface FolderStore extends RecordingStore {
  /** The path of a folder or file in the file system. */
  readonly path: (relative: string) => string;
  /** The IDs of the organizations that may have files here. */
  readonly organizations: () => Promise<readonly string[]>;
}
