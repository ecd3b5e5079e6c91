import type { Config } from "../config/config.ts";
import { isShared } from "../db/place.ts";
import { openFolder } from "./folder-store.ts";
import type { S3Store } from "./s3-store.ts";
import { type FolderStore, type RecordingStore, StoreAway } from "./store.ts";

/** The stores of recordings, by the name that rows give them. */
export interface Stores {
  /** True if processes on other machines, with folders of their own, may use the same database. */
  readonly shared: boolean;
  readonly folder: FolderStore;
  /** The S3-compatible store; undefined if none is configured. The first call loads its client. */
  readonly s3: (() => Promise<S3Store>) | undefined;
}

/** Opens the stores that the settings describe. */
export const openStores = ({
  databaseUrl,
  dataDir,
  s3,
}: Pick<Config, "databaseUrl" | "dataDir" | "s3">): Stores => {
  let opened: Promise<S3Store> | undefined;
  return {
    shared: isShared({ databaseUrl }),
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
 * The store with this name in rows.
 *
 * @throws StoreAway if it is no longer configured
 */
export const storeOf = async (
  { folder, s3 }: Stores,
  name: "folder" | "s3",
): Promise<RecordingStore> => {
  if (name === "folder") return folder;
  if (s3 === undefined) throw new StoreAway("S3_BUCKET is not set");
  return s3();
};
