import type { Logger } from "pino";
import type { Queries } from "../change/organization.ts";
import { now } from "../db/now.ts";
import type { Database } from "../db/open.ts";
import { rest } from "../db/pieces.ts";
import type { ErasureRow } from "../db/recording-tables.ts";
import { digestOf } from "../lib/digest.ts";
import { DAY_MS } from "../lib/durations.ts";
import { forgetOrganization, lockIfThere } from "../meetings/captures/erasures.ts";
import type { FolderStore } from "./store.ts";
import { type Stores, storeOf } from "./stores.ts";

/** The pause before an erasure is retried: it doubles with each try, up to the longest. */
const FIRST_WAIT_MS = 2_000;
const LONGEST_WAIT_MS = 300_000;

/** How long erased folders are remembered; a machine that was away for longer keeps its copies. */
const KNOWN_MS = 366 * DAY_MS;
/** Rows this recent are read again: a change may become visible later than its timestamp. */
const AGAIN_MS = 60_000;
const PIECE = 500;

/** An erasure that no process has carried out yet. */
type Due = ErasureRow & { readonly store: "folder" | "s3" };

/** Claims the oldest due erasure, which no other process takes until its next try is due. */
const claim = (database: Pick<Database, "change">): Promise<Due | undefined> =>
  database.change(async (tx) => {
    const due = await tx
      .selectFrom("erasures")
      .selectAll()
      .where("store", "in", ["folder", "s3"])
      .where("due_at", "<=", now())
      .orderBy("due_at")
      .orderBy("id")
      .limit(1)
      .executeTakeFirst();
    if (due === undefined) return undefined;
    const wait = Math.min(FIRST_WAIT_MS * 2 ** due.tries, LONGEST_WAIT_MS);
    return tx
      .updateTable("erasures")
      .set({ tries: due.tries + 1, due_at: now(wait) })
      .where("id", "=", due.id)
      .where("store", "=", due.store)
      .where("tries", "=", due.tries)
      .returningAll()
      .$narrowType<Due>()
      .executeTakeFirst();
  });

/**
 * Records that an erasure is done here or in the store; other machines' folders may still have
 * copies.
 */
const settle = async (tx: Queries, due: Due, isShared: boolean): Promise<void> => {
  const { id, store, organization_id: organizationId } = due;
  if (store === "folder" && isShared) {
    const there = await lockIfThere(tx, organizationId);
    const erased = { store: "elsewhere", due_at: now() } as const;
    await tx.updateTable("erasures").set(erased).where("id", "=", id).execute();
    if (!there) await forgetOrganization(tx, organizationId);
  } else await tx.deleteFrom("erasures").where("id", "=", id).execute();
};

/**
 * Carries out due erasures. A failed one stays in the table and is retried less and less often; its
 * row changes only after all its files are gone here, or in the store.
 *
 * @returns how many failed
 */
export const eraseDue = async (
  database: Pick<Database, "change">,
  stores: Stores,
  log: Pick<Logger, "warn">,
  signal?: AbortSignal,
): Promise<number> => {
  let left = 0;
  while (!signal?.aborted) {
    const due = await claim(database);
    if (due === undefined) break;
    try {
      await (await storeOf(stores, due.store)).erase(due.path, signal);
    } catch (error) {
      left += 1;
      if (due.tries === 1 && !signal?.aborted) {
        log.warn({ error: String(error), store: due.store }, "a recording is not erased yet");
      }
      continue;
    }
    await database.change((tx) => settle(tx, due, stores.shared));
  }
  return left;
};

/** The folders that rows name; a deleted organization's by its digest, if this machine has it. */
const foldersOf = async (
  folder: FolderStore,
  rows: readonly Pick<ErasureRow, "organization_id" | "path">[],
): Promise<readonly string[]> => {
  const paths = rows.flatMap((row) => (row.organization_id === "" ? [] : [row.path]));
  if (paths.length === rows.length) return paths;
  const digests = new Set(rows.map(({ path }) => path));
  const here = await folder.organizations();
  return [...paths, ...here.filter((id) => digests.has(digestOf(id)))];
};

/**
 * Erases here what another process erased on its machine.
 *
 * @param from the result of the previous call; an empty text to go through all remembered erasures
 * @returns the time from which the next call has to look
 */
export const eraseElsewhere = async (
  { read }: Pick<Database, "read">,
  folder: FolderStore,
  log: Pick<Logger, "warn">,
  from: string,
): Promise<string> => {
  const { next } = await read.selectNoFrom(now(-AGAIN_MS).as("next")).executeTakeFirstOrThrow();
  let [time, id] = [from, ""];
  for (;;) {
    const began = performance.now();
    const rows = await read
      .selectFrom("erasures")
      .select(["id", "organization_id", "path", "due_at"])
      .where("store", "=", "elsewhere")
      .where(({ and, or, eb }) =>
        or([eb("due_at", ">", time), and([eb("due_at", "=", time), eb("id", ">", id)])]),
      )
      .orderBy("due_at")
      .orderBy("id")
      .limit(PIECE)
      .execute();
    for (const path of await foldersOf(folder, rows)) {
      await folder.erase(path).catch((error: unknown) => {
        log.warn({ error: String(error) }, "a recording is not erased yet on this machine");
      });
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < PIECE) return next;
    [time, id] = [last.due_at, last.id];
    await rest(performance.now() - began);
  }
};

/** Deletes the records of folders that were erased very long ago. */
export const forgetErased = async (database: Pick<Database, "change">): Promise<void> => {
  await database.change((tx) =>
    tx
      .deleteFrom("erasures")
      .where("store", "=", "elsewhere")
      .where("due_at", "<=", now(-KNOWN_MS))
      .execute(),
  );
};
