import { allFacts, type Facts, recordingSubject, roomSubject } from "../change/history.ts";
import type { Change } from "../change/organization.ts";
import { demandProof } from "../change/proof.ts";
import type { RoomRow } from "../db/tables.ts";
import { refuse } from "../lib/refusal.ts";
import { eraseRoom } from "../meetings/captures/erasures.ts";
import { turnAway } from "../meetings/doors/lobby.ts";
import { findOpenMeeting } from "../meetings/state/open-meeting.ts";
import { roomFacts, roomSecrets } from "../records/facts.ts";
import { countRooms } from "../records/room-counters.ts";
import { addOwners } from "../records/room-owners.ts";
import { findRoom } from "../records/room-queries.ts";
import { roomColumnsOf, roomOf } from "../records/rooms.ts";
import { cancelDates, resumeDates } from "./follow-schedule.ts";

/**
 * Deletes a room. A room in use is gone from every answer at once; its rows go when the last
 * person has left (interface.md, States and transitions).
 *
 * @returns whether its deletion waits for the end of a meeting
 * @throws Refusal `room_not_found`, `proof_needed`
 */
export const deleteRoom = async (
  change: Change,
  id: string,
): Promise<{ readonly waits: boolean }> => {
  const room = (await findRoom(change.tx, change.organization.id, id)) ?? refuse("room_not_found");
  demandProof(change);
  const before = allFacts(roomFacts(roomOf(room)), roomSecrets);
  await tellDeleted(change, room, before);
  await cancelDates(change, room);
  const waits = await sendAway(change, room);
  if (waits) await hideRoom(change, room);
  else await removeRoom(change, room);
  countRooms(change, -1);
  return { waits };
};

/** Adds a room's permanent deletion, and that of its recordings, to the history. */
export const tellDeleted = async (
  { tx, happened }: Pick<Change, "tx" | "happened">,
  room: RoomRow,
  before?: Facts,
): Promise<void> => {
  const recordings = await tx
    .selectFrom("recordings")
    .select(["id", "name"])
    .where("room_id", "=", room.id)
    .orderBy("requested_at")
    .orderBy("id")
    .execute();
  happened(
    { kind: "roomDeleted", subject: roomSubject(room), ...(before && { before }) },
    ...recordings.map((recording) => ({
      kind: "recordingDeleted" as const,
      subject: recordingSubject({ ...recording, room: room.room }),
    })),
  );
};

/** Turns away people who wait in a room's lobby. @returns whether somebody is still inside */
export const sendAway = async (change: Change, room: RoomRow): Promise<boolean> => {
  const meeting = await findOpenMeeting(change.tx, room.id);
  if (meeting === undefined) return false;
  await turnAway(change, meeting.id, "room_deleted");
  const isInUse = (await findOpenMeeting(change.tx, room.id)) !== undefined;
  if (isInUse) change.announce(meeting.id);
  return isInUse;
};

/** Takes a room out of every answer; its row stays. */
export const hideRoom = async ({ tx, now }: Change, { id }: RoomRow): Promise<void> => {
  await tx.updateTable("rooms").set({ deleted_at: now }).where("id", "=", id).execute();
  await tx.deleteFrom("room_owners").where("room_id", "=", id).execute();
};

/** Removes a room with everything that belongs to it. */
export const removeRoom = async (
  change: Pick<Change, "tx" | "leaveWork">,
  room: Pick<RoomRow, "id" | "organization_id">,
): Promise<void> => {
  await eraseRoom(change, room);
  await change.tx.deleteFrom("rooms").where("id", "=", room.id).execute();
};

/** Restores a hidden room, with owners who are not permanently deleted. */
export const showRoom = async (change: Change, row: RoomRow): Promise<void> => {
  const { tx, organization } = change;
  const room = roomOf(row);
  const accounts = await tx
    .selectFrom("users")
    .select("id")
    .where("organization_id", "=", organization.id)
    .where("id", "in", ["", ...room.owners])
    // A later account may have got the ID of a deleted owner.
    .where("created_at", "<=", row.deleted_at ?? change.now)
    .where(({ or, eb, exists, selectFrom }) =>
      or([
        eb("gone_at", "is", null),
        exists(selectFrom("bin").select("bin.id").whereRef("bin.user_id", "=", "users.id")),
      ]),
    )
    .execute();
  const left = new Set(accounts.map(({ id }) => id));
  const owners = room.owners.filter((owner) => left.has(owner));
  await tx
    .updateTable("rooms")
    .set({
      deleted_at: null,
      ...(owners.length < room.owners.length && roomColumnsOf({ ...room, owners })),
    })
    .where("id", "=", row.id)
    .execute();
  addOwners(change, row.id, owners);
  await resumeDates(change, row);
  const meeting = await findOpenMeeting(tx, row.id);
  if (meeting) change.announce(meeting.id);
};
