import { randomBytes } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Checked, Reply } from "../../../contract/kit/operation.ts";
import { joinRoom as contract, type PeerType } from "../../../contract/meetings/meetings.ts";
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
import type { Database } from "../../db/open.ts";
import type { RoomRow } from "../../db/tables.ts";
import { digestOf } from "../../lib/digest.ts";
import { Refusal, refuse, refuseField } from "../../lib/refusal.ts";
import { takeTurns } from "../../lib/turns.ts";
import { nextDateOf } from "../../records/schedules.ts";
import type { RefusedSeats } from "../../usage/refused.ts";
import { presentEntered } from "../people/view.ts";
import {
  awaitsHosts,
  rolesFor,
  type Visitor,
  type WaitsFor,
  waitsOutside,
} from "../people/visitor.ts";
import { claimedFrom } from "../seats/claims-by-address.ts";
import { allSeats, occupancyFrom } from "../seats/places.ts";
import type { PersonSeat } from "../seats/seat.ts";
import { endSeats } from "../state/end-seats.ts";
import { findLeaving, isLetGo } from "../state/former-seat.ts";
import type { Media } from "../state/media.ts";
import { countComing } from "../state/rate.ts";
import { lacksHost } from "../state/waiting-queue.ts";
import { arrive, asksAnew, expectArrival, type WayIn, wayTo } from "./arrival.ts";
import { type Claimed, claimSeat } from "./claim-seat.ts";
import { foreseeRefusal } from "./early-refusal.ts";
import { type Asking, checkDoor, checkPassword, guestCookie, guestOf } from "./entry-checks.ts";
import { comeBack } from "./reconnect.ts";
import { mayStay } from "./right-to-stay.ts";

/** Where the meeting socket is. */
export const SOCKET = "/api/meeting/socket";

/** The parts of the service that joining uses. */
export interface JoinParts {
  readonly database: Database;
  readonly media: Media;
  readonly refused: Pick<RefusedSeats, "count">;
}

/** The organization of a room, for a visitor; a change looks up the caller's rights again. */
const openFor = (database: Database, { organization_id: id }: RoomRow, auth?: Authenticated) =>
  auth?.organizationId === id
    ? organizationOf(database, auth, contract)
    : openOrganization(database, id, nobody);

/** A seat that was taken, and what its holder gets. */
export interface Joined {
  readonly answer: Reply<typeof contract>;
  /** The cookie by which a guest's browser is recognized; undefined for programs. */
  readonly guest: string | undefined;
}

/** A join, without what is looked up again in its change. */
interface Join {
  readonly input: Checked<typeof contract>;
  readonly auth: Authenticated | undefined;
  readonly guest: string;
  /** The digest of the room's password, if the visitor gave it. */
  readonly password: string | null;
  readonly address: string;
  readonly media: Media;
  /** How they come, as it was found first. */
  readonly way: WayIn;
}

/** Reads at once what `standAt` needs. */
const expect = (db: Queries, { input, auth, guest, way }: Join, known?: WayIn) =>
  expectArrival(db, input, { auth, guest: guestOf(guest) }, way, known);

/** Where a visitor stands, with the rights and the address that count. @throws Refusal at the door */
const standAt = async (
  db: Queries,
  { input, auth, guest, password, address, media }: Join,
  expected: Awaited<ReturnType<typeof expect>>,
) => {
  const arrival = await arrive(db, input, { auth, guest: guestOf(guest) }, expected);
  const { row, room, meeting, visitor, bans, counts } = arrival;
  /** A seat that they lose, because they have to ask again to be let in. */
  const former = asksAnew(arrival, input) ? arrival.seat : undefined;
  const seat = former ? undefined : arrival.seat;
  checkDoor(room, { meeting, seat, bans }, visitor, password);
  const kind = meeting?.media ?? (room.roomType === "p2p" ? "direct" : media.kind);
  if (kind === "livekit" && !media.isReady()) refuse("media_unavailable");
  const isSame = seat !== undefined && mayStay(seat) && input.peerType === seat.role;
  const wanted = isSame ? undefined : input.peerType && roleFor(room, visitor, input.peerType);
  const claimant = visitor.kind === "guest" ? claimedFrom(countedAddress(address)) : null;
  const waits: WaitsFor = waitsOutside(room, visitor)
    ? "moderator"
    : awaitsHosts(visitor) && (await lacksHost(db, row, meeting))
      ? "host"
      : undefined;
  const comer = {
    person: visitor.person,
    claimedFrom: claimant,
    waits,
    waitsForSeat: input.waitsForSeat,
  };
  return { row, room, meeting, seat, former, visitor, wanted, kind, comer, counts };
};

/** How many joins of a room are carried out at a time: those behind them look first whether it is full. */
const AT_ONCE = 8;
/** The most joins of a room that wait. */
const WAITING = 500;

const turns = takeTurns(Number.POSITIVE_INFINITY, WAITING, AT_ONCE);

/**
 * Takes a seat in a room, or a place in its lobby.
 *
 * @throws Refusal as the operation lists them
 */
export const joinRoom = async (
  { database, media, refused }: JoinParts,
  input: Checked<typeof contract>,
  { auth, guest: cookie, address }: Asking,
): Promise<Joined> => {
  const { read } = database;
  const guest = guestCookie(cookie);
  const way = await wayTo(read, input, { auth, guest: guestOf(guest) });
  const { row: asked } = way;
  const password = await checkPassword(database, asked, input.password, address, { auth, guest });
  const ticket = randomBytes(32).toString("base64url");
  const organization: Organization = openFor(database, asked, auth);
  const join: Join = { input, auth, guest, password, address, media, way };
  /** Refuses who gets no seat now, or comes too often, without the organization's row: see early-refusal.ts. */
  const look = async (): Promise<void> => {
    const at = await standAt(read, join, await expect(read, join, way));
    const { row, room, meeting, seat, former, visitor, wanted, kind, comer, counts } = at;
    if (!seat && !former) {
      const role = roleFor(room, visitor, wanted);
      await foreseeRefusal(read, { row, room, meeting, media: kind, counts }, { ...comer, role });
    }
    const { person, claimedFrom: from } = comer;
    if (from !== null) countComing({ roomId: row.id, person, from, seats: allSeats(room) });
  };
  /** The person's own former seat, which the media engine has not freed yet. */
  let leaving: string | undefined;
  const take = async (change: Change, expected: Awaited<ReturnType<typeof expect>>) => {
    const { tx } = change;
    const caller = auth && { ...auth, caller: change.caller };
    const at = await standAt(tx, { ...join, auth: caller }, expected);
    const { row, room, meeting: open, seat: own, former, visitor, wanted, comer, kind } = at;
    if (!input.takesOver && own && isConnected(own)) refuse("already_inside");
    const device = visitor.kind === "guest" || isProgram(visitor) ? null : guestOf(guest);
    const claim = async (): Promise<Claimed> => {
      if (former) await endSeats(change, former.meeting_id, [former], "moved");
      const back = await comeBack(change, row, { meeting: open, seat: own }, { ...comer, wanted });
      return claimSeat(
        change,
        row,
        { meeting: open, seat: back ?? own },
        {
          ...comer,
          device,
          userId: visitor.userId,
          ticketDigest: digestOf(ticket),
          peerName: nameFor(visitor, input.peerName),
          role: back?.role ?? wanted ?? usualRole(room, visitor, own),
        },
        media.kind,
        former || back ? undefined : occupancyFrom(at.counts),
      );
    };
    const seat = await claim().catch(async (full: unknown) => {
      const isFull = full instanceof Refusal && full.code === "seats_full";
      if (isFull && open) leaving = await findLeaving(tx, open.id, visitor.person);
      throw full;
    });
    const nextAt = await nextDateOf(tx, row.id, room.scheduledDateTime);
    return {
      seat,
      entered: presentEntered(room, nextAt),
      kind,
      hasBrowser: !isProgram(visitor),
    };
  };
  const comeIn = () =>
    turns.run(
      asked.id,
      async () => {
        // On SQLite everybody's look would otherwise run without another request in between.
        await nextTurn();
        await look();
        // Looked up again under the organization's lock: all of it may have changed meanwhile.
        return organization.change(take, (tx) => expect(tx, join));
      },
      countedAddress(address),
    );
  const { seat, entered, kind, hasBrowser } = await comeIn()
    .catch(async (refusal: unknown) => {
      if (leaving === undefined || !(await isLetGo(read, leaving))) throw refusal;
      return comeIn();
    })
    .catch((refusal: unknown) => {
      if (refusal instanceof Refusal && refusal.code === "seats_full") refused.count(asked);
      throw refusal;
    });
  return {
    guest: hasBrowser ? guest : undefined,
    answer: {
      success: true,
      waiting: seat.state === "waiting",
      ticket,
      peer: { peerId: seat.id, peerName: seat.peer_name, peerType: seat.role },
      room: entered,
      socket: SOCKET,
      media: seat.state === "waiting" ? null : media.pathOf({ media: kind }, seat),
    },
  };
};

/** Whether somebody's browser is connected to a seat, or to a place before the door. */
const isConnected = ({ process, media_process }: PersonSeat): boolean =>
  process !== null || media_process !== null;

/** Whether the visitor is a program: an access key without a person or browser. */
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
