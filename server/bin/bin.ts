import { settingsOf } from "../../contract/kit/organization-settings.ts";
import { type FieldReason, wrong } from "../../contract/kit/reasons.ts";
import type { Code } from "../../contract/kit/texts.ts";
import type { BinKind } from "../../contract/organization/bin.ts";
import { type Happened, roomSubject, userSubject } from "../change/history.ts";
import type { Change } from "../change/organization.ts";
import type { BinRow } from "../db/bin-table.ts";
import { isUniqueViolation } from "../db/errors.ts";
import { now } from "../db/now.ts";
import { piecesOf } from "../db/pieces.ts";
import type { RoomRow, UserRow } from "../db/tables.ts";
import { DAY_MS } from "../lib/durations.ts";
import { fold } from "../lib/fold.ts";
import { refuse } from "../lib/refusal.ts";
import { countRooms } from "../records/room-counters.ts";
import { findRoom } from "../records/room-queries.ts";
import { recount } from "../records/user-counters.ts";
import {
  deleteRoom,
  hideRoom,
  removeRoom,
  sendAway,
  showRoom,
  tellDeleted,
} from "../rooms/delete.ts";
import { cancelDates } from "../rooms/follow-schedule.ts";
import { accountsToDelete, deleteUsers, eraseUsers, type FieldOf } from "../users/accounts.ts";
import { restFormer, restingOf, unmakeFormer } from "../users/former.ts";

/*
 * A room or person in the bin is already deleted, in a state that every query knows: a room with
 * `deleted_at`, or a former person. A row of `bin` makes it restorable (0035). Everything here
 * holds the organization's row, so of two requests for the same entry the second finds none.
 */

/** The days for which deleted items stay in the bin. @throws Refusal `bin_off` */
const daysOf = ({ organization }: Change): number =>
  settingsOf(organization).binDays ?? refuse("bin_off");

/** The history entry of a move into the bin or out of it. */
const moved = (
  kind: "roomBinned" | "roomUnbinned" | "userBinned" | "userUnbinned",
  subject: Happened["subject"],
): Happened => {
  const inBin = kind === "roomBinned" || kind === "userBinned";
  return { kind, subject, before: { inBin: !inBin }, after: { inBin } };
};

type Resting = Pick<BinRow, "id" | "name" | "room_id" | "user_id" | "kept">;

/** Few enough rows for one statement. */
const PIECE = 500;

const addToBin = async (
  { tx, organization }: Change,
  days: number,
  resting: readonly Resting[],
): Promise<void> => {
  for (const piece of piecesOf(resting, PIECE)) {
    const rows = piece.map((one) => ({
      ...one,
      organization_id: organization.id,
      name_key: fold(one.name),
      deleted_at: now(),
      ends_at: now(days * DAY_MS),
    }));
    await tx.insertInto("bin").values(rows).execute();
  }
};

/** An error for each missing ID, if the IDs are in a field of the request. */
const errorsOf = (
  code: Code,
  ids: readonly string[],
  isThere: (id: string) => boolean,
  fieldOf: FieldOf | undefined,
): FieldReason[] =>
  ids.flatMap((id, index) =>
    fieldOf === undefined || isThere(id) ? [] : [wrong(fieldOf(index), code)],
  );

/** Rooms in the bin: their entries, and the IDs of rooms that are in use. */
interface Rested {
  readonly ids: string[];
  readonly inUse: string[];
}

/**
 * Deletes rooms into the bin: all of them, or none.
 *
 * @param fieldOf the field of the request that has the ID of this index
 * @throws Refusal `bin_off`, `room_not_found`
 */
export const binRooms = async (
  change: Change,
  rooms: readonly string[],
  fieldOf?: FieldOf,
): Promise<Rested> => {
  const days = daysOf(change);
  const inUse: string[] = [];
  const resting: Resting[] = [];
  const found = new Map<string, RoomRow>();
  for (const id of new Set(rooms)) {
    const room = await findRoom(change.tx, change.organization.id, id);
    if (room !== undefined) found.set(id, room);
  }
  const isThere = (id: string) => found.has(id);
  if (!rooms.every(isThere)) {
    refuse("room_not_found", errorsOf("room_not_found", rooms, isThere, fieldOf));
  }
  for (const [id, room] of found) {
    if (await sendAway(change, room)) inUse.push(id);
    await cancelDates(change, room);
    await hideRoom(change, room);
    resting.push({ id: room.id, name: room.name, room_id: room.id, user_id: null, kept: "{}" });
    change.happened(moved("roomBinned", roomSubject(room)));
  }
  await addToBin(change, days, resting);
  countRooms(change, -found.size);
  return { ids: resting.map(({ id }) => id), inUse };
};

/**
 * Deletes revoked people into the bin: all of them, or none.
 *
 * @param fieldOf the field of the request that has the ID of this index
 * @returns the IDs of their entries
 * @throws Refusal `bin_off`, `user_not_found`, `user_not_revoked`, `own_account`
 */
export const binUsers = async (
  change: Change,
  ids: readonly string[],
  fieldOf?: FieldOf,
): Promise<string[]> => {
  const days = daysOf(change);
  const users = await accountsToDelete(change, ids, fieldOf);
  const resting = users.map((user) => ({
    id: user.id,
    name: user.name,
    room_id: null,
    user_id: user.id,
    kept: JSON.stringify(restingOf(user)),
  }));
  await restFormer(
    change,
    users.map(({ id }) => id),
  );
  await addToBin(change, days, resting);
  change.happened(...users.map((user) => moved("userBinned", userSubject(user))));
  await recount(
    change,
    users.map(({ role }) => ({ role, revoked: true, by: -1 })),
  );
  return users.map(({ id }) => id);
};

/** Returns whether the organization has a bin. */
export const hasBin = ({ organization }: Pick<Change, "organization">): boolean =>
  settingsOf(organization).binDays !== null;

/** Returns whether the interface's delete operations also move into the bin. */
const takesEverything = (change: Change): boolean =>
  hasBin(change) && settingsOf(change.organization).binFor === "everything";

/** Deletes a room as its organization has chosen. @throws Refusal `room_not_found` */
export const deleteRoomAsChosen = async (
  change: Change,
  id: string,
): Promise<{ readonly waits: boolean }> =>
  takesEverything(change)
    ? { waits: (await binRooms(change, [id])).inUse.length > 0 }
    : deleteRoom(change, id);

/** Deletes revoked people as their organization has chosen. @throws Refusal like `deleteUsers` */
export const deleteUsersAsChosen = async (
  change: Change,
  ids: readonly string[],
): Promise<void> => {
  await (takesEverything(change) ? binUsers : deleteUsers)(change, ids);
};

/**
 * The entries with these IDs, without duplicates. They leave the bin.
 *
 * @throws Refusal `not_in_bin`
 */
const takeOut = async (
  change: Change,
  ids: readonly string[],
  fieldOf?: FieldOf,
): Promise<BinRow[]> => {
  const wanted = [...new Set(ids)];
  const taken = await change.tx
    .deleteFrom("bin")
    .where("organization_id", "=", change.organization.id)
    .where("id", "in", wanted)
    .returningAll()
    .execute();
  if (taken.length === wanted.length) return taken;
  const there = new Set(taken.map(({ id }) => id));
  return refuse(
    "not_in_bin",
    errorsOf("not_in_bin", ids, (id) => there.has(id), fieldOf),
  );
};

const roomOfEntry = ({ tx }: Change, { id }: BinRow): Promise<RoomRow> =>
  tx.selectFrom("rooms").selectAll().where("id", "=", id).executeTakeFirstOrThrow();

/** @throws Refusal `room_limit` */
const restoreRooms = async (change: Change, entries: readonly BinRow[]): Promise<void> => {
  if (entries.length === 0) return;
  const { max_rooms, used_rooms } = change.organization;
  if (max_rooms !== null && used_rooms + entries.length > max_rooms) refuse("room_limit");
  for (const entry of entries) {
    const room = await roomOfEntry(change, entry);
    await showRoom(change, room);
    change.happened(moved("roomUnbinned", roomSubject(room)));
  }
  countRooms(change, entries.length);
};

/** @throws Refusal `bin_email_taken` */
const restoreUsers = async (
  change: Change,
  entries: readonly BinRow[],
  nameOf: (id: string) => string,
): Promise<void> => {
  if (entries.length === 0) return;
  const users: UserRow[] = [];
  for (const { id, kept } of entries) {
    const user = await unmakeFormer(change.tx, id, JSON.parse(kept)).catch((error: unknown) => {
      if (!isUniqueViolation(error, "users", "email_key")) throw error;
      const { email } = JSON.parse(kept);
      return refuse("bin_email_taken", [wrong(nameOf(id), "email_of_other", { email })]);
    });
    users.push(user);
    change.happened(moved("userUnbinned", userSubject(user)));
  }
  await recount(
    change,
    users.map(({ role }) => ({ role, revoked: true, by: 1 })),
  );
};

/**
 * The entry of a room or person by the ID that the history names, and when the room or person was created;
 * undefined: it is not in the bin.
 */
export const findInBin = (
  { tx, organization }: Change,
  kind: BinKind,
  subjectId: string,
): Promise<{ readonly id: string; readonly created_at: string } | undefined> => {
  const entries =
    kind === "room"
      ? tx
          .selectFrom("bin")
          .innerJoin("rooms as thing", "thing.id", "bin.room_id")
          .where("thing.room", "=", subjectId)
      : tx
          .selectFrom("bin")
          .innerJoin("users as thing", "thing.id", "bin.user_id")
          .where("thing.id", "=", subjectId);
  return entries
    .select(["bin.id", "thing.created_at"])
    .where("bin.organization_id", "=", organization.id)
    .executeTakeFirst();
};

/**
 * Restores entries of the bin: all of them, or none.
 *
 * @param fieldOf the field of the request that has the ID of this index
 * @throws Refusal `not_in_bin`, `room_limit`, `bin_email_taken`
 */
export const restoreFromBin = async (
  change: Change,
  ids: readonly string[],
  fieldOf?: FieldOf,
): Promise<void> => {
  const entries = await takeOut(change, ids, fieldOf);
  await restoreRooms(
    change,
    entries.filter(({ room_id }) => room_id !== null),
  );
  await restoreUsers(
    change,
    entries.filter(({ user_id }) => user_id !== null),
    (id) => fieldOf?.(ids.indexOf(id)) ?? id,
  );
};

/**
 * Deletes entries of the bin permanently. A room in use goes with its last person.
 *
 * @throws Refusal `not_in_bin`
 */
export const deleteFromBin = async (change: Change, ids: readonly string[]): Promise<void> => {
  const entries = await takeOut(change, ids);
  const users = entries.flatMap(({ user_id: id, kept }) =>
    id === null ? [] : [{ id, email: String(JSON.parse(kept).email) }],
  );
  for (const entry of entries) {
    if (entry.room_id === null) continue;
    const room = await roomOfEntry(change, entry);
    await tellDeleted(change, room);
    if (!(await sendAway(change, room))) await removeRoom(change, room);
  }
  if (users.length > 0) await eraseUsers(change, users);
};
