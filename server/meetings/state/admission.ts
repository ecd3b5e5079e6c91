import type { ExpressionBuilder } from "kysely";
import type { Queries } from "../../change/organization.ts";
import type { MeetingRow, SeatRow } from "../../db/meeting-tables.ts";
import { now } from "../../db/now.ts";
import { prepared } from "../../db/prepared.ts";
import type { Tables } from "../../db/tables.ts";
import { leaveMessages } from "../seats/messages.ts";
import { CLAIM_MS, isPersonal, type PersonSeat } from "../seats/seat.ts";
import type { SeatSet } from "./end-seats.ts";
import { publishPeer } from "./events.ts";
import type { MeetingChange } from "./open-meeting.ts";

/** The values that the seat of somebody who comes in gets. */
export const entrySet = ({ fn, ref }: ExpressionBuilder<Tables, "seats">) => ({
  state: "inside" as const,
  lease_until: null,
  last_seen: now(),
  claimed_from: null,
  joined_at: fn.coalesce(ref("joined_at"), now()),
});

/** Marks a meeting as begun. Answers nothing if it had begun before. */
export const begin = prepared<null, { readonly id: string }, Pick<MeetingRow, "started_at">>(
  (tx, _, { id }) =>
    tx
      .updateTable("meetings")
      .set({ started_at: now() })
      .where("id", "=", id)
      .where("started_at", "is", null)
      .returning("started_at"),
);

/**
 * Says that people have come into a meeting.
 *
 * @param seats as they were before
 */
export const greet = async (
  change: MeetingChange,
  seats: readonly SeatRow[],
  meeting: Pick<MeetingRow, "id" | "room_id" | "mutes_entry">,
  hasBegun: boolean,
): Promise<void> => {
  if (hasBegun) {
    const data = { meetingId: meeting.id };
    change.publish({ type: "meetingStarted", in: { id: meeting.room_id }, data });
  }
  const fresh = seats.filter(({ joined_at }) => joined_at === null);
  for (const seat of fresh) publishPeer(change, "newPeer", seat);
  await muteNew(change.tx, meeting, fresh);
};

/** Marks people of one meeting as inside, and the meeting as begun. */
const enter = async (change: MeetingChange, seats: readonly SeatRow[]): Promise<void> => {
  const [first] = seats;
  if (first === undefined) return;
  const { tx } = change;
  const { meeting_id: id } = first;
  const ids = seats.map((seat) => seat.id);
  await tx.updateTable("seats").set(entrySet).where("id", "in", ids).execute();
  const [begun] = await begin(tx, null, { id });
  const meeting = await tx
    .selectFrom("meetings")
    .select(["id", "room_id", "mutes_entry"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  await greet(change, seats, meeting, begun !== undefined);
};

/**
 * Tells those who are new in a meeting that people enter with the microphone off. Their page finds the
 * message before it knows that it is inside, on whatever process.
 */
const muteNew = async (
  tx: Queries,
  { id: meetingId, mutes_entry }: Pick<MeetingRow, "id" | "mutes_entry">,
  fresh: readonly SeatRow[],
): Promise<void> => {
  const meant = fresh.filter(
    ({ role, returns }) => !returns && role !== "moderator" && isPersonal(role),
  );
  if (!mutes_entry) return;
  const message = { type: "muted", media: ["audio"], by: "A moderator", entering: true } as const;
  await leaveMessages(
    tx,
    meant.map(({ id }) => ({ meetingId, seatId: id, message })),
  );
};

/** Lets in people of one meeting, and leaves the check for a place and `settleMeeting` to its caller. */
export const letIn = async (change: MeetingChange, seats: readonly PersonSeat[]): Promise<void> => {
  for (const kind of ["by a moderator", "by themselves"] as const) {
    const byThemselves = kind === "by themselves";
    const these = seats.filter(({ waits_for }) => (waits_for !== null) === byThemselves);
    // A claim that no moderator has admitted gives no right to stay (right-to-stay.ts).
    const admitted = byThemselves ? {} : { claimed_from: null };
    const claiming = { state: "claimed", waits_for: null, claimed_at: now(), ...admitted } as const;
    const [connected, others] = [
      these.filter(({ process }) => process !== null),
      these.filter(({ process }) => process === null),
    ];
    await updateAll(change.tx, connected, claiming);
    await updateAll(change.tx, others, { ...claiming, lease_until: now(CLAIM_MS) });
    for (const seat of these) if (!byThemselves) publishPeer(change, "peerAdmitted", seat);
    await enter(change, connected);
  }
};

const updateAll = async (tx: Queries, seats: readonly SeatRow[], set: SeatSet): Promise<void> => {
  if (seats.length === 0) return;
  const ids = seats.map(({ id }) => id);
  await tx.updateTable("seats").set(set).where("id", "in", ids).execute();
};
