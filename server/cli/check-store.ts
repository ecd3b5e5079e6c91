import type { Config } from "../config/config.ts";
import { isShared } from "../db/place.ts";
import { noAnswerOf } from "../lib/no-answer.ts";
import { type Check, fault, note, ok } from "./check.ts";

const name = "store of recordings";

/** What stores say that have no room left for this bucket. */
const FULL = /Quota|StorageFull|InsufficientStorage|HTTP 507/;

/** The meaning of a store's error, with its HTTP status (s3-store.ts). */
const meanings: readonly (readonly [said: RegExp, means: string])[] = [
  [/NoSuchBucket/, "It has no such bucket"],
  [/HTTP 30\d|Redirect|Region|AuthorizationHeaderMalformed/, "It wants another region or address"],
  [FULL, "It is full"],
  [/InvalidAccessKeyId|UserNotFound/, "It does not know this access key"],
  [/HTTP 40[13]/, "It does not allow this key to do that"],
  [/HTTP (?:429|503)|SlowDown/, "It has too much to do"],
  [/TimeoutError/, "It does not answer in time"],
  [/HTTP \d|^it /, "It does not answer as a store should"],
];

/** The problem with a store, in words. */
export const storeProblemOf = (said: string): string => {
  const [, means] = meanings.find(([known]) => known.test(said)) ?? [];
  return means === undefined ? noAnswerOf(said) : `${means}: ${said}.`;
};

/** What to do about a store's error: make room, or otherwise check the settings. */
export const storeAdviceOf = (said: string, room: string, settings: string): string =>
  FULL.test(said)
    ? room
    : `Check ${settings}, which must be allowed to list, read, write and delete.`;

/** Where finished recordings are kept: tries an S3-compatible store; DATA_DIR needs nothing. */
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
  const { StoreAway } = await import("../recordings/store.ts");
  const place = `${s3.endpoint ?? "Amazon S3"}, bucket ${s3.bucket}`;
  try {
    const store = await openStores(config).s3?.();
    await store?.check();
    return [ok(name, place)];
  } catch (error) {
    if (!(error instanceof StoreAway)) throw error;
    return [
      fault(
        name,
        `${place}: ${storeProblemOf(error.message)}`,
        storeAdviceOf(
          error.message,
          "Make room in it, or delete recordings.",
          "S3_ENDPOINT, S3_BUCKET, S3_REGION and the key",
        ),
      ),
    ];
  }
};
