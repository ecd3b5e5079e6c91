import { sql, type UpdateObject } from "kysely";
import type { EndReason } from "../../../contract/meetings/socket.ts";
import type { Queries } from "../../change/organization.ts";
import type { MeetingRow, SeatRow } from "../../db/meeting-tables.ts";
import { now } from "../../db/now.ts";
import type { Tables } from "../../db/tables.ts";
import { publishEnd } from "./events.ts";
import type { MeetingChange } from "./running.ts";

/** The values that an update of a seat sets. */
export type SeatSet = UpdateObject<Tables, "seats">;

/** The end of a person's stay: now, or when the connection was lost. */
export type EndedAt = "now" | "last seen";

const timeOf = (at: EndedAt) => (at === "now" ? now() : sql<string>`coalesce(last_seen, ${now()})`);

/** Whether the media engine may know the person: the seat is free only when it has let them go. */
const isInEngine = (meeting: Pick<MeetingRow, "media">, seat: SeatRow): boolean =>
  meeting.media === "livekit" && seat.media_connection > 0;

/** Deletes the rows of people who could have come back but did not. */
const forgetReturning = async (tx: Queries, seats: readonly SeatRow[]): Promise<void> => {
  const ids = seats.filter(({ state }) => state === "returning").map(({ id }) => id);
  if (ids.length === 0) return;
  await tx.deleteFrom("seats").where("id", "in", ids).where("state", "=", "returning").execute();
};

const endRows = async (
  change: MeetingChange,
  seats: readonly SeatRow[],
  set: SeatSet,
): Promise<void> => {
  if (seats.length === 0) return;
  const before = new Map(seats.map((seat) => [seat.id, seat]));
  const ended = await change.tx
    .updateTable("seats")
    .set(set)
    .where("id", "in", [...before.keys()])
    .where("left_at", "is", null)
    .where("state", "<>", "leaving")
    .returningAll()
    .execute();
  for (const seat of ended) publishEnd(change, seat, before.get(seat.id)?.state);
};

/**
 * Ends seats of one meeting as `releaseSeats` does, and leaves `settleMeeting` to its caller.
 *
 * @param at the end of the people's stay
 */
export const endSeats = async (
  change: MeetingChange,
  meetingId: string,
  seats: readonly SeatRow[],
  reason: EndReason,
  at: EndedAt = "now",
): Promise<void> => {
  if (seats.length === 0) return;
  const { tx } = change;
  const meeting = await tx
    .selectFrom("meetings")
    .select("media")
    .where("id", "=", meetingId)
    .executeTakeFirst();
  if (meeting === undefined) return;
  await forgetReturning(tx, seats);
  const leaving = seats.filter((seat) => isInEngine(meeting, seat));
  const left = seats.filter((seat) => !isInEngine(meeting, seat));
  const ended = { reason, process: null, hand_at: null, upgrade: null, claimed_from: null };
  const last = timeOf(at);
  const free = { left_at: last, lease_until: null, media_process: null };
  await endRows(change, left, { ...ended, ...free, state: "left" });
  // Due at once: the gate of the process with the connection asks the engine, or a sweeper does.
  const due = { lease_until: now(), last_seen: last };
  await endRows(change, leaving, { ...ended, ...due, state: "leaving" });
};
