import type { Queries } from "../../change/organization.ts";
import type { SeatRow } from "../../db/meeting-tables.ts";
import { now } from "../../db/now.ts";
import { leaveMessages } from "../seats/messages.ts";
import { CLAIM_MS, isPersonal, type PersonSeat } from "../seats/seat.ts";
import type { SeatSet } from "./end-seats.ts";
import { publishPeer } from "./events.ts";
import type { MeetingChange } from "./running.ts";

/** Marks people of one meeting as inside, and the meeting as begun. */
export const enter = async (change: MeetingChange, seats: readonly SeatRow[]): Promise<void> => {
  const [first] = seats;
  if (first === undefined) return;
  const { tx } = change;
  const ids = seats.map(({ id }) => id);
  await tx
    .updateTable("seats")
    .set(({ fn, ref }) => ({
      state: "inside",
      lease_until: null,
      last_seen: now(),
      claimed_from: null,
      joined_at: fn.coalesce(ref("joined_at"), now()),
    }))
    .where("id", "in", ids)
    .execute();
  const begun = await tx
    .updateTable("meetings")
    .set({ started_at: now() })
    .where("id", "=", first.meeting_id)
    .where("started_at", "is", null)
    .returning("id")
    .executeTakeFirst();
  if (begun) {
    const data = { meetingId: begun.id };
    change.publish({ type: "meetingStarted", in: { id: first.room_id }, data });
  }
  const fresh = seats.filter(({ joined_at }) => joined_at === null);
  for (const seat of fresh) publishPeer(change, "newPeer", seat);
  await muteNew(tx, fresh);
};

/**
 * Tells those who are new in a meeting that people enter with the microphone off. Their page finds the
 * message before it knows that it is inside, on whatever process.
 */
const muteNew = async (tx: Queries, fresh: readonly SeatRow[]): Promise<void> => {
  const meant = fresh.filter(
    ({ role, returns }) => !returns && role !== "moderator" && isPersonal(role),
  );
  const [first] = meant;
  if (first === undefined) return;
  const meetingId = first.meeting_id;
  const { mutes_entry } = await tx
    .selectFrom("meetings")
    .select("mutes_entry")
    .where("id", "=", meetingId)
    .executeTakeFirstOrThrow();
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
    const entering = { state: "claimed", waits_for: null, claimed_at: now(), ...admitted } as const;
    const [connected, others] = [
      these.filter(({ process }) => process !== null),
      these.filter(({ process }) => process === null),
    ];
    await updateAll(change.tx, connected, entering);
    await updateAll(change.tx, others, { ...entering, lease_until: now(CLAIM_MS) });
    for (const seat of these) if (!byThemselves) publishPeer(change, "peerAdmitted", seat);
    await enter(change, connected);
  }
};

const updateAll = async (tx: Queries, seats: readonly SeatRow[], set: SeatSet): Promise<void> => {
  if (seats.length === 0) return;
  const ids = seats.map(({ id }) => id);
  await tx.updateTable("seats").set(set).where("id", "in", ids).execute();
};
