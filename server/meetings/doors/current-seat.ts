import { type CommandName, ownCommands } from "../../../contract/meetings/commands.ts";
import type { Room } from "../../../contract/rooms/record.ts";
import type { Queries } from "../../change/organization.ts";
import type { MeetingRow, SeatRow } from "../../db/meeting-tables.ts";
import { refuse } from "../../lib/refusal.ts";
import { PRESENT } from "../state/inside.ts";
import { heldRoom } from "../state/running.ts";
import type { Connected } from "./presence.ts";

/** A seat with its meeting and its room as they are now. */
export interface CurrentSeat {
  /** With the name of its person's account; null without one. */
  readonly seat: SeatRow & { readonly account_name: string | null };
  readonly meeting: MeetingRow;
  readonly room: Room;
}

/** The seat of a connection; undefined if it, its meeting or its room is gone, or it has a later socket. */
export const currentSeatOf = async (
  db: Queries,
  { seat: { id, room_id }, meeting: { id: meetingId }, connection }: Connected,
): Promise<CurrentSeat | undefined> => {
  const [seat, meeting, row] = await Promise.all([
    db
      .selectFrom("seats")
      .leftJoin("users", "users.id", "seats.user_id")
      .selectAll("seats")
      .select("users.name as account_name")
      .where("seats.id", "=", id)
      .where("connection", "=", connection)
      .executeTakeFirst(),
    db.selectFrom("meetings").selectAll().where("id", "=", meetingId).executeTakeFirst(),
    db.selectFrom("rooms").selectAll().where("id", "=", room_id).executeTakeFirst(),
  ]);
  return seat && meeting && row && { seat, meeting, room: heldRoom(row, meeting) };
};

/** Whether a seat may still send this command; a person who waits may only leave. */
const isUsable = ({ seat: { state }, meeting }: CurrentSeat, name: CommandName): boolean =>
  meeting.ended_at === null &&
  (PRESENT.includes(state) || (state === "waiting" && name === "leave"));

/** The seat for which a command is carried out. @throws Refusal `ticket_ended`, `moderators_only` */
export const entitled = (current: CurrentSeat | undefined, name: CommandName): CurrentSeat => {
  if (current === undefined || !isUsable(current, name)) return refuse("ticket_ended");
  const isForModerators = !Object.hasOwn(ownCommands, name);
  if (isForModerators && current.seat.role !== "moderator") refuse("moderators_only");
  return current;
};
