import { createReadStream } from "node:fs";
import { addAbortSignal, type Readable } from "node:stream";
import { crc32 } from "node:zlib";
import * as aws from "@aws-sdk/client-s3";
import { Upload } from "@aws-sdk/lib-storage";
import type { S3Config } from "../config/store.ts";
import { retryAfterMs } from "../lib/backoff.ts";
import { HOUR_MS } from "../lib/durations.ts";
import { uuid7 } from "../lib/id.ts";
import { STILL_MS, Watchdog } from "../lib/watch.ts";
import { FileMissing, FileUnreadable, type RecordingStore, StoreAway } from "./store.ts";

/** An S3-compatible store. This file and the client are loaded only if a store is configured. */
export interface S3Store extends RecordingStore {
  /**
   * Stores a file, and compares it with what the store has.
   *
   * @param bytes its size
   * @param onSent gets how many of them were sent
   * @throws FileUnreadable; StoreAway, also if the stored file differs
   */
  put(
    path: string,
    file: string,
    bytes: number,
    signal: AbortSignal,
    onSent?: (bytes: number) => void,
  ): Promise<void>;
  /** The size of a file; undefined if it does not exist. @throws StoreAway */
  sizeOf(path: string, signal?: AbortSignal): Promise<number | undefined>;
  /** Checks the store by writing and removing a small object. @throws StoreAway */
  check(): Promise<void>;
}

/** A store with what only backups ask of it. */
export interface S3Bucket extends S3Store {
  /**
   * The sizes of the files whose paths begin with these letters.
   *
   * @param isDeep also of those with another slash in the rest of their path
   * @throws StoreAway
   */
  sizes(begin: string, isDeep: boolean): Promise<ReadonlyMap<string, number>>;
  /** Removes one file, if it is there. @throws StoreAway */
  remove(path: string): Promise<void>;
  /**
   * Removes what uploads to paths that begin with these letters left unfinished so long ago.
   *
   * @throws StoreAway
   */
  forgetUploads(begin: string, ageMs: number): Promise<void>;
}

/** The timeout to connect. */
const CONNECT_MS = 5_000;
/** The memory of an upload: pieces of this size, and how many are sent at a time. */
const PIECE_BYTES = 8 * 1024 ** 2;
const PIECES = 2;
/** The most pieces of a file that a store takes; larger files have larger pieces. */
const MOST_PIECES = 10_000;
/** However long the store asks to be left alone. */
const LONGEST_TOLD_MS = HOUR_MS;
/** Objects that are deleted at a time. */
const AT_ONCE = 32;

const CHECKSUM = "CRC32";

/** The name of an error and its HTTP status, without its other details. */
const nameOf = (error: unknown): string => {
  if (error instanceof StoreAway) return error.message;
  const { name, code, $metadata } = error as {
    readonly name?: string;
    readonly code?: string;
    readonly $metadata?: { readonly httpStatusCode?: number };
  };
  const status = $metadata?.httpStatusCode;
  return `${code ?? name ?? "unknown"}${status === undefined ? "" : ` (HTTP ${status})`}`;
};

/** The options of a request that a signal ends. */
const endedBy = (signal: AbortSignal | undefined) => (signal ? { abortSignal: signal } : {});

/** When the store wants another try, if it says so. */
const againOf = (error: unknown): number => {
  const { $response } = error as {
    readonly $response?: { readonly headers?: Readonly<Record<string, string | undefined>> };
  };
  return Math.min(retryAfterMs($response?.headers?.["retry-after"]) ?? 0, LONGEST_TOLD_MS);
};

/** CRC-32 as S3 writes it: base64 of four big-endian bytes. */
const checksumOf = async (data: Readable, signal: AbortSignal): Promise<string> => {
  let sum = 0;
  const watch = new Watchdog({
    stillMs: STILL_MS.store,
    onStill: () => data.destroy(new StoreAway("it answers no further")),
  });
  try {
    for await (const piece of addAbortSignal(signal, data)) {
      watch.goOn();
      sum = crc32(piece, sum);
    }
  } finally {
    watch.stop();
  }
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(sum);
  return bytes.toString("base64");
};

/** @throws StoreAway if an answer is no list, such as a proxy's page */
const refuseNoList = (answer: Omit<aws.ListObjectsV2CommandOutput, "Contents">): void => {
  const facts = [answer.Name, answer.KeyCount, answer.IsTruncated];
  if (facts.some((one) => one !== undefined)) return;
  throw new StoreAway("it answers with something else than a list");
};

/** Opens a store; nothing is sent yet. */
export const openS3 = (config: S3Config): S3Bucket => {
  const { bucket: Bucket, accessKeyId, secretAccessKey, prefix } = config;
  const client = new aws.S3Client({
    ...(config.endpoint === undefined ? {} : { endpoint: config.endpoint }),
    region: config.region,
    credentials: { accessKeyId, secretAccessKey },
    forcePathStyle: config.pathStyle,
    maxAttempts: 2,
    requestHandler: { connectionTimeout: CONNECT_MS, socketTimeout: STILL_MS.store },
  });
  const keyOf = (path: string): string => `${prefix}${path}`;
  /** Before this time the store wants no work that can wait. */
  let notBefore = 0;

  /** @throws StoreAway if the work fails; the signal's reason if that ended it */
  const orAway = async <T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> => {
    if (performance.now() < notBefore) throw new StoreAway("it asks to wait");
    try {
      return await work();
    } catch (error) {
      signal?.throwIfAborted();
      notBefore = Math.max(notBefore, performance.now() + againOf(error));
      throw new StoreAway(nameOf(error));
    }
  };

  const contentOf = async (Key: string, Range?: string, signal?: AbortSignal) => {
    const { Body, ContentLength: length } = await client.send(
      new aws.GetObjectCommand({ Bucket, Key, ...(Range === undefined ? {} : { Range }) }),
      endedBy(signal),
    );
    return { body: Body as Readable, length };
  };

  /** The store's checksum of the whole object; if it has none, that of the object's downloaded bytes. */
  const storedChecksum = async (
    Key: string,
    bytes: number,
    signal: AbortSignal,
  ): Promise<string> => {
    const head = await client.send(
      new aws.HeadObjectCommand({ Bucket, Key, ChecksumMode: "ENABLED" }),
      endedBy(signal),
    );
    if (head.ContentLength !== bytes) throw new StoreAway("what arrived has another size");
    const isWhole = head.ChecksumType !== "COMPOSITE" && !head.ChecksumCRC32?.includes("-");
    if (head.ChecksumCRC32 !== undefined && isWhole) return head.ChecksumCRC32;
    const { body } = await contentOf(Key, undefined, signal);
    return checksumOf(body, signal);
  };

  /**
   * The first keys with a prefix.
   *
   * @throws StoreAway if the answer is no list, such as a proxy's page
   */
  const keysWith = async (Prefix: string, signal?: AbortSignal): Promise<readonly string[]> => {
    const { Contents = [], ...facts } = await client.send(
      new aws.ListObjectsV2Command({ Bucket, Prefix, MaxKeys: AT_ONCE }),
      endedBy(signal),
    );
    refuseNoList(facts);
    const keys = Contents.map(({ Key = "" }) => Key);
    // Everything listed is erased.
    if (keys.every((key) => key.startsWith(Prefix))) return keys;
    throw new StoreAway("it lists what it was not asked for");
  };

  const eraseObjects = async (Prefix: string, signal?: AbortSignal): Promise<void> => {
    for (let last: string | undefined; ; ) {
      // Lists from the beginning each time, because the listed objects are gone.
      const keys = await keysWith(Prefix, signal);
      // Listed objects may be another process's by now.
      signal?.throwIfAborted();
      if (keys.length === 0) return;
      if (last !== undefined && keys.includes(last)) throw new StoreAway("it keeps what is erased");
      await Promise.all(
        keys.map((Key) =>
          client.send(new aws.DeleteObjectCommand({ Bucket, Key }), endedBy(signal)),
        ),
      );
      last = keys.at(-1);
    }
  };

  /** Aborts uploads of killed processes: they are in no list of objects, but take space. */
  const abortUploads = async (
    Prefix: string,
    signal?: AbortSignal,
    before?: Date,
  ): Promise<void> => {
    const { Uploads = [] } = await client.send(
      new aws.ListMultipartUploadsCommand({ Bucket, Prefix }),
      endedBy(signal),
    );
    for (const { Key, UploadId, Initiated } of Uploads) {
      signal?.throwIfAborted();
      if (before !== undefined && (Initiated === undefined || Initiated > before)) continue;
      await client.send(
        new aws.AbortMultipartUploadCommand({ Bucket, Key, UploadId }),
        endedBy(signal),
      );
    }
  };

  return {
    read: async (path, bytes, range) => {
      try {
        const asked = range && `bytes=${range.start}-${range.end}`;
        const { body, length } = await contentOf(keyOf(path), asked);
        const meant = range === undefined ? bytes : range.end - range.start + 1;
        if (length === meant) return body;
        body.destroy();
      } catch (error) {
        if (error instanceof aws.NoSuchKey) throw new FileMissing(`${path} is not there.`);
        throw new StoreAway(nameOf(error));
      }
      throw new StoreAway("it answers with another size");
    },
    put: async (path, file, bytes, signal, onSent) => {
      let unreadable: unknown;
      const read = (): Readable =>
        createReadStream(file).once("error", (error) => {
          unreadable = error;
        });
      await orAway(async () => {
        const Key = keyOf(path);
        const upload = new Upload({
          client,
          params: { Bucket, Key, Body: read(), ChecksumAlgorithm: CHECKSUM },
          partSize: Math.max(PIECE_BYTES, Math.ceil(bytes / MOST_PIECES)),
          queueSize: PIECES,
        });
        if (onSent) upload.on("httpUploadProgress", ({ loaded = 0 }) => onSent(loaded));
        const stop = (): void => void upload.abort();
        signal.addEventListener("abort", stop, { once: true });
        try {
          signal.throwIfAborted();
          await upload.done();
        } finally {
          signal.removeEventListener("abort", stop);
        }
        const here = await checksumOf(read(), signal);
        const there = await storedChecksum(Key, bytes, signal);
        if (here !== there) throw new StoreAway("what arrived has another checksum");
      }, signal).catch((error: unknown) => {
        const isFile = unreadable !== undefined && !signal.aborted;
        throw isFile ? new FileUnreadable(nameOf(unreadable)) : error;
      });
    },
    erase: (folder, signal) =>
      orAway(async () => {
        // With the slash, because one ID could be the prefix of another.
        const Prefix = keyOf(`${folder}/`);
        await abortUploads(Prefix, signal);
        await eraseObjects(Prefix, signal);
      }, signal),
    sizeOf: (path, signal) =>
      orAway(async () => {
        try {
          const Key = keyOf(path);
          const head = await client.send(
            new aws.HeadObjectCommand({ Bucket, Key }),
            endedBy(signal),
          );
          return head.ContentLength;
        } catch (error) {
          // A HEAD has no body that would say NoSuchKey.
          if (error instanceof aws.NotFound) return undefined;
          throw error;
        }
      }, signal),
    sizes: (begin, isDeep) =>
      orAway(async () => {
        const found = new Map<string, number>();
        const Prefix = keyOf(begin);
        const asked = { Bucket, Prefix, ...(isDeep ? {} : { Delimiter: "/" }) };
        for (let ContinuationToken: string | undefined; ; ) {
          const answer = await client.send(
            new aws.ListObjectsV2Command({
              ...asked,
              ...(ContinuationToken === undefined ? {} : { ContinuationToken }),
            }),
          );
          refuseNoList(answer);
          for (const { Key = "", Size = 0 } of answer.Contents ?? []) {
            if (Key.startsWith(Prefix)) found.set(Key.slice(prefix.length), Size);
          }
          ContinuationToken = answer.IsTruncated ? answer.NextContinuationToken : undefined;
          if (ContinuationToken === undefined) return found;
        }
      }),
    remove: (path) =>
      orAway(async () => {
        await client.send(new aws.DeleteObjectCommand({ Bucket, Key: keyOf(path) }));
      }),
    forgetUploads: (begin, ageMs) =>
      orAway(() => abortUploads(keyOf(begin), undefined, new Date(Date.now() - ageMs))),
    check: () =>
      orAway(async () => {
        const Key = keyOf(`check-${uuid7()}`);
        await client.send(new aws.PutObjectCommand({ Bucket, Key, Body: "Parley" }));
        await keysWith(Key);
        await client.send(new aws.DeleteObjectCommand({ Bucket, Key }));
      }),
  };
};
