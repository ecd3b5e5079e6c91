import { type CompiledQuery, sql, type UpdateObject } from "kysely";
import type { EndReason } from "../../../contract/meetings/socket.ts";
import type { Change, Queries } from "../../change/organization.ts";
import { type MeetingRow, type SeatRow, seatColumns } from "../../db/meeting-tables.ts";
import { now } from "../../db/now.ts";
import { prepared } from "../../db/prepared.ts";
import type { Tables } from "../../db/tables.ts";
import { meter } from "../../lib/measured.ts";
import { isPerson, isStaying } from "../seats/seat.ts";
import { publishEnd } from "./events.ts";
import type { MeetingChange } from "./open-meeting.ts";

/** The values that an update of a seat sets. */
export type SeatSet = UpdateObject<Tables, "seats">;

/** The end of a person's stay: now, or when the connection was lost. */
export type EndedAt = "now" | "last seen";

const timeOf = (at: EndedAt) => (at === "now" ? now() : sql<string>`coalesce(last_seen, ${now()})`);

const askMedia = prepared<null, { readonly meetingId: string }, Pick<MeetingRow, "media">>(
  (db, _, { meetingId }) => db.selectFrom("meetings").select("media").where("id", "=", meetingId),
);

/** Returns whether the media engine may know the person: the seat is free only after the engine has let them go. */
const isInEngine = (meeting: Pick<MeetingRow, "media">, seat: SeatRow): boolean =>
  meeting.media === "livekit" && seat.media_connection > 0;

/** Deletes the rows of people who could have come back but did not. */
const forgetReturning = async (tx: Queries, seats: readonly SeatRow[]): Promise<void> => {
  const ids = seats.filter(({ state }) => state === "returning").map(({ id }) => id);
  if (ids.length === 0) return;
  await tx.deleteFrom("seats").where("id", "in", ids).where("state", "=", "returning").execute();
};

interface Ending {
  readonly state: "left" | "leaving";
  readonly at: EndedAt;
  /** True if it is one seat: lists of all lengths would be too many kept texts. */
  readonly isOne: boolean;
  /** True if it is sent: then nobody reads its rows. */
  readonly isSent?: true;
}

const askEnd = prepared<
  Ending,
  { readonly reason: EndReason; readonly ids: readonly string[] },
  SeatRow
>(
  (db, { state, at, isSent }, { reason, ids }) => {
    const last = timeOf(at);
    const set: SeatSet =
      state === "left"
        ? { left_at: last, lease_until: null, media_process: null }
        : // Due at once: the gate of the process with the connection asks the engine, or a sweeper does.
          { lease_until: now(), last_seen: last };
    const ended = { reason, process: null, hand_at: null, upgrade: null, claimed_from: null };
    const query = db
      .updateTable("seats")
      .set({ ...ended, ...set, state })
      .where("id", "in", ids)
      .where("left_at", "is", null)
      .where("state", "<>", "leaving");
    return (isSent ? query : query.returning(seatColumns)) as { compile(): CompiledQuery<SeatRow> };
  },
  ({ isOne }) => isOne,
);

const endRows = async (
  change: MeetingChange,
  seats: readonly SeatRow[],
  shape: Omit<Ending, "isOne">,
  reason: EndReason,
): Promise<void> => {
  if (seats.length === 0) return;
  const before = new Map(seats.map((seat) => [seat.id, seat]));
  const ids = [...before.keys()];
  const ended = await askEnd(change.tx, { ...shape, isOne: ids.length === 1 }, { reason, ids });
  for (const seat of ended) {
    publishEnd(change, seat, before.get(seat.id)?.state);
    if (isPerson(seat)) meter("end", reason);
  }
};

/**
 * Makes second devices the only ones of people whose own seats have ended. Those that end with them are no longer
 * there. It follows the ends, in the same change, so a second device never outlives its person's seat as one.
 */
const takePlace = prepared<
  { readonly isOne: boolean },
  { readonly meetingId: string; readonly persons: readonly string[] },
  never
>(
  (tx, _, { meetingId, persons }) =>
    tx
      .updateTable("seats")
      .set({ second: false })
      .where("meeting_id", "=", meetingId)
      .where("left_at", "is", null)
      .where("second", "=", true)
      .where(isStaying)
      .where("person", "in", persons),
  ({ isOne }) => isOne,
);

/** Makes the second devices of people their only ones; see `takePlace`. */
export const succeedSeats = async (
  { tx }: MeetingChange,
  seats: readonly Pick<SeatRow, "meeting_id" | "person" | "second" | "role">[],
): Promise<void> => {
  const [first, ...more] = seats.filter((seat) => !seat.second && isPerson(seat));
  if (first === undefined) return;
  const persons = [first, ...more].map(({ person }) => person);
  const isOne = persons.length === 1;
  await takePlace(tx, { isOne }, { meetingId: first.meeting_id, persons });
};

/**
 * Ends a seat that this change has read as `releaseSeats` does. Waits for the database only where it cannot know
 * what an event or a second device needs.
 *
 * @param hasSecond whether its person has a second device in the meeting
 * @returns the state in which it still counts; undefined where it has ended
 */
export const endRead = async (
  change: Change,
  meeting: Pick<MeetingRow, "media">,
  seat: SeatRow,
  reason: EndReason,
  hasSecond: boolean,
): Promise<"leaving" | undefined> => {
  const state = isInEngine(meeting, seat) ? "leaving" : "left";
  if (seat.joined_at !== null && change.organization.webhooks > 0) {
    await endRows(change, [seat], { state, at: "now" }, reason);
  } else {
    const shape = { state, at: "now", isOne: true, isSent: true } as const;
    change.send(askEnd.statement(change.tx, shape, { reason, ids: [seat.id] }));
    if (isPerson(seat)) meter("end", reason);
  }
  if (hasSecond) await succeedSeats(change, [seat]);
  return state === "left" ? undefined : state;
};

/**
 * Ends seats of one meeting as `releaseSeats` does, and leaves `settleMeeting` to its caller.
 *
 * @param at the end of the people's stay
 * @param returns whether the people's places are kept for them: then their second devices stay second ones
 */
export const endSeats = async (
  change: MeetingChange,
  meetingId: string,
  seats: readonly SeatRow[],
  reason: EndReason,
  at: EndedAt = "now",
  returns = false,
): Promise<void> => {
  if (seats.length === 0) return;
  const [meeting] = await askMedia(change.tx, null, { meetingId });
  if (meeting) await endSeatsOf(change, meeting, seats, reason, at, returns);
};

/** Ends seats of a meeting as `endSeats` does. All statements are under way when it returns its promise. */
export const endSeatsOf = async (
  change: MeetingChange,
  meeting: Pick<MeetingRow, "media">,
  seats: readonly SeatRow[],
  reason: EndReason,
  at: EndedAt,
  returns = false,
): Promise<void> => {
  const leaving = seats.filter((seat) => isInEngine(meeting, seat));
  const left = seats.filter((seat) => !isInEngine(meeting, seat));
  await Promise.all([
    // First: an end would otherwise turn into attendance what only kept the way back.
    forgetReturning(change.tx, seats),
    endRows(change, left, { state: "left", at }, reason),
    endRows(change, leaving, { state: "leaving", at }, reason),
    returns ? undefined : succeedSeats(change, seats),
  ]);
};
