import { randomBytes } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Checked, Reply } from "../../../contract/kit/operation.ts";
import {
  joinRoom as contract,
  MEETING_SOCKET,
  type PeerType,
} from "../../../contract/meetings/meetings.ts";
import type { Room } from "../../../contract/rooms/record.ts";
import { organizationOf } from "../../access/caller.ts";
import { countedAddress } from "../../access/throttle.ts";
import type { Authenticated } from "../../access/tokens.ts";
import {
  type Change,
  nobody,
  type Organization,
  openOrganization,
  type Queries,
} from "../../change/organization.ts";
import type { MeetingRow } from "../../db/meeting-tables.ts";
import type { Database } from "../../db/open.ts";
import type { RoomRow } from "../../db/tables.ts";
import { digestOf } from "../../lib/digest.ts";
import { leastRecentlyUsed } from "../../lib/lru.ts";
import { meter } from "../../lib/measured.ts";
import { Refusal, refuse, refuseField } from "../../lib/refusal.ts";
import { addToSpan, traced } from "../../lib/traced.ts";
import { takeTurns } from "../../lib/turns.ts";
import { nextDateOf } from "../../records/schedules.ts";
import type { RefusedSeats } from "../../usage/refused.ts";
import { claimedFrom } from "../seats/claims-by-address.ts";
import { allSeats, occupancyFrom } from "../seats/places.ts";
import { type PersonSeat, secondIn } from "../seats/seat.ts";
import { endSeats } from "../state/end-seats.ts";
import { findLeaving, isLetGo } from "../state/former-seat.ts";
import { roomOfCode } from "../state/links.ts";
import type { Media } from "../state/media.ts";
import { countComing } from "../state/rate.ts";
import { presentEntered } from "../state/view.ts";
import { lacksHost } from "../state/waiting-queue.ts";
import { type Arrival, arrive, asksAgain, expectArrival, type WayIn, wayTo } from "./arrival.ts";
import { type Claimed, claimSeat } from "./claim-seat.ts";
import { refuseEarly } from "./early-refusal.ts";
import { type Asking, checkDoor, checkPassword, guestCookie, guestOf } from "./entry-checks.ts";
import { comeBack } from "./reconnect.ts";
import { mayStay } from "./right-to-stay.ts";
import { awaitsHosts, rolesFor, type Visitor, type WaitsFor, waitsOutside } from "./visitor.ts";

/** The parts of the service that joining uses. */
export interface JoinParts {
  readonly database: Database;
  readonly media: Media;
  readonly refused: Pick<RefusedSeats, "count">;
}

/** A seat that was taken, and what its holder gets. */
export interface Joined {
  readonly answer: Reply<typeof contract>;
  /** The cookie by which a guest's browser is recognized; undefined for programs. */
  readonly guest: string | undefined;
}

/**
 * Takes a seat in a room, or a place in its lobby.
 *
 * @throws Refusal as the operation lists them
 */
export const joinRoom = (
  parts: JoinParts,
  input: Checked<typeof contract>,
  asking: Asking,
): Promise<Joined> =>
  traced("join", {}, async () => {
    try {
      const joined = await takePlace(parts, input, asking);
      const { waiting, peer } = joined.answer;
      addToSpan({ "parley.seat.id": peer.peerId, "parley.join.waits": waiting });
      meter("join", waiting ? "waiting" : "entered");
      return joined;
    } catch (error) {
      meter("join", error instanceof Refusal ? error.code : "internal");
      throw error;
    }
  });

const takePlace = async (
  parts: JoinParts,
  input: Checked<typeof contract>,
  asking: Asking,
): Promise<Joined> => {
  const join = await comeTo(parts, input, asking);
  const { id } = join.way.row;
  addToSpan({
    "parley.organization.id": join.organization.id,
    "parley.room.id": id,
  });
  /** In the room's turn: decides under the organization's lock, and in a room that refuses people first without it. */
  const enter = (): Promise<Taken> =>
    inTurn(join, async () => {
      const isCounted = refusesPeople(id);
      if (isCounted) await lookFirst(join);
      const take = (change: Change, place: Place) => takeSeat(change, join, place, isCounted);
      return join.organization.change(take, (tx) => readPlace(tx, join));
    });
  try {
    const taken = await enter().catch(async (refusal: unknown) => {
      if (!(await hasLetGo(join, refusal))) throw refusal;
      return enter();
    });
    return answerOf(join, taken);
  } catch (refusal) {
    if (refusal instanceof Refusal) refusedAt.set(id, performance.now());
    if (isSeatsFull(refusal)) parts.refused.count(join.way.row);
    throw refusal;
  }
};

/** For how long a room that has refused somebody looks at the next ones without the organization's row. */
const REFUSED_MS = 60_000;
/** The most rooms of which it is known; in others the first one is refused under the row. */
const ROOMS = 10_000;

const refusedAt = leastRecentlyUsed<string, number>(ROOMS);

/** Returns whether a room has refused somebody lately: in all others, looking first would double the cost of a join. */
const refusesPeople = (roomId: string): boolean =>
  performance.now() - (refusedAt.get(roomId) ?? Number.NEGATIVE_INFINITY) < REFUSED_MS;

/** A join, without what is looked up again in its change. */
interface Join {
  readonly parts: JoinParts;
  readonly organization: Organization;
  readonly input: Checked<typeof contract>;
  readonly auth: Authenticated | undefined;
  readonly guest: string;
  readonly address: string;
  /** How they come, as it was found first. */
  readonly way: WayIn;
  /** The digest of the room's password, if the visitor gave it. */
  readonly password: string | null;
  readonly ticket: string;
}

/** Finds the room, and counts a wrong password. @throws Refusal as `wayTo` and `checkPassword` */
const comeTo = async (
  parts: JoinParts,
  input: Checked<typeof contract>,
  { auth, guest: cookie, address }: Asking,
): Promise<Join> => {
  const { database } = parts;
  const guest = guestCookie(cookie);
  const credentials = { auth, guest: guestOf(guest) };
  const linkedTo = (code: string) => roomOfCode(database.find, code);
  const way = await wayTo(database.read, input, credentials, linkedTo);
  const password = await checkPassword(database, way.row, input.password, address, { auth, guest });
  const ticket = randomBytes(32).toString("base64url");
  const organization = openFor(database, way.row, auth);
  return { parts, organization, input, auth, guest, address, way, password, ticket };
};

/** The organization of a room, for a visitor; a change looks up the caller's rights again. */
const openFor = (
  database: Database,
  { organization_id: id }: RoomRow,
  auth: Authenticated | undefined,
): Organization =>
  auth?.organizationId === id
    ? organizationOf(database, auth, contract)
    : openOrganization(database, id, nobody);

/** How many joins of a room are carried out at a time; the others wait for their turn. */
const AT_ONCE = 8;
/** The most joins of a room that wait. */
const WAITING = 500;

const turns = takeTurns(Number.POSITIVE_INFINITY, WAITING, AT_ONCE);

/** Carries out a join when its room has a turn for it. @throws Refusal where too many wait */
const inTurn = <T>({ way, address }: Join, work: () => Promise<T>): Promise<T> =>
  turns.run(
    way.row.id,
    async () => {
      // On SQLite everybody's look would otherwise run without another request in between.
      await nextTurn();
      return work();
    },
    countedAddress(address),
  );

/** Reads at once what `standAt` needs. */
const readPlace = (db: Queries, { input, auth, guest, way }: Join, known?: WayIn) =>
  expectArrival(db, input, { auth, guest: guestOf(guest) }, way, known);

type Place = Awaited<ReturnType<typeof readPlace>>;

/** Where a visitor stands, with the rights and the address that count. @throws Refusal at the door */
const standAt = async (db: Queries, join: Join, place: Place) => {
  const { input, auth, guest, password, address, parts } = join;
  const arrival = await arrive(db, input, { auth, guest: guestOf(guest) }, place);
  const { room, meeting, visitor, bans } = arrival;
  /** A seat that they lose, because they have to ask again to be let in. */
  const former = asksAgain(arrival, input) ? arrival.seat : undefined;
  const seat = former ? undefined : arrival.seat;
  checkDoor(room, { meeting, seat, bans }, visitor, password);
  const kind = carrierOf(arrival, parts.media);
  const wanted = wantedRole(arrival, seat, input.peerType);
  const comer = {
    person: visitor.person,
    claimedFrom: visitor.kind === "guest" ? claimedFrom(countedAddress(address)) : null,
    waits: await whoLetsIn(db, arrival),
    waitsForSeat: input.waitsForSeat,
  };
  return { ...arrival, seat, former, wanted, kind, comer };
};

type Stand = Awaited<ReturnType<typeof standAt>>;

/** Finds the carrier of the meeting's media. @throws Refusal `media_unavailable` */
const carrierOf = ({ meeting, room }: Arrival, media: Media): MeetingRow["media"] => {
  const kind = meeting?.media ?? (room.roomType === "p2p" ? "direct" : media.kind);
  if (kind === "livekit" && !media.isReady()) refuse("media_unavailable");
  return kind;
};

/** The role that somebody asks for, if it is not that of a seat which they keep. @throws Refusal */
const wantedRole = (
  { room, visitor }: Arrival,
  seat: PersonSeat | undefined,
  asked: PeerType | undefined,
): PeerType | undefined => {
  const isSame = seat !== undefined && mayStay(seat) && asked === seat.role;
  return isSame ? undefined : asked && roleFor(room, visitor, asked);
};

/** The one who must let somebody in first. */
const whoLetsIn = async (
  db: Queries,
  { row, room, meeting, visitor }: Arrival,
): Promise<WaitsFor> => {
  if (waitsOutside(room, visitor)) return "moderator";
  return awaitsHosts(visitor) && (await lacksHost(db, row, meeting)) ? "host" : undefined;
};

/**
 * Refuses somebody who gets no seat now, or comes too often, without the organization's row: see
 * early-refusal.ts.
 */
const lookFirst = async (join: Join): Promise<void> => {
  const { read } = join.parts.database;
  const at = await standAt(read, join, await readPlace(read, join, join.way));
  const { row, room, meeting, visitor, wanted, kind, comer, counts } = at;
  if (!at.seat && !at.former) {
    const role = roleFor(room, visitor, wanted);
    await refuseEarly(read, { row, room, meeting, media: kind, counts }, { ...comer, role });
  }
  countGuest(at);
};

/** @throws Refusal `too_many_requests` for a guest who comes too often */
const countGuest = ({ row, room, comer }: Stand): void => {
  const { person, claimedFrom: from } = comer;
  if (from !== null) countComing({ roomId: row.id, person, from, seats: allSeats(room) });
};

/**
 * Takes the seat, under the organization's lock: all that was found before may have changed meanwhile.
 *
 * @param isCounted whether the look before has counted a guest
 */
const takeSeat = async (change: Change, join: Join, place: Place, isCounted: boolean) => {
  const { tx } = change;
  const auth = join.auth && { ...join.auth, caller: change.caller };
  const at = await standAt(tx, { ...join, auth }, place);
  if (!isCounted) countGuest(at);
  const own = isSecond(join, at) ? at.second : at.seat;
  if (!join.input.takesOver && own && isConnected(own)) refuse("already_inside");
  const seat = await claimFor(change, join, at).catch(async (refusal: unknown) => {
    const leaving =
      isSeatsFull(refusal) && at.meeting
        ? await findLeaving(tx, at.meeting.id, at.visitor.person)
        : undefined;
    throw leaving === undefined ? refusal : new FormerSeatInTheWay(refusal as Refusal, leaving);
  });
  const nextAt = await nextDateOf(tx, at.row.id, at.room.scheduledDateTime);
  const entered = presentEntered(at.room, nextAt);
  return { seat, entered, kind: at.kind, hasBrowser: !isProgram(at.visitor) };
};

type Taken = Awaited<ReturnType<typeof takeSeat>>;

/** Claims the seat for somebody who stands there: the one to which they come back, or a new one. */
const claimFor = async (change: Change, join: Join, at: Stand): Promise<Claimed> => {
  if (at.seat && isSecond(join, at)) return claimSecond(change, join, at, at.seat);
  const { row, room, meeting, former, visitor, wanted, comer } = at;
  if (former) await endSeats(change, former.meeting_id, [former], "moved");
  const back = await comeBack(change, row, { meeting, seat: at.seat }, { ...comer, wanted });
  return claimSeat(
    change,
    row,
    { meeting, seat: back ?? at.seat },
    {
      ...comer,
      device: visitor.kind === "guest" || isProgram(visitor) ? null : guestOf(join.guest),
      userId: visitor.userId,
      metadata: visitor.metadata ?? null,
      held: visitor.lobby === true,
      second: false,
      ticketDigest: digestOf(join.ticket),
      peerName: nameFor(visitor, join.input.peerName),
      role: back?.role ?? wanted ?? usualRole(room, visitor, at.seat),
    },
    join.parts.media.kind,
    former || back ? undefined : occupancyFrom(at.counts),
  );
};

/**
 * Returns whether somebody comes with a second device: they have a seat that counts, so that they have passed the door.
 * A person who has left it meanwhile joins as usual.
 */
const isSecond = ({ input }: Join, { seat }: Pick<Stand, "seat">): boolean =>
  input.secondDevice && seat !== undefined && seat.state !== "waiting";

/**
 * Claims the seat of somebody's second device.
 *
 * @param first the person's own seat
 * @throws Refusal `no_second_device`, and as `claimSeat`
 */
const claimSecond = async (
  change: Change,
  join: Join,
  at: Stand,
  first: PersonSeat,
): Promise<Claimed> => {
  const { row, room, meeting, visitor, comer } = at;
  if (room.roomType === "p2p") refuse("no_second_device");
  const { peer_name: peerName, role, user_id: userId, metadata, held } = first;
  const standing = { meeting, seat: at.second };
  const wanted = { ...comer, waits: undefined, waitsForSeat: false, wanted: role };
  const back = await comeBack(change, row, standing, wanted);
  return claimSeat(
    change,
    row,
    { meeting, seat: back ?? at.second },
    {
      ...wanted,
      peerName,
      role,
      userId,
      metadata,
      held,
      device: visitor.kind === "guest" || isProgram(visitor) ? null : guestOf(join.guest),
      ticketDigest: digestOf(join.ticket),
      second: true,
    },
    join.parts.media.kind,
    back ? undefined : occupancyFrom(at.counts),
  );
};

/** No seat is free, but the person's own former one will be: the media engine has not let them go yet. */
class FormerSeatInTheWay extends Refusal {
  readonly seatId: string;

  constructor({ code, errors, reason, wait }: Refusal, seatId: string) {
    super(code, errors, reason, wait);
    this.seatId = seatId;
  }
}

const isSeatsFull = (refusal: unknown): boolean =>
  refusal instanceof Refusal && refusal.code === "seats_full";

/** Returns whether only the person's former seat was in the way, and has become free. */
const hasLetGo = async ({ parts }: Join, refusal: unknown): Promise<boolean> =>
  refusal instanceof FormerSeatInTheWay && (await isLetGo(parts.database.read, refusal.seatId));

/** The answer to the holder of a seat. */
const answerOf = (
  { guest, ticket, parts }: Join,
  { seat, entered, kind, hasBrowser }: Taken,
): Joined => ({
  guest: hasBrowser ? guest : undefined,
  answer: {
    success: true,
    waiting: seat.state === "waiting",
    ticket,
    peer: {
      peerId: seat.id,
      peerName: seat.peer_name,
      peerType: seat.role,
      ...secondIn(seat),
    },
    room: entered,
    socket: MEETING_SOCKET,
    media: seat.state === "waiting" ? null : parts.media.pathOf({ media: kind }, seat),
  },
});

/** Returns whether somebody's browser is connected to a seat, or to a place before the door. */
const isConnected = ({ process, media_process }: PersonSeat): boolean =>
  process !== null || media_process !== null;

/** Returns whether the visitor is a program: an access key without a person or browser. */
const isProgram = ({ kind, userId }: Visitor): boolean => kind === "host" && userId === null;

/** The name that others see. @throws Refusal on peerName */
const nameFor = ({ kind, name }: Visitor, given: string | undefined): string =>
  (kind === "invited" ? name : (given ?? name)) ?? refuseField("peerName", "required");

/** @throws Refusal `role_not_allowed` */
const roleFor = (room: Room, visitor: Visitor, wanted: PeerType | undefined) => {
  const roles = rolesFor(room, visitor);
  const role = wanted ?? roles[0];
  return role !== undefined && roles.includes(role) ? role : refuse("role_not_allowed");
};

/** The role of somebody who asks for none: that of the seat that they have, otherwise the room's usual one. */
const usualRole = (room: Room, visitor: Visitor, own: PersonSeat | undefined): PeerType => {
  const isKept = own && (mayStay(own) || rolesFor(room, visitor).includes(own.role));
  return isKept ? own.role : roleFor(room, visitor, undefined);
};
