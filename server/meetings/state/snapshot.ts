import type {
  EndReason,
  RecorderState,
  RunFailure,
  RunState,
} from "../../../contract/meetings/socket.ts";
import type { Room } from "../../../contract/rooms/record.ts";
import type { Queries } from "../../change/organization.ts";
import type { RunRow } from "../../db/live-tables.ts";
import { type MeetingRow, type SeatRow, seatColumns } from "../../db/meeting-tables.ts";
import { prepared, together } from "../../db/prepared.ts";
import type { RoomRow } from "../../db/tables.ts";
import { digestOf } from "../../lib/digest.ts";
import { roomOf } from "../../records/rooms.ts";
import { nextDateOf } from "../../records/schedules.ts";
import { askLastRecording, recorderStateOf } from "../captures/recording-rules.ts";
import { askEnded, askRuns, failuresIn, runStatesOf, withErrors } from "../captures/runs.ts";
import { livingSeats } from "../seats/seat.ts";
import { heldIn, heldRoom } from "./open-meeting.ts";

/** The state of a meeting in the database at one moment. */
export interface Snapshot {
  readonly meeting: MeetingRow;
  readonly row: RoomRow;
  readonly room: Room;
  /** When people meet next in the room. */
  readonly nextAt: string | null;
  /** Every seat that waits, is claimed, inside or away. */
  readonly seats: readonly SeatRow[];
  /** Its live stream and its transcription, as long as they have not ended. */
  readonly runs: readonly RunRow[];
  readonly runStates: readonly RunState[];
  readonly failed: readonly RunFailure[];
  readonly recorder: RecorderState;
}

/** Called with the result of every look at a meeting; undefined when the meeting is over. */
export type Follower = (snapshot: Snapshot | undefined) => void;

/** Looks at meetings again and again, for those that follow them. */
export interface Followable {
  /** Calls the follower with each look that begins from now on. @returns a function that stops it */
  follow(meetingId: string, follower: Follower): () => void;
}

const askSeats = prepared<null, { readonly meetingId: string }, SeatRow>((db, _, { meetingId }) =>
  livingSeats(db, meetingId)
    .select(seatColumns)
    .where("state", "in", ["waiting", "claimed", "inside", "away"])
    .orderBy("claimed_at")
    .orderBy("id"),
);

/** The meeting with its room and its seats; undefined when it is over or unknown. */
export const loadSnapshot = async (
  db: Queries,
  meetingId: string,
): Promise<Snapshot | undefined> => {
  const [[meeting], [row], seats, open, [last], ended] = await together(
    db,
    ...heldIn(db, meetingId),
    askSeats.statement(db, null, { meetingId }),
    askRuns.statement(db, null, { meetingId }),
    askLastRecording.statement(db, null, { meetingId }),
    askEnded.statement(db, null, { meetingId }),
  );
  if (!meeting || !row) return undefined;
  const room = heldRoom(row, meeting);
  const runs = await withErrors(db, open);
  const nextAt = await nextDateOf(db, row.id, room.scheduledDateTime);
  const recorder = await recorderStateOf(db, last, room);
  const runStates = await runStatesOf(db, runs);
  const failed = failuresIn(ended);
  return { meeting, row, room, nextAt, seats, runs, runStates, failed, recorder };
};

/**
 * Returns whether participantPrivacy has been switched since a snapshot: what was read after it may have been
 * written or said after that.
 */
export const hidesOtherwise = async (db: Queries, { row, room }: Snapshot): Promise<boolean> => {
  const current = await db
    .selectFrom("rooms")
    .select(["record", "extras"])
    .where("id", "=", row.id)
    .executeTakeFirst();
  return current !== undefined && roomOf(current).participantPrivacy !== room.participantPrivacy;
};

/** Why seats have ended, by ID; without seats that are unknown. */
export const endReasonsOf = async (
  db: Queries,
  seatIds: readonly string[],
): Promise<ReadonlyMap<string, EndReason>> => {
  if (seatIds.length === 0) return new Map();
  const rows = await db
    .selectFrom("seats")
    .select(["id", "reason"])
    .where("id", "in", seatIds)
    .execute();
  return new Map(rows.map(({ id, reason }) => [id, (reason ?? "left") as EndReason]));
};

/** Why the seat of a ticket has ended; undefined if it has not, or if the ticket is unknown. */
export const reasonOfTicket = async (
  db: Queries,
  ticket: string,
): Promise<EndReason | undefined> => {
  const seat = await db
    .selectFrom("seats")
    .select("reason")
    .where("ticket_digest", "=", digestOf(ticket))
    .where("state", "in", ["leaving", "left"])
    .executeTakeFirst();
  return (seat?.reason ?? undefined) as EndReason | undefined;
};
