import { peerTypes } from "../../contract/meetings/meetings.ts";
import type { Queries } from "../change/organization.ts";
import type { MeetingRow } from "../db/meeting-tables.ts";
import { piecesOf } from "../db/pieces.ts";
import { peaksBetween, readSteps, type StayInside, stepsOf, writeSteps } from "./steps.ts";
import { wholeStays } from "./whole-stays.ts";

/** A meeting that has ended, or ends in the same change. */
export type Ended = Pick<MeetingRow, "id" | "organization_id" | "room_id"> & {
  readonly room_type: string;
  readonly started_at: string;
  readonly ended_at: string;
  readonly seconds: number;
};

/** Quarters of an hour begin at the same moments in every time zone in use. */
export const QUARTER_MS = 15 * 60_000;

/** Small enough for a statement. */
const PIECE = 500;

/** Counts an ended meeting, once, under the organization's lock. */
export const countMeeting = async (tx: Queries, meeting: Ended): Promise<void> => {
  const { id, organization_id, room_id, room_type, started_at, ended_at, seconds } = meeting;
  const stays = await tx
    .selectFrom("seats")
    .select(({ fn, ref, val }) => [
      "person",
      "user_id",
      "joined_at",
      // A person whom the media engine has yet to let go was last there when the seat ended.
      fn.coalesce(ref("left_at"), ref("last_seen"), val(ended_at)).as("left_at"),
    ])
    .where("meeting_id", "=", id)
    .where("role", "in", peerTypes)
    .where("joined_at", "is not", null)
    .$narrowType<StayInside>()
    .execute();
  const seats = wholeStays(stays, ({ left_at }) => ({ left_at }));
  const { recordings } = await tx
    .selectFrom("recordings")
    .select(({ fn }) => fn.countAll<number | string>().as("recordings"))
    .where("room_id", "=", room_id)
    .where("meeting_id", "=", id)
    .executeTakeFirstOrThrow();
  const counted = await tx
    .insertInto("usage_meetings")
    .values({
      id,
      organization_id,
      room_id,
      room_type,
      started_at,
      ended_at,
      seconds,
      people: new Set(seats.map(({ person }) => person)).size,
      person_seconds: secondsOf(seats),
      recordings: Number(recordings),
      steps: writeSteps(stepsOf(seats), started_at),
    })
    .onConflict((conflict) => conflict.column("id").doNothing())
    .returning("id")
    .executeTakeFirst();
  if (counted === undefined) return;
  const accounts = Map.groupBy(seats, ({ user_id }) => user_id);
  accounts.delete(null);
  const people = [...accounts].map(([user_id, stays]) => ({
    meeting_id: id,
    user_id: user_id ?? "",
    organization_id,
    started_at,
    seconds: secondsOf(stays),
  }));
  for (const piece of piecesOf(people, PIECE)) {
    await tx.insertInto("usage_people").values(piece).execute();
  }
  await countPeaks(tx, meeting);
};

/** The total seconds of stays. */
const secondsOf = (stays: readonly StayInside[]): number =>
  Math.round(
    stays.reduce(
      (all, { joined_at, left_at }) =>
        all + Math.max(0, Date.parse(left_at) - Date.parse(joined_at)),
      0,
    ) / 1000,
  );

/**
 * Recomputes the peak of each quarter of an hour of a meeting, with the ended meetings that overlap
 * it. The last of them to end finds the steps of all, so the peak is right from then on.
 */
const countPeaks = async (
  tx: Queries,
  { organization_id, started_at, ended_at }: Ended,
): Promise<void> => {
  const overlapping = await tx
    .selectFrom("usage_meetings")
    .select(["started_at", "steps"])
    .where("organization_id", "=", organization_id)
    .where("ended_at", ">", started_at)
    .where("started_at", "<", ended_at)
    .execute();
  const quarters: number[] = [];
  const end = Date.parse(ended_at);
  let at = Math.floor(Date.parse(started_at) / QUARTER_MS) * QUARTER_MS;
  for (; at < end; at += QUARTER_MS) quarters.push(at);
  const peaks = peaksBetween(readSteps(overlapping), [...quarters, at]);
  const rows = quarters.map((quarter, n) => ({
    organization_id,
    starts_at: new Date(quarter).toISOString(),
    peak: peaks[n] ?? 0,
  }));
  for (const piece of piecesOf(rows, PIECE)) {
    await tx
      .insertInto("usage_quarters")
      .values(piece)
      .onConflict((conflict) =>
        conflict
          .columns(["organization_id", "starts_at"])
          .doUpdateSet(({ ref }) => ({ peak: ref("excluded.peak") }))
          // Earlier steps are not gone: a peak never falls.
          .whereRef("usage_quarters.peak", "<", "excluded.peak" as never),
      )
      .execute();
  }
};
