import type { skippingHeld } from "../../server/db/dialect.ts";
import type { Twin } from "./twin.ts";

/** Counts files that could not be erased. */
export const forgetsErasures: Twin = {
  name: "forgets what it could not erase",
  replaced: [
    {
      file: "recordings/erase.ts",
      lines: "left += 1;",
      by: 'await database.change((tx) => tx.deleteFrom("erasures").where("id", "=", due.id).execute());',
    },
  ],
};

/** Counts a folder as erased once one machine has erased it. */
export const forgetsMachines: Twin = {
  name: "erases folders on one machine only",
  replaced: [
    {
      file: "recordings/erase.ts",
      lines: 'if (store === "folder" && isShared) {',
      by: "if (isShared === undefined) {",
    },
  ],
};

/** Marks a recording as moved before it is in the store. */
export const movesFirst: Twin = {
  name: "moves recordings before they are uploaded",
  replaced: [
    {
      file: "recordings/upload.ts",
      lines: "await putAll(worker, row, s3);",
      by: "void putAll(worker, row, s3).catch(() => {});",
    },
  ],
};

/** Treats what any process makes as the remains of a dead one. */
export const removesOthersDownloads: Twin = {
  name: "removes what is being made for downloads",
  replaced: [
    {
      file: "recordings/downloads.ts",
      lines: "if (living.has(name)) continue;",
      by: "",
    },
  ],
};

/**
 * Makes a file of a recording in the store without claiming the recording, and leaves what it stored too
 * late.
 */
export const storesAfterErasure: Twin = {
  name: "stores a file of what was erased meanwhile",
  replaced: [
    {
      file: "recordings/lease.ts",
      export: "takeStored",
      by: `() => ({ database }, { id }) =>
        database.read.selectFrom("recordings").selectAll().where("id", "=", id).executeTakeFirst()`,
    },
    {
      file: "recordings/lease.ts",
      export: "whileKept",
      by: "() => ({ signal }, isKept, work) => work(signal)",
    },
    { file: "recordings/lease.ts", export: "eraseIfGone", by: "() => async () => {}" },
  ],
};

/** Removes all expired rows in one statement. */
export const expiresAtOnce: Twin = {
  name: "removes what expired at once",
  replaced: [
    {
      file: "change/removals.ts",
      lines: "const REMOVAL_PIECE = 200;",
      by: "const REMOVAL_PIECE = 1_000_000;",
    },
  ],
};

/** Waits for expired rows that a request holds, while others may wait for locks that it holds itself. */
export const waitsForHeld: Twin = {
  name: "waits for expired rows that are held",
  replaced: [
    {
      file: "db/dialect.ts",
      export: "skippingHeld",
      by: async (real: typeof skippingHeld): Promise<typeof skippingHeld> => {
        const { PostgresAdapter, sql } = await import("kysely");
        return (db) =>
          db.getExecutor().adapter instanceof PostgresAdapter ? sql`for update` : real(db);
      },
    },
  ],
};

/** Leaves all expired rows if some of them cannot be removed. */
export const stopsAtFailure: Twin = {
  name: "removes nothing more where a removal failed",
  replaced: [
    {
      file: "change/removals.ts",
      lines: "await removeAll(database, expiry, stopping).catch(onError);",
      by: "await removeAll(database, expiry, stopping);",
    },
  ],
};
