import { z } from "zod";
import type { FieldError } from "../../contract/client.ts";
import type { Room } from "../../contract/room-record.ts";
import {
  type RoomSettings,
  recordingFormats,
  recordingResolutions,
  recordingStrategies,
  roomTypes,
} from "../../contract/room-settings.ts";
import { editRoom } from "../../contract/rooms.ts";
import type { Organization, Queries } from "../organization.ts";
import { seesRoom } from "./own.ts";
import { ownerErrors } from "./owners.ts";
import { findRoom } from "./queries.ts";
import { roomOf } from "./stored.ts";

/*
 * The faults of an edit that only the stored room shows: owners and words that it already has are
 * accepted, new ones are checked.
 */

/** What a room's words may be changed to; a word that is already stored may stay. */
const words: Partial<Record<keyof RoomSettings, readonly string[]>> = {
  roomType: roomTypes,
  recordingFormat: recordingFormats,
  recordingStrategy: recordingStrategies,
  recordingResolutions,
};

type Given = Readonly<Record<string, unknown>>;

/** Every word outside the documented sets that an edit would newly store. */
const wordErrors = (room: Room, changes: Given): readonly FieldError[] =>
  (Object.entries(words) as [keyof RoomSettings, readonly string[]][]).flatMap(
    ([field, allowed]) => {
      const given = changes[field];
      const stored: unknown = room[field];
      const known = Array.isArray(stored) ? stored : [stored];
      const isWrong = (value: unknown) =>
        typeof value === "string" && !known.includes(value) && !allowed.includes(value);
      if (![given].flat().some(isWrong)) return [];
      const each = Array.isArray(given) ? "must be an array of" : "must be one of";
      return [{ field, message: `${field} ${each} ${allowed.join(", ")}` }];
    },
  );

interface RoomChanges {
  readonly owners: readonly string[];
  readonly changes: Given;
  /** Nobody owned the room before: only an undoing may leave it so. */
  readonly leavesNoOwner?: boolean;
}

/** Every fault of an edit that the stored room shows. */
export const editErrors = async (
  db: Queries,
  organizationId: string,
  room: Room,
  { owners, changes, leavesNoOwner }: RoomChanges,
): Promise<readonly FieldError[]> => [
  ...(leavesNoOwner ? [] : await ownerErrors(db, organizationId, owners, room.owners)),
  ...wordErrors(room, changes),
];

const { room, roomOwnerId } = editRoom.input.in.shape;
/** An edit of which some fields cannot be read. */
const damaged = z.looseObject({ room, roomOwnerId: roomOwnerId.optional().catch(undefined) });

/**
 * The same for an edit that its schema has refused, so that all faults are answered together.
 * None where the room's ID cannot be read.
 */
export const moreEditErrors = async (
  { read, id, caller }: Organization,
  given: unknown,
): Promise<readonly FieldError[]> => {
  const { data } = damaged.safeParse(given);
  if (data === undefined) return [];
  const row = await findRoom(read, id, data.room);
  if (row === undefined) return [];
  const stored = roomOf(row);
  if (!seesRoom(caller, stored.owners)) return [];
  const owners = data.roomOwnerId ?? stored.owners;
  return editErrors(read, id, stored, { owners, changes: data });
};
