import type { Room } from "../../contract/rooms/record.ts";
import type { Queries } from "../change/organization.ts";
import {
  type MeetingRow,
  meetingColumns,
  type SeatRow,
  seatColumns,
} from "../db/meeting-tables.ts";
import { prepared, together } from "../db/prepared.ts";
import type { RoomRow } from "../db/tables.ts";
import { refuse } from "../lib/refusal.ts";
import type { Connected } from "../meetings/doors/presence.ts";
import { PRESENT } from "../meetings/state/inside.ts";
import { heldRoom } from "../meetings/state/open-meeting.ts";

/** The people who may send a command over the meeting socket: everybody also means people who wait. */
export type Who = "moderators" | "people inside" | "everybody";

/** A seat with its meeting and its room as they are now. */
export interface CurrentSeat {
  /** With the name of its person's account; null without one. */
  readonly seat: SeatRow & { readonly account_name: string | null };
  readonly meeting: MeetingRow;
  readonly room: Room;
}

const askSeat = prepared<
  null,
  { readonly id: string; readonly connection: number },
  CurrentSeat["seat"]
>((db, _, { id, connection }) =>
  db
    .selectFrom("seats")
    .leftJoin("users", "users.id", "seats.user_id")
    .select(seatColumns.map((column) => `seats.${column}` as const))
    .select("users.name as account_name")
    .where("seats.id", "=", id)
    .where("connection", "=", connection),
);

const askMeeting = prepared<null, { readonly id: string }, MeetingRow>((db, _, { id }) =>
  db.selectFrom("meetings").select(meetingColumns).where("id", "=", id),
);

const askRoom = prepared<null, { readonly id: string }, Pick<RoomRow, "record" | "extras">>(
  (db, _, { id }) => db.selectFrom("rooms").select(["record", "extras"]).where("id", "=", id),
);

/** The seat of a connection; undefined if it, its meeting or its room is gone, or it has a later socket. */
export const currentSeatOf = async (
  db: Queries,
  { seat: { id, room_id: roomId }, meeting: { id: meetingId }, connection }: Connected,
): Promise<CurrentSeat | undefined> => {
  const [[seat], [meeting], [row]] = await together(
    db,
    askSeat.statement(db, null, { id, connection }),
    askMeeting.statement(db, null, { id: meetingId }),
    askRoom.statement(db, null, { id: roomId }),
  );
  return seat && meeting && row && { seat, meeting, room: heldRoom(row, meeting) };
};

/** The facts that decide whether a seat may send a command. */
type Standing = {
  readonly seat: Pick<SeatRow, "state" | "role">;
  readonly meeting: Pick<MeetingRow, "ended_at">;
};

const isUsable = ({ seat: { state }, meeting }: Standing, who: Who): boolean =>
  meeting.ended_at === null &&
  (PRESENT.includes(state) || (state === "waiting" && who === "everybody"));

/**
 * Checks that a seat may send a command: the only place that decides it.
 *
 * @throws Refusal `ticket_ended`, `moderators_only`
 */
export const entitled = <Current extends Standing>(
  current: Current | undefined,
  who: Who,
): Current => {
  if (current === undefined || !isUsable(current, who)) return refuse("ticket_ended");
  if (who === "moderators" && current.seat.role !== "moderator") refuse("moderators_only");
  return current;
};
