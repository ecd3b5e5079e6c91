import { randomInt } from "node:crypto";
import type { Checked, Reply } from "../../contract/kit/operation.ts";
import type { Room } from "../../contract/rooms/record.ts";
import {
  type createRoom as createContract,
  type editRoom as editContract,
  recordsNobody,
  typeWaits,
} from "../../contract/rooms/rooms.ts";
import { initialSettings } from "../../contract/rooms/settings.ts";
import { allFacts, changedFacts, roomSubject } from "../change/history.ts";
import { type Change, type Queries, timeAfter } from "../change/organization.ts";
import { prepared } from "../db/prepared.ts";
import type { RoomRow } from "../db/tables.ts";
import { checkMatch, type IfMatch } from "../lib/entity-tag.ts";
import { uuid7 } from "../lib/id.ts";
import { refuse, refuseFields } from "../lib/refusal.ts";
import { admitIfOpen } from "../meetings/doors/lobby.ts";
import { keepOnePresenter } from "../meetings/doors/own-commands.ts";
import { onePresenter } from "../meetings/seats/allowed.ts";
import { askModerators } from "../meetings/seats/waiting-room.ts";
import { findOpenMeeting } from "../meetings/state/open-meeting.ts";
import { settleMeeting, statusNow } from "../meetings/state/running.ts";
import { roomFacts, roomSecrets } from "../records/facts.ts";
import { keepToOwners, seesRoom } from "../records/own-rooms.ts";
import { countRooms } from "../records/room-counters.ts";
import { addOwners, ownerErrors, replaceOwners } from "../records/room-owners.ts";
import { findRoom } from "../records/room-queries.ts";
import { concealedErrors, withoutConcealed } from "../records/room-secrets.ts";
import { recordOf, roomColumnsOf, roomOf, withoutFormer } from "../records/rooms.ts";
import { editErrors } from "./edit-errors.ts";
import { followRoom } from "./follow-schedule.ts";

/** Ten random digits. */
const generatedRoom = (): string => String(randomInt(10 ** 10)).padStart(10, "0");

/** More collisions of ten random digits in a row than could happen by chance. */
const TRIES = 20;

// A refused unique insert would end the transaction on PostgreSQL.
const insertRoom = prepared<null, Omit<RoomRow, "waits_for_host">, { readonly id: string }>(
  (tx, _, row) =>
    tx
      .insertInto("rooms")
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .returning("id"),
);

type Note = (text: string) => void;

const noteRecording = (
  { enableRecording, recordModerator, recordParticipant }: Room,
  note: Note,
): void => {
  if (enableRecording && !recordModerator && !recordParticipant) note(recordsNobody);
};

/**
 * Creates a room (interface.md, Create room).
 *
 * @param note gets the text of the answer about settings that have no effect together
 * @returns its record as it is answered
 * @throws Refusal `room_limit`, `room_taken`, `not_allowed`, or on roomOwnerId
 */
export const createRoom = async (
  change: Change,
  { room: chosen, roomOwnerId: owners, name, ...settings }: Checked<typeof createContract>,
  note: Note = () => {},
): Promise<string> => {
  const { tx, organization, caller, now } = change;
  keepToOwners(caller, owners, [caller.userId ?? ""]);
  refuseFields(concealedErrors(settings));
  if (organization.max_rooms !== null && organization.used_rooms >= organization.max_rooms) {
    refuse("room_limit");
  }
  const id = uuid7();
  for (let tries = 0; tries < TRIES; tries += 1) {
    const room: Room = {
      ...initialSettings,
      ...settings,
      name,
      room: chosen ?? generatedRoom(),
      owners,
      roomStatus: "free",
      totalCallTime: 0,
      createdAt: now,
      updatedAt: now,
    };
    const row = {
      id,
      organization_id: organization.id,
      created_by: caller.userId,
      created_at: now,
      deleted_at: null,
      ...roomColumnsOf(room),
    };
    // Both queries travel together; if one fails, the change rolls the other back.
    const [errors, added] = await Promise.all([
      ownerErrors(tx, organization.id, owners),
      insertRoom(tx, null, row),
    ]);
    refuseFields(errors);
    if (added.length > 0) {
      addOwners(change, id, owners);
      countRooms(change, 1);
      noteRecording(room, note);
      const after = allFacts(roomFacts(room), roomSecrets);
      change.happened({ kind: "roomCreated", subject: roomSubject(room), after });
      return row.record;
    }
    if (chosen !== undefined) refuse("room_taken");
  }
  throw new Error(`No free room ID was found in ${TRIES} tries.`);
};

/** The answer to an edit: the record, and the keys that only this answer has. */
export const presentEditedRoom = (row: RoomRow): Reply<typeof editContract>["roomSetting"] => ({
  ...JSON.parse(recordOf(row)),
  _id: row.id,
  userId: row.created_by,
  siteSetting: row.organization_id,
  ...JSON.parse(row.extras),
});

const storedRow = (tx: Queries, id: string): Promise<RoomRow> =>
  tx.selectFrom("rooms").selectAll().where("id", "=", id).executeTakeFirstOrThrow();

/**
 * Edits a room: only what is supplied changes (interface.md, Edit room).
 *
 * @param leavesNoOwner whether `owners` may be empty although the room has some: only in an undo
 * @param note gets the text of the answer about a setting that does not take effect at once, or has none
 * @throws Refusal `room_not_found`, also for a room that the caller does not see;
 *   `precondition_failed`, `not_allowed`, on roomOwnerId, or on a word outside the documented sets
 */
export const editRoom = async (
  change: Change,
  {
    room: id,
    owners,
    changes,
    ifMatch,
    leavesNoOwner = false,
  }: Checked<typeof editContract> & {
    readonly ifMatch: IfMatch;
    readonly leavesNoOwner?: boolean;
  },
  note: Note = () => {},
): Promise<RoomRow> => {
  const { tx, organization, caller } = change;
  const row = (await findRoom(tx, organization.id, id)) ?? refuse("room_not_found");
  const room = roomOf(row);
  if (!seesRoom(caller, room.owners)) refuse("room_not_found");
  checkMatch(ifMatch, recordOf(row));
  keepToOwners(caller, owners, room.owners);
  refuseFields(await editErrors(tx, organization.id, room, { owners, changes, leavesNoOwner }));
  const supplied = Object.fromEntries(
    Object.entries(withoutConcealed(room, changes)).filter(([, value]) => value !== undefined),
  ) as Partial<Room>;
  const edited: Room = {
    ...room,
    ...supplied,
    owners,
    updatedAt: timeAfter(change, room.updatedAt),
  };
  const meeting = await findOpenMeeting(tx, row.id);
  const roomType = meeting?.room_type ?? edited.roomType;
  const roomStatus = await statusNow(tx, meeting, { ...edited, roomType });
  if (roomType !== edited.roomType) note(typeWaits);
  noteRecording(edited, note);
  const changesOwners = owners.join() !== room.owners.join();
  // If an edit leaves the owners as they are, owners who rest in the bin stay owners, too.
  const stored = changesOwners ? owners : roomOf({ ...row, record: row.stored }).owners;
  const saved = await tx
    .updateTable("rooms")
    .set(roomColumnsOf({ ...edited, roomStatus, owners: stored }))
    .where("id", "=", row.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  await followRoom(change, row.id, room, edited);
  if (changesOwners) await replaceOwners(change, row.id, owners);
  const facts = changedFacts(roomFacts(room), roomFacts(edited), roomSecrets);
  change.happened({
    kind: "roomEdited",
    subject: roomSubject(edited),
    ...facts,
  });
  if (meeting) {
    const asksMore = edited.roomPassword !== room.roomPassword || edited.authenticationRequired;
    if (asksMore) await askModerators(tx, row.id);
    await admitIfOpen(change, edited, meeting);
    // More seats, or no door any more.
    await settleMeeting(change, meeting.id);
    if (onePresenter(edited) && !onePresenter(room)) {
      await keepOnePresenter({ change, meeting, room: { ...edited, roomType } });
    }
    change.announce(meeting.id);
  }
  return withoutFormer(meeting ? await storedRow(tx, row.id) : saved, row.former);
};
