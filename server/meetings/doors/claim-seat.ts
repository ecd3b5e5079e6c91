import type { PeerType } from "../../../contract/meetings/meetings.ts";
import type { Room } from "../../../contract/rooms/record.ts";
import type { Change, Queries } from "../../change/organization.ts";
import type { MeetingRow, SeatRow } from "../../db/meeting-tables.ts";
import { now } from "../../db/now.ts";
import { prepared } from "../../db/prepared.ts";
import type { RoomRow } from "../../db/tables.ts";
import { uuid7 } from "../../lib/id.ts";
import { Refusal } from "../../lib/refusal.ts";
import { emptyRoom, occupancyOf, whyFull, withClaim } from "../seats/places.ts";
import { CLAIM_MS, freshSeat, type PersonSeat } from "../seats/seat.ts";
import { letIn } from "../state/admission.ts";
import { endSeats, type SeatSet } from "../state/end-seats.ts";
import { publishPeer } from "../state/events.ts";
import { findLobbyPlace, findPlace } from "../state/find-place.ts";
import {
  askSeat,
  heldRoom,
  type MeetingChange,
  type OpenMeeting,
  openMeeting,
  type Standing,
} from "../state/open-meeting.ts";
import { settleHeld, settleMeeting } from "../state/running.ts";
import { checkSentAway } from "./bans.ts";
import type { WaitsFor } from "./visitor.ts";

/*
 * A seat is a row. The change that takes it counts the seats under the organization's lock (0020). Every
 * change of a seat ends with `settleMeeting`, so that the meeting and its room follow.
 */

/** How long a seat is kept for somebody whose connection is lost, in milliseconds. */
export const AWAY_MS = 25_000;

/** How long a place before the door is kept without a connection, for a phone that is locked, in milliseconds. */
export const WAITING_MS = 600_000;

/** A person who asks for a seat. */
export interface Comer {
  /** As in `seats.person`. */
  readonly person: string;
  /** The account; null for others. */
  readonly userId: string | null;
  /** As in `seats`. */
  readonly metadata: string | null;
  /** As in `seats`. */
  readonly held: boolean;
  /** True if it is the second device of somebody who has a seat. */
  readonly second: boolean;
  readonly peerName: string;
  readonly role: PeerType;
  readonly ticketDigest: string;
  /** The address for which a guest's claim counts; null for others, whose claims are never given up. */
  readonly claimedFrom: string | null;
  /** The guest that the person's browser would be without the account; null for guests and programs. */
  readonly device: string | null;
  /** The one who must let them in first: a moderator, or a host who comes. Undefined: nobody. */
  readonly waits: WaitsFor;
  /** True to wait if no seat is free. */
  readonly waitsForSeat: boolean;
}

const update = (tx: Queries, { id }: PersonSeat, set: SeatSet): Promise<PersonSeat> =>
  tx
    .updateTable("seats")
    .set(set)
    .where("id", "=", id)
    .returningAll()
    .$narrowType<PersonSeat>()
    .executeTakeFirstOrThrow();

/**
 * Takes a seat in a room, and opens its meeting when none is open. A person who has a seat there
 * keeps it, with a new ticket: nobody has two but for a second device.
 *
 * @param media how a meeting that opens now carries video and sound; a p2p room always does it directly
 * @param counted its seats, if this change has read them and ended none; otherwise they are counted here
 * @throws Refusal `seats_full`, with an entry in `errors` for each role that has free seats;
 *   `media_engine_needed`; `lobby_full`
 */
export const claimSeat = async (
  change: Change,
  row: RoomRow,
  { meeting: open, seat: own }: Standing,
  who: Comer,
  media: MeetingRow["media"] = "direct",
  counted = open ? undefined : emptyRoom,
): Promise<Claimed> => {
  const { tx, send } = change;
  const room = heldRoom(row, open);
  if (own) return keepSeat(change, own, who);
  const meeting = open ?? openMeeting(change, row, room.roomType === "p2p" ? "direct" : media);
  if (who.waits === "moderator") await checkSentAway(tx, row.id, who);
  const isFree =
    counted && !who.waits && whyFull(room, meeting, counted.taken, who.role) === undefined;
  const place = isFree ? claimed : await placeFor(change, room, meeting, who);
  const { id: meeting_id, organization_id, room_id } = meeting;
  const seat = {
    id: uuid7(),
    organization_id,
    room_id,
    meeting_id,
    ticket_digest: who.ticketDigest,
    role: who.role,
    person: who.person,
    user_id: who.userId,
    peer_name: who.peerName,
    device: who.device,
    claimed_from: who.claimedFrom,
    ...place,
    metadata: who.metadata,
  };
  send(insertSeat.statement(tx, { held: who.held, second: who.second }, seat));
  if (who.waits) publishPeer(change, "peerWaiting", { ...seat, second: who.second });
  if (isFree) await settleHeld(change, { meeting, row }, withClaim(counted, who.role));
  else await settleMeeting(change, meeting_id);
  return { ...seat, second: who.second };
};

type FreshValues = Pick<
  PersonSeat,
  | ("id" | "organization_id" | "room_id" | "meeting_id" | "ticket_digest" | "role" | "person")
  | ("user_id" | "peer_name" | "device" | "claimed_from" | "state" | "waits_for" | "metadata")
>;

/** A seat as `claimSeat` leaves it. */
export type Claimed = Pick<
  PersonSeat,
  "id" | "meeting_id" | "peer_name" | "role" | "state" | "second"
>;

const insertSeat = prepared<Pick<Comer, "held" | "second">, FreshValues, never>(
  (tx, shape, values) =>
    tx.insertInto("seats").values({
      ...freshSeat({ ...values, id: values.meeting_id }, values.ticket_digest),
      ...values,
      ...shape,
    }),
);

const claimed = { state: "claimed", waits_for: null } as const;

/** Gives a newcomer a seat, or a place before the door. @throws Refusal as `claimSeat` */
const placeFor = async (
  change: MeetingChange,
  room: Room,
  meeting: OpenMeeting,
  who: Pick<Comer, "role" | "claimedFrom" | "waits" | "waitsForSeat">,
): Promise<Pick<SeatRow, "state" | "waits_for">> => {
  const wait = async (waits_for: SeatRow["waits_for"]) => {
    await findLobbyPlace(change, room, meeting, who.claimedFrom);
    return { state: "waiting", waits_for } as const;
  };
  if (who.waits) return wait(who.waits === "host" ? "host" : null);
  try {
    await findPlace(change, room, meeting, who);
    return claimed;
  } catch (full) {
    if (!who.waitsForSeat || !isFull(full)) throw full;
    return wait("seat");
  }
};

/** Returns whether no seat is free for somebody, but one may be when another person leaves. */
export const isFull = (refusal: unknown): refusal is Refusal =>
  refusal instanceof Refusal &&
  (refusal.code === "seats_full" || refusal.code === "media_engine_needed");

/** A place before the door, once it was taken, outlasts another failure of the network. */
const timeToConnect = ({ state, connection }: PersonSeat): number =>
  state === "waiting" && connection > 0 ? WAITING_MS : CLAIM_MS;

/** Gives the seat that somebody already has a new ticket. */
const keepSeat = async (change: Change, seat: PersonSeat, who: Comer): Promise<PersonSeat> => {
  const { tx } = change;
  // They have not been inside yet, so they may still choose another name and role.
  const isNew = seat.state === "waiting" || seat.state === "claimed";
  if (seat.state === "claimed" && seat.role !== who.role) await changeRole(change, seat, who.role);
  const kept = await update(tx, seat, {
    ticket_digest: who.ticketDigest,
    device: who.device,
    metadata: who.metadata,
    held: who.held,
    ...(isNew && { peer_name: who.peerName, role: who.role }),
    // Without a connection, the time to connect starts over.
    ...(seat.lease_until !== null && { lease_until: now(timeToConnect(seat)) }),
  });
  // People who wait for a host or a seat come in by themselves (waiting-queue.ts), and not by asking again.
  if (seat.state === "waiting" && seat.waits_for === null && !who.waits) {
    await admitOrQueue(change, kept, who);
  }
  await settleMeeting(change, seat.meeting_id);
  return seat.state === "waiting" ? seatById(tx, seat.id) : kept;
};

/** Lets in somebody whom no moderator has to admit any more; without a free seat they wait for one if they want. */
const admitOrQueue = async (change: Change, seat: PersonSeat, who: Comer): Promise<void> => {
  try {
    await admitSeat(change, seat);
  } catch (full) {
    if (!who.waitsForSeat || !isFull(full)) throw full;
    await update(change.tx, seat, { waits_for: "seat" });
  }
};

const seatById = (tx: Queries, id: string): Promise<PersonSeat> =>
  tx
    .selectFrom("seats")
    .selectAll()
    .$narrowType<PersonSeat>()
    .where("id", "=", id)
    .executeTakeFirstOrThrow();

const roomAndMeetingOf = async (
  { tx }: MeetingChange,
  { room_id, meeting_id }: SeatRow,
): Promise<{ readonly room: Room; readonly meeting: MeetingRow }> => {
  const [row, meeting] = await Promise.all([
    tx.selectFrom("rooms").selectAll().where("id", "=", room_id).executeTakeFirstOrThrow(),
    tx.selectFrom("meetings").selectAll().where("id", "=", meeting_id).executeTakeFirstOrThrow(),
  ]);
  return { room: heldRoom(row, meeting), meeting };
};

/**
 * Lets in people of one meeting who wait, in this order: their seats count from now on. A person who is
 * connected is inside at once. Those for whom there is no place keep waiting.
 *
 * @param waiting their seats, as they are in this change
 * @returns why they keep waiting: `seats_full` or `media_engine_needed`, once for each of them
 */
export const admitSeats = async (
  change: Change,
  waiting: readonly PersonSeat[],
): Promise<readonly Refusal[]> => {
  const [first] = waiting;
  if (first === undefined) return [];
  const { room, meeting } = await roomAndMeetingOf(change, first);
  const occupancy = await occupancyOf(change.tx, meeting.id);
  const taken: Record<PeerType, number> = { ...occupancy.taken };
  const fitting: PersonSeat[] = [];
  const others: PersonSeat[] = [];
  for (const seat of waiting) {
    if (whyFull(room, meeting, taken, seat.role)) others.push(seat);
    else {
      taken[seat.role] += 1;
      fitting.push(seat);
    }
  }
  await letIn(change, fitting);
  const refusals: Refusal[] = [];
  const full = new Map<PeerType, Refusal>();
  for (const seat of others) {
    // Where nothing is left to give up for one of them, nothing is for the next one of the role.
    const refusal = full.get(seat.role) ?? (await admitInPlaceOf(change, room, meeting, seat));
    if (refusal === undefined) continue;
    full.set(seat.role, refusal);
    refusals.push(refusal);
  }
  await settleMeeting(change, meeting.id);
  return refusals;
};

/** Lets in somebody in place of a claim that is given up. @returns why there is none; undefined if there was */
const admitInPlaceOf = async (
  change: MeetingChange,
  room: Room,
  meeting: MeetingRow,
  seat: PersonSeat,
): Promise<Refusal | undefined> => {
  try {
    await findPlace(change, room, meeting, seat);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return error;
  }
  await letIn(change, [seat]);
  return undefined;
};

/**
 * Lets in somebody who waits; see `admitSeats`.
 *
 * @throws Refusal `seats_full`, `media_engine_needed`
 */
export const admitSeat = async (change: Change, { id }: PersonSeat): Promise<void> => {
  const seat = await seatById(change.tx, id);
  if (seat.state !== "waiting") return;
  const [refusal] = await admitSeats(change, [seat]);
  if (refusal) throw refusal;
};

/**
 * Changes the role of a seat.
 *
 * @throws Refusal `seats_full`
 */
export const changeRole = async (
  change: Change,
  seat: PersonSeat,
  role: PeerType,
): Promise<void> => {
  const { tx } = change;
  const current = await seatById(tx, seat.id);
  if (current.role === role) return;
  // People who wait, or are about to come back, have no place yet.
  if (current.state !== "waiting" && current.state !== "returning") {
    const { room, meeting } = await roomAndMeetingOf(change, seat);
    await findPlace(change, room, meeting, {
      role,
      frees: [current.role],
      claimedFrom: current.claimed_from,
    });
  }
  await update(tx, seat, { role });
  await followRole(change, { ...current, role });
  await settleMeeting(change, seat.meeting_id);
};

/** Gives the second device of a person the person's role. It ends where no seat of it is free. */
const followRole = async (change: Change, { meeting_id, person, role, second }: PersonSeat) => {
  if (second) return;
  const [other] = await askSeat(change.tx, { second: true }, { meetingId: meeting_id, person });
  if (other === undefined) return;
  try {
    await changeRole(change, other, role);
  } catch (full) {
    if (!isFull(full)) throw full;
    await endSeats(change, meeting_id, [other], "lost");
  }
};
