import type { Config } from "../config.ts";
import { isShared } from "../db/place.ts";
import { type Check, fault, note, ok } from "./check.ts";

const name = "store of recordings";

/** Where finished recordings are kept: an S3-compatible store is tried out, DATA_DIR needs nothing. */
export const checkStore = async (config: Config): Promise<Check[]> => {
  const { s3 } = config;
  if (s3 === undefined) {
    return isShared(config)
      ? [
          note(
            name,
            "Recordings stay in DATA_DIR/recordings.",
            "If processes on several machines share the database, set S3_BUCKET, or let them share this folder.",
          ),
        ]
      : [];
  }
  const { openStores } = await import("../recordings/stores.ts");
  const place = `${s3.endpoint ?? "Amazon S3"}, bucket ${s3.bucket}`;
  try {
    const store = await openStores(config).s3?.();
    await store?.check();
    return [ok(name, place)];
  } catch (error) {
    return [
      fault(
        name,
        `${place}: ${error instanceof Error ? error.message : "unknown"}`,
        "Check S3_ENDPOINT, S3_BUCKET, S3_REGION and the key, which must be allowed to list, read, write and delete.",
      ),
    ];
  }
};
