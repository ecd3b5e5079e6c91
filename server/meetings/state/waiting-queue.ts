import type { PeerType } from "../../../contract/meetings/meetings.ts";
import type { Room } from "../../../contract/rooms/record.ts";
import type { Queries } from "../../change/organization.ts";
import type { MeetingRow, SeatRow } from "../../db/meeting-tables.ts";
import { HOLDER, USER } from "../../db/person-keys.ts";
import type { RoomRow } from "../../db/tables.ts";
import { occupancyOf, whyFull } from "../seats/places.ts";
import { livingSeats, type PersonSeat } from "../seats/seat.ts";
import { letIn } from "./admission.ts";
import type { MeetingChange, OpenMeeting } from "./open-meeting.ts";

/*
 * Places before the door whose people come in by themselves: when a host has come, and when a seat is free, in
 * the order in which they came (0046). A moderator has nothing to decide about them.
 */

/** Returns whether the room's guests have to wait for a host now: none has been inside since the meeting began. */
export const lacksHost = async (
  db: Queries,
  { waits_for_host }: Pick<RoomRow, "waits_for_host">,
  meeting: Pick<MeetingRow, "id"> | undefined,
): Promise<boolean> => {
  if (!waits_for_host) return false;
  if (meeting === undefined) return true;
  const host = await db
    .selectFrom("seats")
    .select("id")
    .where("meeting_id", "=", meeting.id)
    .where("joined_at", "is not", null)
    .where(({ or, eb }) =>
      or([
        eb("role", "=", "moderator"),
        // Also one who chose to be a viewer: people of the organization, and holders of access keys.
        eb("person", "like", `${USER}%`),
        eb("person", "like", HOLDER),
      ]),
    )
    .limit(1)
    .executeTakeFirst();
  return host === undefined;
};

/** A meeting for which people wait. */
interface Waited {
  readonly row: RoomRow;
  /** As the meeting sees it. */
  readonly room: Room;
  readonly meeting: OpenMeeting;
}

/** Lets in everybody who need not wait any more, as far as seats are free. @returns whether somebody came in */
export const admitQueued = async (
  change: MeetingChange,
  { row, room, meeting }: Waited,
): Promise<boolean> => {
  const { tx } = change;
  if (meeting.locked || row.deleted_at !== null) return false;
  const queued = await livingSeats(tx, meeting.id)
    .selectAll()
    .$narrowType<PersonSeat>()
    .where("state", "=", "waiting")
    .where("waits_for", "is not", null)
    .orderBy("claimed_at")
    .orderBy("id")
    .execute();
  if (queued.length === 0 || (await lacksHost(tx, row, meeting))) return false;
  const taken: Record<PeerType, number> = { ...(await occupancyOf(tx, meeting.id)).taken };
  const fitting: PersonSeat[] = [];
  const others: SeatRow[] = [];
  for (const seat of queued) {
    if (whyFull(room, meeting, taken, seat.role)) others.push(seat);
    else {
      taken[seat.role] += 1;
      fitting.push(seat);
    }
  }
  const late = others.filter(({ waits_for }) => waits_for === "host").map(({ id }) => id);
  if (late.length > 0) {
    await tx.updateTable("seats").set({ waits_for: "seat" }).where("id", "in", late).execute();
  }
  await letIn(change, fitting);
  return fitting.length > 0;
};
