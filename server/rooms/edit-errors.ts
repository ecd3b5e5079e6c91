import { z } from "zod";
import { isReceiver, streamAddress } from "../../contract/kit/fields.ts";
import { type FieldReason, wrong } from "../../contract/kit/reasons.ts";
import type { Room } from "../../contract/rooms/record.ts";
import { editRoom, shownOfRoom } from "../../contract/rooms/rooms.ts";
import {
  type RoomSettings,
  recordingFormats,
  recordingResolutions,
  recordingStrategies,
  roomTypes,
} from "../../contract/rooms/settings.ts";
import type { Organization, Queries } from "../change/organization.ts";
import { shownTextErrors } from "../lib/shown-texts.ts";
import { seesRoom } from "../records/own-rooms.ts";
import { ownerErrors } from "../records/room-owners.ts";
import { findRoom } from "../records/room-queries.ts";
import { concealedErrors, withoutConcealed } from "../records/room-secrets.ts";
import { roomOf } from "../records/rooms.ts";

/*
 * The errors of an edit that can be found only with the stored room: owners, values and texts that the
 * room already has are accepted, new ones are checked.
 */

/** The values that these settings may be changed to; a value that is already stored may stay. */
const words: Partial<Record<keyof RoomSettings, readonly string[]>> = {
  roomType: roomTypes,
  recordingFormat: recordingFormats,
  recordingStrategy: recordingStrategies,
  recordingResolutions,
};

type Given = Readonly<Record<string, unknown>>;

/** An error for each setting in which an edit would newly store an undocumented value. */
const wordErrors = (room: Room, changes: Given): readonly FieldReason[] =>
  (Object.entries(words) as [keyof RoomSettings, readonly string[]][]).flatMap(
    ([field, allowed]) => {
      const given = changes[field];
      const stored: unknown = room[field];
      const known = Array.isArray(stored) ? stored : [stored];
      const isWrong = (value: unknown) =>
        typeof value === "string" && !known.includes(value) && !allowed.includes(value);
      if (![given].flat().some(isWrong)) return [];
      const code = Array.isArray(given) ? "not_list_of" : "not_one_of";
      return [wrong(field, code, { accepted: allowed })];
    },
  );

/** An error where an edit would newly store an address to which nothing can be streamed. */
const addressErrors = (room: Room, { liveStreamUrl: given }: Given): readonly FieldReason[] => {
  const isWrong =
    typeof given === "string" &&
    given !== "" &&
    given !== room.liveStreamUrl &&
    streamAddress().safeParse(given).success &&
    !isReceiver(given);
  return isWrong ? [wrong("liveStreamUrl", "not_receiver")] : [];
};

interface RoomChanges {
  readonly owners: readonly string[];
  readonly changes: Given;
  /** True if the edit may leave the room without owners: only an undo of an edit may. */
  readonly leavesNoOwner?: boolean;
}

/** All errors of an edit that depend on the stored room. */
export const editErrors = async (
  db: Queries,
  organizationId: string,
  room: Room,
  { owners, changes, leavesNoOwner }: RoomChanges,
): Promise<readonly FieldReason[]> => [
  ...(leavesNoOwner ? [] : await ownerErrors(db, organizationId, owners, room.owners)),
  ...wordErrors(room, changes),
  ...addressErrors(room, withoutConcealed(room, changes)),
  ...shownTextErrors(shownOfRoom, { ...room }, changes),
  ...concealedErrors(withoutConcealed(room, changes)),
];

const { room, roomOwnerId } = editRoom.input.in.shape;
/** An edit that may have unreadable fields. */
const damaged = z.looseObject({ room, roomOwnerId: roomOwnerId.optional().catch(undefined) });

/**
 * Finds the same errors in an edit that its schema has refused, so that one answer reports them all.
 * None if the room's ID cannot be read.
 */
export const moreEditErrors = async (
  { read, id, caller }: Organization,
  given: unknown,
): Promise<readonly FieldReason[]> => {
  const { data } = damaged.safeParse(given);
  if (data === undefined) return [];
  const row = await findRoom(read, id, data.room);
  if (row === undefined) return [];
  const stored = roomOf(row);
  if (!seesRoom(caller, stored.owners)) return [];
  const owners = data.roomOwnerId ?? stored.owners;
  return editErrors(read, id, stored, { owners, changes: data });
};
