import { sql } from "kysely";
import { now } from "../db/now.ts";
import type { ErasureRow, RecordingRow } from "../db/recording-tables.ts";
import { uuid7 } from "../id.ts";
import type { Queries } from "../organization.ts";

/*
 * What must be erased from where recordings are kept. A rule that deletes rows adds it in the same
 * transaction; the keeper carries it out, and tries again while a store is away (keeper.ts).
 */

type Store = ErasureRow["store"];

/** A folder of recordings: an organization's, a room's, or that of one recording. */
interface Folder {
  readonly organizationId: string;
  readonly path: string;
}

/**
 * Adds that a folder is to be erased.
 *
 * @param until a time before which somebody may still write into it; null: nobody does
 */
export const addErasures = async (
  tx: Queries,
  { organizationId, path }: Folder,
  stores: readonly Store[],
  until: string | null = null,
): Promise<void> => {
  if (stores.length === 0) return;
  await tx
    .insertInto("erasures")
    .values(
      stores.map((store) => ({
        ...{ id: uuid7(), organization_id: organizationId, store, path, tries: 0 },
        due_at: until === null ? now() : sql<string>`${sql.lit(until)}`,
        created_at: now(),
      })),
    )
    .execute();
};

/** The stores that may hold something of a recording: an upload has a lease from its first try on. */
export const storesOf = ({
  store,
  lease_until,
}: Pick<RecordingRow, "store" | "lease_until">): readonly Store[] =>
  store === "s3" || lease_until !== null ? ["folder", "s3"] : ["folder"];

/** Adds what must be erased when a room's row goes, and its recordings with it. Before that. */
export const eraseRoom = async (
  tx: Queries,
  room: { readonly id: string; readonly organization_id: string },
): Promise<void> => {
  const held = await heldBy(tx, "room_id", room.id);
  if (held === undefined) return;
  const { organization_id: organizationId } = room;
  const path = `${organizationId}/${room.id}`;
  await addErasures(tx, { organizationId, path }, held.stores, held.until);
};

/** No recording: it is due when the organization's row goes. */
const NOT_YET = "9999-12-31T00:00:00.000Z";

/** Adds what must be erased with an organization; it becomes due by `eraseNow`. */
export const eraseOrganization = async (tx: Queries, organizationId: string): Promise<void> => {
  const held = await heldBy(tx, "organization_id", organizationId);
  if (held === undefined) return;
  await addErasures(tx, { organizationId, path: organizationId }, held.stores, NOT_YET);
};

/** Makes due what `eraseOrganization` has added. */
export const eraseNow = async (tx: Queries, organizationId: string): Promise<void> => {
  await tx
    .updateTable("erasures")
    .set({ due_at: now() })
    .where("organization_id", "=", organizationId)
    .where("due_at", "=", NOT_YET)
    .execute();
};

/** Where the recordings of a room or organization may be; undefined: it has none. */
const heldBy = async (
  tx: Queries,
  column: "room_id" | "organization_id",
  id: string,
): Promise<{ readonly stores: readonly Store[]; readonly until: string | null } | undefined> => {
  const found = await tx
    .selectFrom("recordings")
    .select(({ fn }) => [
      fn.countAll<number | string>().as("count"),
      fn.max("lease_until").as("until"),
      fn.max("store").as("store"),
    ])
    .where(column, "=", id)
    .executeTakeFirstOrThrow();
  if (Number(found.count) === 0) return undefined;
  // "s3" sorts behind "folder".
  const stores = storesOf({ store: found.store ?? "folder", lease_until: found.until });
  return { stores, until: found.until };
};
