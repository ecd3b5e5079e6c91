import { type FieldReason, wrong } from "../../../contract/kit/reasons.ts";
import { DIRECT_SEATS, type PeerType, peerTypes } from "../../../contract/meetings/meetings.ts";
import type { Room } from "../../../contract/rooms/record.ts";
import type { Queries } from "../../change/organization.ts";
import type { MeetingRow, SeatRow } from "../../db/meeting-tables.ts";
import { prepared } from "../../db/prepared.ts";
import { Refusal, refuse } from "../../lib/refusal.ts";
import { hidesPeople } from "./allowed.ts";
import { isPersonal, livingSeats } from "./seat.ts";

/** A number for each role. */
export type ByRole = Readonly<Record<PeerType, number>>;

/** A p2p room has two seats, whatever the roles. */
const P2P_SEATS = 2;

export type SeatLimits = Pick<
  Room,
  "roomType" | "noOfModerators" | "noOfParticipants" | "noOfViewers"
>;

/** How many people of each role fit into a room. */
export const seatsOf = (room: SeatLimits): ByRole => ({
  moderator: room.noOfModerators,
  participant: room.noOfParticipants,
  viewer: room.noOfViewers,
});

const sumOf = ({ moderator, participant, viewer }: ByRole): number =>
  moderator + participant + viewer;

/** How many people fit into a room, whatever their roles. */
export const allSeats = (room: SeatLimits): number => {
  const all = sumOf(seatsOf(room));
  return room.roomType === "p2p" ? Math.min(all, P2P_SEATS) : all;
};

/**
 * How many more people of each role fit into a room. Roles do not share seats: if the limit of one was
 * lowered below the people inside, the others keep theirs. Only a p2p room has two seats for all roles
 * together.
 */
export const freeSeats = (room: SeatLimits, taken: ByRole): ByRole => {
  const left = room.roomType === "p2p" ? P2P_SEATS - sumOf(taken) : Number.POSITIVE_INFINITY;
  const limits = seatsOf(room);
  const free = (role: PeerType): number => Math.max(0, Math.min(limits[role] - taken[role], left));
  return { moderator: free("moderator"), participant: free("participant"), viewer: free("viewer") };
};

/**
 * The `errors` of a refusal when a role has no seat left: an entry for each role with free seats. How many are
 * free tells how many people are inside, which nobody learns where they are hidden.
 */
const offersOf = (room: Room, free: ByRole): readonly FieldReason[] =>
  peerTypes
    .filter((role) => free[role] > 0)
    .map((role) =>
      wrong(`peerType.${role}`, "free_seats", hidesPeople(room) ? {} : { count: free[role] }),
    );

/** The seats of a meeting, counted. */
export interface Occupancy {
  /** Seats that are taken, by role: everybody but those who wait or may return. */
  readonly taken: ByRole;
  /** True if somebody is inside or away. */
  readonly isEntered: boolean;
  /** True if every seat is taken, or held for people who wait. */
  readonly isEmpty: boolean;
  /** True if somebody waits before the door. */
  readonly isAwaited: boolean;
  /** True if no seat is left, not even one of somebody who waits or may return. */
  readonly isOver: boolean;
}

export const emptyRoom: Occupancy = {
  taken: { moderator: 0, participant: 0, viewer: 0 },
  isEntered: false,
  isEmpty: true,
  isAwaited: false,
  isOver: true,
};

/** The states without a seat that counts. */
const UNCOUNTED: readonly SeatRow["state"][] = ["waiting", "returning"];

/** How many seats of people have a role and a state. */
export interface Counted {
  readonly role: SeatRow["role"];
  readonly state: SeatRow["state"];
  readonly count: number | string;
}

/** The query of `occupancyFrom`. */
export const askOccupancy = prepared<null, { readonly meetingId: string }, Counted>(
  (db, _, { meetingId }) =>
    livingSeats(db, meetingId)
      .select(["role", "state"])
      .select(({ fn }) => fn.countAll<number | string>().as("count"))
      .where("role", "in", peerTypes)
      .groupBy(["role", "state"]),
);

/** Counts the seats of people in a meeting that have not ended. */
export const occupancyOf = async (db: Queries, meetingId: string): Promise<Occupancy> =>
  occupancyFrom(await askOccupancy(db, null, { meetingId }));

/** Living seats of a room's open meeting, with the moment of which they are. */
export interface CountedSeats extends Counted, Pick<SeatRow, "meeting_id" | "claimed_from"> {
  /** When the room was edited last. */
  readonly updated_at: string;
}

/**
 * The living seats of a room's open meeting by role, state and address, in one query, so that all of them are
 * of one moment.
 */
export const askCounts = prepared<null, { readonly roomId: string }, CountedSeats>(
  (db, _, { roomId }) =>
    db
      .selectFrom("meetings as m")
      .innerJoin("rooms as r", "r.id", "m.room_id")
      .innerJoin("seats as s", (join) =>
        join.onRef("s.meeting_id", "=", "m.id").on("s.left_at", "is", null),
      )
      .select(["s.meeting_id", "r.updated_at", "s.role", "s.state", "s.claimed_from"])
      .select(({ fn }) => fn.countAll<number | string>().as("count"))
      .where("m.room_id", "=", roomId)
      .where("m.ended_at", "is", null)
      .where("s.role", "in", peerTypes)
      .groupBy(["s.meeting_id", "r.updated_at", "s.role", "s.state", "s.claimed_from"]),
);

/** The occupancy of a meeting with one more seat of a role, claimed and not yet entered. */
export const withClaim = (before: Occupancy, role: PeerType): Occupancy => ({
  ...before,
  taken: { ...before.taken, [role]: before.taken[role] + 1 },
  isEmpty: false,
  isOver: false,
});

/**
 * Counted seats of a meeting after one of them has got another state.
 *
 * @param to undefined: it has ended
 */
export const moveSeat = (
  counted: readonly Counted[],
  { role, state }: Pick<SeatRow, "role" | "state">,
  to: SeatRow["state"] | undefined,
): readonly Counted[] => {
  const rest = counted.flatMap((row) => {
    const count = Number(row.count) - (row.role === role && row.state === state ? 1 : 0);
    return count > 0 ? [{ ...row, count }] : [];
  });
  return to === undefined || !isPersonal(role) ? rest : [...rest, { role, state: to, count: 1 }];
};

/** The occupancy of a meeting with these seats. */
export const occupancyFrom = (rows: readonly Counted[]): Occupancy => {
  const count = (role: PeerType): number =>
    rows
      .filter((row) => row.role === role && !UNCOUNTED.includes(row.state))
      .reduce((sum, row) => sum + Number(row.count), 0);
  return {
    taken: {
      moderator: count("moderator"),
      participant: count("participant"),
      viewer: count("viewer"),
    },
    isEntered: rows.some(({ state }) => state === "inside" || state === "away"),
    isEmpty: rows.every(({ state }) => state === "waiting"),
    isAwaited: rows.some(({ state }) => state === "waiting"),
    isOver: rows.length === 0,
  };
};

/** The person who wants a place. */
export interface WantedPlace {
  readonly role: PeerType;
  /** The roles of seats that become free in exchange: their own, or one that is given up for them. */
  readonly frees?: readonly PeerType[];
  /** The address for which a guest's claim counts; null for others. */
  readonly claimedFrom?: string | null;
}

/** Why nobody gets one more seat of a role in a meeting with these seats taken; undefined if somebody does. */
export const whyFull = (
  room: Room,
  { media }: Pick<MeetingRow, "media">,
  taken: ByRole,
  role: PeerType,
): Refusal | undefined => {
  const free = freeSeats(room, taken);
  if (free[role] === 0) return new Refusal("seats_full", offersOf(room, free));
  const isFull = media === "direct" && sumOf(taken) >= DIRECT_SEATS;
  return isFull ? new Refusal("media_engine_needed") : undefined;
};

/**
 * Checks that somebody may take a seat of a role.
 *
 * @throws Refusal `seats_full`, with an entry in `errors` for each role that has free seats;
 *   `media_engine_needed`
 */
export const checkPlace = async (
  db: Queries,
  room: Room,
  meeting: Pick<MeetingRow, "id" | "media">,
  { role, frees = [] }: WantedPlace,
): Promise<void> => {
  const { taken } = await occupancyOf(db, meeting.id);
  const others: Record<PeerType, number> = { ...taken };
  for (const one of frees) others[one] -= 1;
  const full = whyFull(room, meeting, others, role);
  if (full) throw full;
};

/** The most people who may wait: guests need no account, so nothing else would limit them. */
const LOBBY = { least: 50, most: 300 } as const;

/** How many people may wait in the lobby of a room. */
export const lobbyPlaces = (room: SeatLimits): number =>
  Math.min(LOBBY.most, Math.max(LOBBY.least, allSeats(room)));

/**
 * Checks that one more person may wait in the lobby of a meeting.
 *
 * @param given how many places are given up for them
 * @throws Refusal `lobby_full`
 */
export const checkLobby = async (
  db: Queries,
  room: SeatLimits,
  meetingId: string,
  given = 0,
): Promise<void> => {
  const row = await livingSeats(db, meetingId)
    .select(({ fn }) => fn.countAll<number | string>().as("count"))
    .where("state", "=", "waiting")
    .executeTakeFirstOrThrow();
  const most = lobbyPlaces(room);
  if (Number(row.count) - given >= most) refuse("lobby_full");
};

/** The room's status: free, busy (seats left) or occupied (every seat taken). */
export const statusOf = (room: SeatLimits, { taken, isEntered }: Occupancy): string => {
  if (!isEntered) return "free";
  return sumOf(freeSeats(room, taken)) > 0 ? "busy" : "occupied";
};

/** How many rooms of an organization are in use, by status, without rooms that await deletion. */
export const countInUse = async (
  db: Queries,
  organizationId: string,
): Promise<{ readonly busy: number; readonly occupied: number }> => {
  const rows = await db
    .selectFrom("meetings as m")
    .innerJoin("rooms as r", "r.id", "m.room_id")
    .select("r.record")
    .where("m.organization_id", "=", organizationId)
    .where("m.ended_at", "is", null)
    .where("r.deleted_at", "is", null)
    .execute();
  const statuses = rows.map(({ record }) => JSON.parse(record).roomStatus);
  return {
    busy: statuses.filter((status) => status === "busy").length,
    occupied: statuses.filter((status) => status === "occupied").length,
  };
};

/** Seats of people who are inside, with their meetings; a second device is nobody more. */
const insideSeats = (db: Queries, organizationId?: string) => {
  const seats = db
    .selectFrom("meetings as m")
    .innerJoin("seats as s", "s.meeting_id", "m.id")
    .where("m.ended_at", "is", null)
    .where("s.left_at", "is", null)
    .where("s.second", "=", false);
  return organizationId === undefined
    ? seats
    : seats.where("m.organization_id", "=", organizationId);
};

/**
 * How many meetings have somebody inside, and how many people are inside.
 *
 * @param organizationId omitted: of all organizations
 */
export const countInside = async (
  db: Queries,
  organizationId?: string,
): Promise<{ readonly running: number; readonly inside: number }> => {
  const row = await insideSeats(db, organizationId)
    .select(({ fn }) => [
      fn.count<number | string>("m.id").distinct().as("running"),
      fn.countAll<number | string>().as("inside"),
    ])
    .where("s.state", "in", ["inside", "away"])
    .executeTakeFirstOrThrow();
  return { running: Number(row.running), inside: Number(row.inside) };
};

/** How many people of all organizations are inside, by what their page says of their connection, and how many wait. */
export const countPeople = async (db: Queries): Promise<Readonly<Record<string, number>>> => {
  const rows = await insideSeats(db)
    .select(["s.state", "s.quality"])
    .select(({ fn }) => fn.countAll<number | string>().as("count"))
    .where("s.role", "in", peerTypes)
    .where("s.state", "in", ["inside", "away", "waiting"])
    .groupBy(["s.state", "s.quality"])
    .execute();
  const counts = { good: 0, fair: 0, poor: 0, unknown: 0, away: 0, waiting: 0 };
  for (const { state, quality, count } of rows) {
    counts[state === "away" || state === "waiting" ? state : (quality ?? "unknown")] +=
      Number(count);
  }
  return counts;
};
