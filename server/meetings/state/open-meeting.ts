import type { Room } from "../../../contract/rooms/record.ts";
import type { Change, Queries } from "../../change/organization.ts";
import { type MeetingRow, meetingColumns, seatColumns } from "../../db/meeting-tables.ts";
import { now } from "../../db/now.ts";
import { prepared, together } from "../../db/prepared.ts";
import { allRoomColumns, type RoomRow } from "../../db/tables.ts";
import { uuid7 } from "../../lib/id.ts";
import { roomOf } from "../../records/rooms.ts";
import { isStaying, livingSeats, type PersonSeat } from "../seats/seat.ts";

/** The parts of a change that a meeting needs. */
export type MeetingChange = Pick<Change, "tx" | "announce" | "publish" | "happened" | "leaveWork">;

/**
 * A room as its running meeting sees it: with the room type that it had when the meeting began. A new type
 * counts from the next meeting on, because who sees whom and how people connect depend on it.
 */
export const heldRoom = (
  row: Pick<RoomRow, "record" | "extras">,
  meeting: Pick<MeetingRow, "room_type"> | undefined,
): Room => {
  const room = roomOf(row);
  return { ...room, roomType: meeting?.room_type ?? room.roomType };
};

/** The query of `findOpenMeeting`. */
export const askOpenMeeting = prepared<null, { readonly roomId: string }, MeetingRow>(
  (db, _, { roomId }) =>
    db
      .selectFrom("meetings")
      .select(meetingColumns)
      .where("room_id", "=", roomId)
      .where("ended_at", "is", null),
);

/** The open meeting of a room: at least one person has a seat. */
export const findOpenMeeting = async (
  db: Queries,
  roomId: string,
): Promise<MeetingRow | undefined> => (await askOpenMeeting(db, null, { roomId }))[0];

/** The seat that a person has in a meeting, or that of the person's second device. */
export const askSeat = prepared<
  Pick<PersonSeat, "second">,
  { readonly meetingId: string; readonly person: string },
  PersonSeat
>((db, { second }, { meetingId, person }) =>
  livingSeats(db, meetingId)
    .select(seatColumns)
    .$narrowType<PersonSeat>()
    .where("person", "=", person)
    .where("second", "=", second)
    .where(isStaying),
);

/**
 * The seat that a person has in a meeting, unless it only waits for the media engine to let them go; not that of
 * a second device.
 */
export const findSeat = async (
  db: Queries,
  meetingId: string,
  person: string,
): Promise<PersonSeat | undefined> =>
  (await askSeat(db, { second: false }, { meetingId, person }))[0];

/**
 * The open meeting of a room, and the seat that somebody has in it; undefined where there is none. Who changes
 * it has found both in the same change.
 */
export interface Standing {
  readonly meeting: MeetingRow | undefined;
  readonly seat: PersonSeat | undefined;
}

/** A meeting that has not ended. */
export type OpenMeeting = Omit<MeetingRow, "opened_at" | "mutes_entry">;

type Opened = Pick<MeetingRow, "id" | "organization_id" | "room_id" | "media" | "room_type">;

/** The values with which a meeting begins. */
const beginning = {
  started_at: null,
  ended_at: null,
  seconds: null,
  locked: false,
  presenter: null,
} as const;

const insertMeeting = prepared<null, Opened, never>((tx, _, opened) =>
  tx.insertInto("meetings").values({ ...opened, ...beginning, opened_at: now() }),
);

/** Opens a meeting in a room that has no open one. */
export const openMeeting = (
  { tx, send }: Pick<Change, "tx" | "send">,
  row: RoomRow,
  media: MeetingRow["media"],
): OpenMeeting => {
  const { id: room_id, organization_id } = row;
  const opened = { id: uuid7(), organization_id, room_id, media, room_type: roomOf(row).roomType };
  send(insertMeeting.statement(tx, null, opened));
  return { ...opened, ...beginning };
};

/** A meeting that has not ended, by its ID. */
export const askMeeting = prepared<null, { readonly id: string }, MeetingRow>((db, _, { id }) =>
  db
    .selectFrom("meetings")
    .select(meetingColumns)
    .where("id", "=", id)
    .where("ended_at", "is", null),
);

/** The room of a meeting that has not ended, by the ID of the meeting. */
const askRoomOfMeeting = prepared<null, { readonly id: string }, RoomRow>((db, _, { id }) => {
  const open = db.selectFrom("meetings").where("id", "=", id).where("ended_at", "is", null);
  return db.selectFrom("rooms").select(allRoomColumns).where("id", "=", open.select("room_id"));
});

/** A meeting that has not ended, and its room. */
export interface MeetingInRoom {
  readonly meeting: OpenMeeting;
  readonly row: RoomRow;
}

/** A meeting with its room, by the ID of the meeting; undefined once it has ended. */
export const findHeld = async (
  db: Queries,
  meetingId: string,
): Promise<MeetingInRoom | undefined> => {
  const [[meeting], [row]] = await together(db, ...heldIn(db, meetingId));
  return meeting && row && { meeting, row };
};

/** The queries of `findHeld`. */
export const heldIn = (db: Queries, id: string) =>
  [askMeeting.statement(db, null, { id }), askRoomOfMeeting.statement(db, null, { id })] as const;
