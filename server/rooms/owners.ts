import { PIECE } from "../db/pieces.ts";
import { prepared } from "../db/prepared.ts";
import type { RoomRow } from "../db/tables.ts";
import type { Change, Queries } from "../organization.ts";
import { refuseField } from "../refusal.ts";
import { activeAmong } from "../users/queries.ts";

/**
 * Checks newly named owners; those that a room already has are always accepted.
 *
 * @throws Refusal on `roomOwnerId`. It tells the place and not the ID: an unknown account and one
 *   of another organization are answered alike
 */
export const checkOwners = async (
  { tx, organization }: Change,
  owners: readonly string[],
  present: readonly string[] = [],
): Promise<void> => {
  const named = owners.filter((owner) => !present.includes(owner));
  const active = await activeAmong(tx, organization.id, named);
  const wrong = owners.findIndex((owner) => named.includes(owner) && !active.has(owner));
  if (wrong === -1) return;
  const place = owners.length === 1 ? "" : ` (number ${wrong + 1} of ${owners.length} does not)`;
  refuseField("roomOwnerId", `must name accounts of the organization that are not revoked${place}`);
};

interface Owned {
  readonly organizationId: string;
  readonly roomId: string;
  readonly owners: readonly string[];
}

const insertOwners = prepared<null, Owned, never>((tx, _, { organizationId, roomId, owners }) =>
  tx
    .insertInto("room_owners")
    .values(
      owners.map((user_id) => ({ user_id, room_id: roomId, organization_id: organizationId })),
    ),
);

/** Keeps the owners of a room that has none yet. */
export const addOwners = async (
  { tx, organization }: Pick<Change, "tx" | "organization">,
  roomId: string,
  owners: readonly string[],
): Promise<void> => {
  if (owners.length === 0) return;
  await insertOwners(tx, null, { organizationId: organization.id, roomId, owners });
};

/** Gives a room these owners in place of those that it had. */
export const replaceOwners = async (
  change: Pick<Change, "tx" | "organization">,
  roomId: string,
  owners: readonly string[],
): Promise<void> => {
  await change.tx.deleteFrom("room_owners").where("room_id", "=", roomId).execute();
  await addOwners(change, roomId, owners);
};

/**
 * Takes accounts that are deleted for good from the rooms that they own: the rooms stay, with the
 * owners that are left. Works in pieces: an account may own very many rooms.
 */
export const dropOwners = async (
  tx: Queries,
  organizationId: string,
  userIds: readonly string[],
): Promise<void> => {
  for (;;) {
    const rooms = await tx
      .selectFrom("rooms as r")
      .select(["r.id", "r.record"])
      .where("r.id", "in", ({ selectFrom }) =>
        selectFrom("room_owners as o")
          .select("o.room_id")
          .where("o.organization_id", "=", organizationId)
          .where("o.user_id", "in", userIds)
          .limit(PIECE),
      )
      .execute();
    if (rooms.length === 0) return;
    for (const room of rooms) await dropFrom(tx, room, userIds);
  }
};

const dropFrom = async (
  tx: Queries,
  { id, record }: Pick<RoomRow, "id" | "record">,
  userIds: readonly string[],
): Promise<void> => {
  const stored = JSON.parse(record);
  const left = stored.roomOwnerId.split(",").filter((owner: string) => !userIds.includes(owner));
  await tx
    .updateTable("rooms")
    .set({ record: JSON.stringify({ ...stored, roomOwnerId: left.join(",") }) })
    .where("id", "=", id)
    .execute();
  await tx
    .deleteFrom("room_owners")
    .where("room_id", "=", id)
    .where("user_id", "in", userIds)
    .execute();
};
