import type { PeerType } from "../../contract/meetings.ts";
import type { Room } from "../../contract/room-record.ts";
import type { MeetingRow, SeatRow } from "../db/meeting-tables.ts";
import { now } from "../db/now.ts";
import type { RoomRow } from "../db/tables.ts";
import type { Change, Queries } from "../organization.ts";
import { Refusal } from "../refusal.ts";
import { spareClaim } from "./claims.ts";
import { endSeats, type SeatSet } from "./end-seats.ts";
import { publishPeer } from "./events.ts";
import { CLAIM_MS, freshSeat } from "./fresh-seat.ts";
import { checkSentAway } from "./kept-out.ts";
import type { PersonSeat } from "./persons.ts";
import { checkLobby, checkPlace, type Wanted } from "./places.ts";
import {
  heldRoom,
  type MeetingChange,
  openMeeting,
  type Standing,
  settleMeeting,
} from "./running.ts";

/*
 * A seat is a row. The change that takes it counts the seats under the organization's lock (0020). Every
 * change of a seat ends with `settleMeeting`, so that the meeting and its room follow.
 */

/** How long a seat is kept for somebody whose connection is lost, in milliseconds. */
export const AWAY_MS = 25_000;

/** A person who asks for a seat. */
export interface Comer {
  /** As in `seats.person`. */
  readonly person: string;
  /** The account; null for others. */
  readonly userId: string | null;
  readonly peerName: string;
  readonly role: PeerType;
  readonly ticketDigest: string;
  /** The address for which a guest's claim counts; null for others, whose claims are never given up. */
  readonly claimedFrom: string | null;
  /** The guest that the person's browser would be without the account; null for guests and programs. */
  readonly device: string | null;
  /** Whether a moderator must let them in first. */
  readonly waits: boolean;
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
 * Looks for a place; if there is none, ends another seat to make room. If that would not be enough, as
 * after a limit was lowered, nobody loses a seat.
 *
 * @param check refuses if there is no place, with the given seat as if it had ended
 * @param spare finds a seat to give up; undefined if there is none
 * @throws Refusal of the check
 */
const findOrSpare = async (
  change: MeetingChange,
  check: (given?: PersonSeat) => Promise<void>,
  spare: (full: Refusal) => Promise<PersonSeat | undefined>,
): Promise<void> => {
  try {
    await check();
  } catch (full) {
    if (!(full instanceof Refusal)) throw full;
    const claim = await spare(full);
    if (claim === undefined) throw full;
    await check(claim);
    await endSeats(change, claim.meeting_id, [claim], "lost");
  }
};

/**
 * Finds a place of a role for somebody. If there is none, gives up a guest's claim that was never entered,
 * of the address with the most claims (claims.ts).
 *
 * @throws Refusal `seats_full`, `media_engine_needed`
 */
export const findPlace = async (
  change: MeetingChange,
  room: Room,
  meeting: MeetingRow,
  wanted: Wanted,
): Promise<void> => {
  const { tx } = change;
  const { frees = [] } = wanted;
  const check = (given?: PersonSeat) =>
    checkPlace(tx, room, meeting, { ...wanted, frees: [...frees, ...(given ? [given.role] : [])] });
  await findOrSpare(change, check, ({ code }) => {
    // In a p2p room, and without a media engine, the roles share their seats.
    const isShared = room.roomType === "p2p" || code === "media_engine_needed";
    const role = isShared ? undefined : wanted.role;
    return spareClaim(tx, meeting.id, {
      state: "claimed",
      role,
      own: wanted.claimedFrom ?? null,
    });
  });
};

/** Finds a place in the lobby of a meeting in the same way. @throws Refusal `lobby_full` */
const findLobbyPlace = async (
  change: MeetingChange,
  room: Room,
  { id }: MeetingRow,
  own: string | null,
): Promise<void> => {
  const { tx } = change;
  const check = (given?: PersonSeat) => checkLobby(tx, room, id, given ? 1 : 0);
  await findOrSpare(change, check, () =>
    spareClaim(tx, id, { state: "waiting", role: undefined, own }),
  );
};

/**
 * Takes a seat in a room, and opens its meeting when none is open. A person who has a seat there
 * keeps it, with a new ticket: nobody has two.
 *
 * @param media how a meeting that opens now carries video and sound; a p2p room always does it directly
 * @throws Refusal `seats_full`, with an entry in `errors` for each role that has free seats;
 *   `media_engine_needed`; `lobby_full`
 */
export const claimSeat = async (
  change: Change,
  row: RoomRow,
  { meeting: open, seat: own }: Standing,
  who: Comer,
  media: MeetingRow["media"] = "direct",
): Promise<PersonSeat> => {
  const { tx } = change;
  const room = heldRoom(row, open);
  if (own) return keepSeat(change, own, who);
  const meeting =
    open ?? (await openMeeting(change, row, room.roomType === "p2p" ? "direct" : media));
  if (who.waits) await checkSentAway(tx, row.id, who);
  if (who.waits) await findLobbyPlace(change, room, meeting, who.claimedFrom);
  else await findPlace(change, room, meeting, who);
  const seat = await tx
    .insertInto("seats")
    .values({
      ...freshSeat(meeting, who.ticketDigest),
      role: who.role,
      person: who.person,
      user_id: who.userId,
      peer_name: who.peerName,
      device: who.device,
      claimed_from: who.claimedFrom,
      state: who.waits ? "waiting" : "claimed",
    })
    .returningAll()
    .$narrowType<PersonSeat>()
    .executeTakeFirstOrThrow();
  if (who.waits) publishPeer(change, "peerWaiting", seat);
  await settleMeeting(change, meeting.id);
  return seat;
};

/** Gives the seat that somebody already has a new ticket. */
const keepSeat = async (change: Change, seat: PersonSeat, who: Comer): Promise<PersonSeat> => {
  const { tx } = change;
  // They have not been inside yet, so they may still choose another name and role.
  const isNew = seat.state === "waiting" || seat.state === "claimed";
  if (seat.state === "claimed" && seat.role !== who.role) await changeRole(change, seat, who.role);
  const kept = await update(tx, seat, {
    ticket_digest: who.ticketDigest,
    device: who.device,
    ...(isNew && { peer_name: who.peerName, role: who.role }),
    // Without a connection, the time to connect starts over.
    ...(seat.lease_until !== null && { lease_until: now(CLAIM_MS) }),
  });
  if (seat.state === "waiting" && !who.waits) await admitSeat(change, kept);
  await settleMeeting(change, seat.meeting_id);
  return seat.state === "waiting" ? seatById(tx, seat.id) : kept;
};

const seatById = (tx: Queries, id: string): Promise<PersonSeat> =>
  tx
    .selectFrom("seats")
    .selectAll()
    .$narrowType<PersonSeat>()
    .where("id", "=", id)
    .executeTakeFirstOrThrow();

const placeOf = async (
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
 * Lets in somebody who waits: the seat counts from now on. A person who is connected is inside at once.
 *
 * @throws Refusal `seats_full`, `media_engine_needed`
 */
export const admitSeat = async (change: Change, seat: PersonSeat): Promise<void> => {
  const { tx } = change;
  if ((await seatById(tx, seat.id)).state !== "waiting") return;
  const { room, meeting } = await placeOf(change, seat);
  await findPlace(change, room, meeting, seat);
  const entering = { state: "claimed", claimed_at: now(), claimed_from: null } as const;
  const admitted = await update(tx, seat, entering);
  publishPeer(change, "peerAdmitted", seat);
  if (admitted.process === null) await update(tx, seat, { lease_until: now(CLAIM_MS) });
  else await enter(change, seat);
  await settleMeeting(change, seat.meeting_id);
};

/** Marks somebody as inside, and the meeting as begun. */
export const enter = async (change: MeetingChange, seat: SeatRow): Promise<void> => {
  const { tx } = change;
  await tx
    .updateTable("seats")
    .set(({ fn, ref }) => ({
      state: "inside",
      lease_until: null,
      last_seen: now(),
      claimed_from: null,
      joined_at: fn.coalesce(ref("joined_at"), now()),
    }))
    .where("id", "=", seat.id)
    .execute();
  const begun = await tx
    .updateTable("meetings")
    .set({ started_at: now() })
    .where("id", "=", seat.meeting_id)
    .where("started_at", "is", null)
    .returning("id")
    .executeTakeFirst();
  if (begun) {
    const data = { meetingId: begun.id };
    change.publish({ type: "meetingStarted", in: { id: seat.room_id }, data });
  }
  if (seat.joined_at === null) publishPeer(change, "newPeer", seat);
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
  if (current.state !== "waiting") {
    const { room, meeting } = await placeOf(change, seat);
    await findPlace(change, room, meeting, {
      role,
      frees: [current.role],
      claimedFrom: current.claimed_from,
    });
  }
  await update(tx, seat, { role });
  await settleMeeting(change, seat.meeting_id);
};
