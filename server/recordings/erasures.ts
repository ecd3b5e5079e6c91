import { sql } from "kysely";
import { now } from "../db/now.ts";
import type { RecordingRow } from "../db/recording-tables.ts";
import { digestOf } from "../digest.ts";
import { uuid7 } from "../id.ts";
import type { Queries } from "../organization.ts";

/*
 * What must be erased from where recordings are kept. A rule that deletes rows adds it in the same
 * transaction; the keeper carries it out, and tries again while a store is away (keeper.ts).
 */

type Store = RecordingRow["store"];

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
        id: uuid7(),
        organization_id: organizationId,
        store,
        path,
        tries: 0,
        due_at: until === null ? now() : sql<string>`${sql.lit(until)}`,
        created_at: now(),
      })),
    )
    .execute();
};

/** Removes what was added, because it is erased. */
export const removeErasure = async (tx: Queries, path: string, store: Store): Promise<void> => {
  await tx.deleteFrom("erasures").where("path", "=", path).where("store", "=", store).execute();
};

/**
 * The stores that may hold something of a recording that has ended: an upload has a lease from its first
 * try on.
 */
export const storesOf = ({
  state,
  complete,
  store,
  lease_until,
}: Pick<RecordingRow, "state" | "complete" | "store" | "lease_until">): readonly Store[] => {
  const wasTried = state === "ready" && complete && lease_until !== null;
  // The move has already added an erasure of the folder (upload.ts).
  if (store === "s3") return ["s3"];
  return wasTried ? ["folder", "s3"] : ["folder"];
};

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
  await forgetOrganization(tx, organizationId);
};

/**
 * Takes the organization's row, where it is still there: its deletion comes before or after.
 *
 * @returns whether it is there
 */
export const isThere = async (tx: Queries, organizationId: string): Promise<boolean> => {
  const row = await tx
    .updateTable("organizations")
    .set((eb) => ({ used_rooms: eb.ref("used_rooms") }))
    .where("id", "=", organizationId)
    .returning("id")
    .executeTakeFirst();
  return row !== undefined;
};

/**
 * Leaves a digest in place of the ID of an organization that is gone, for machines that are away: they
 * compare it with the folders that they have, and so find what to erase.
 */
export const forgetOrganization = async (tx: Queries, organizationId: string): Promise<void> => {
  const removed = await tx
    .deleteFrom("erasures")
    .where("organization_id", "=", organizationId)
    .where("store", "=", "elsewhere")
    .returning("id")
    .execute();
  if (removed.length === 0) return;
  const digest = digestOf(organizationId);
  await tx
    .insertInto("erasures")
    .values({
      id: digest,
      organization_id: "",
      store: "elsewhere",
      path: digest,
      tries: 0,
      due_at: now(),
      created_at: now(),
    })
    .onConflict((conflict) => conflict.column("id").doUpdateSet({ due_at: now() }))
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
    .select(["state", "complete", "store"])
    .select(({ fn }) => fn.max("lease_until").as("lease_until"))
    .where(column, "=", id)
    .groupBy(["state", "complete", "store"])
    .execute();
  if (found.length === 0) return undefined;
  const leases = found.map(({ lease_until }) => lease_until).filter((time) => time !== null);
  return {
    stores: [...new Set(found.flatMap(storesOf))],
    until: leases.toSorted().at(-1) ?? null,
  };
};
