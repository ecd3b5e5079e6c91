import { sql } from "kysely";
import type { Change, Queries } from "../../change/organization.ts";
import { now } from "../../db/now.ts";
import type { RecordingRow } from "../../db/recording-tables.ts";
import { digestOf } from "../../lib/digest.ts";
import { uuid7 } from "../../lib/id.ts";

/*
 * Erasures: files of recordings that must be erased. A rule that deletes rows adds an erasure in the same
 * transaction; the keeper carries it out, and retries while a store cannot be reached (keeper.ts).
 */

type Store = RecordingRow["store"];

/** A folder: of an organization's recordings, a room's, or one recording. */
interface Folder {
  readonly organizationId: string;
  readonly path: string;
}

/**
 * Adds the erasure of a folder.
 *
 * @param until the time until which a process may still write into it; null if none does
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

/** Removes an erasure that has been carried out. */
export const removeErasure = async (tx: Queries, path: string, store: Store): Promise<void> => {
  await tx.deleteFrom("erasures").where("path", "=", path).where("store", "=", store).execute();
};

/**
 * The stores that may have files of a recording that has ended. A lease shows that an upload was tried.
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

/** Adds the erasure of a room's recordings. Call it before the room's row is deleted. */
export const eraseRoom = async (
  { tx, leaveWork }: Pick<Change, "tx" | "leaveWork">,
  room: { readonly id: string; readonly organization_id: string },
): Promise<void> => {
  const held = await heldBy(tx, "room_id", room.id);
  if (held === undefined) return;
  const { organization_id: organizationId } = room;
  const path = `${organizationId}/${room.id}`;
  await addErasures(tx, { organizationId, path }, held.stores, held.until);
  leaveWork("erasures");
};

/** The due time of an erasure that waits until its organization's row is deleted. */
const NOT_YET = "9999-12-31T00:00:00.000Z";

/** Adds the erasure of an organization's recordings, which becomes due with `eraseNow`. */
export const eraseOrganization = async (tx: Queries, organizationId: string): Promise<void> => {
  const held = await heldBy(tx, "organization_id", organizationId);
  if (held === undefined) return;
  await addErasures(tx, { organizationId, path: organizationId }, held.stores, NOT_YET);
};

/** Makes the erasures of `eraseOrganization` due. */
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
 * Locks the organization's row, so that its deletion comes either before or after this change.
 *
 * @returns whether the row exists
 */
export const lockIfThere = async (tx: Queries, organizationId: string): Promise<boolean> => {
  const row = await tx
    .updateTable("organizations")
    .set((eb) => ({ used_rooms: eb.ref("used_rooms") }))
    .where("id", "=", organizationId)
    .returning("id")
    .executeTakeFirst();
  return row !== undefined;
};

/**
 * Replaces the ID of a deleted organization with its digest, for machines that are away: they compare it
 * with the folders that they have, and so find what to erase.
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

/** Where the recordings of a room or organization may be; undefined if it has none. */
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
