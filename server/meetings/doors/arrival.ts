import { codeIn } from "../../../contract/kit/typed-code.ts";
import { type PeerType, peerTypes } from "../../../contract/meetings/meetings.ts";
import type { Room } from "../../../contract/rooms/record.ts";
import { hasSignedOut } from "../../access/notes.ts";
import type { Authenticated } from "../../access/tokens.ts";
import type { Queries } from "../../change/organization.ts";
import { type MeetingRow, seatColumns } from "../../db/meeting-tables.ts";
import { USER } from "../../db/person-keys.ts";
import { findingIn, prepared, settled, together } from "../../db/prepared.ts";
import type { RoomRow } from "../../db/tables.ts";
import { refuse } from "../../lib/refusal.ts";
import { findRoom } from "../../records/room-queries.ts";
import { roomOf } from "../../records/rooms.ts";
import { askCounts, type CountedSeats } from "../seats/places.ts";
import { isHigher, limitsOf, lowestOf, roleLimitOf } from "../seats/role-limits.ts";
import { isStaying, openIn, type PersonSeat } from "../seats/seat.ts";
import {
  askRoomOfCode,
  opensRoom,
  type RoomOfCode,
  roomIn,
  roomOfCode,
  roomOfInvitation,
} from "../state/links.ts";
import { askOpenMeeting, heldRoom } from "../state/open-meeting.ts";
import { askBans, banned, bansIn } from "./bans.ts";
import { findInvitation, type InvitationRow } from "./invitations.ts";
import { mayStay } from "./right-to-stay.ts";
import { likelyPerson, type Visitor, visitorOf, waitsOutside } from "./visitor.ts";

/*
 * Finds who comes to which room. The link or right that leads there may have ended: then it opens only the
 * way back to a seat in which its person may stay (right-to-stay.ts).
 */

/** The request of somebody who comes to a room. */
export interface Wanted {
  /** The code of a link, or the room's ID. */
  readonly roomId: string;
  readonly sessionToken?: string | undefined;
}

/** The rights with which somebody comes. */
export interface Credentials {
  readonly auth: Authenticated | undefined;
  /** The digest of the guest's cookie (`guestOf`). */
  readonly guest: string;
}

/** How somebody comes to a room. */
export interface WayIn {
  readonly row: RoomRow;
  readonly invitation: InvitationRow | undefined;
  /** The answer to somebody who has no seat there; undefined where it leads in. */
  readonly ended: "link_ended" | "room_not_found" | undefined;
}

/** The seats in one browser of accounts whose page is reloaded or whose connection is lost. */
const seatsOfBrowser = (db: Queries, guest: string) =>
  db
    .selectFrom("seats")
    .where("device", "=", guest)
    .where("left_at", "is", null)
    .where("seats.state", "in", ["returning", "away", "claimed"])
    .where("person", "like", `${USER}%`)
    .where("role", "in", peerTypes);

interface Likely {
  /** The ID of the room's row. */
  readonly roomId: string;
  /** As in `seats.person`. */
  readonly person: string;
}

/** The living seat that a person has in a room, and the one that an account has in this browser. */
const askSeats = prepared<null, Likely & { readonly guest: string }, PersonSeat>(
  (db, _, { roomId, person, guest }) =>
    db
      .selectFrom("seats")
      .select(seatColumns)
      .where("meeting_id", "=", openIn(db, roomId))
      .where("left_at", "is", null)
      .where("person", "=", person)
      .where(isStaying)
      .unionAll(
        seatsOfBrowser(db, guest).select(seatColumns).where("meeting_id", "=", openIn(db, roomId)),
      )
      .$narrowType<PersonSeat>(),
);

/**
 * The rows of a room that concern somebody, and the room to which a code leads now. What was known before finds
 * all of them, so one query reads them.
 */
const placeOf = async (db: Queries, { roomId, person }: Likely, guest: string, code: string) => {
  const [[linked], [meeting], seats, limits, bans, counts] = await together(
    db,
    askRoomOfCode(db, code),
    askOpenMeeting.statement(db, null, { roomId }),
    askSeats.statement(db, null, { roomId, person, guest }),
    limitsOf(db, roomId, person),
    askBans.statement(db, null, { roomId, person }),
    askCounts.statement(db, null, { roomId }),
  );
  return {
    linked: linked && roomIn(linked),
    meeting,
    seats,
    limit: lowestOf(limits),
    bans: bansIn(bans),
    counts,
  };
};

/** The rows that are read for an arrival before its person is certain. */
interface Expected {
  readonly way: WayIn;
  readonly place: Awaited<ReturnType<typeof placeOf>>;
  readonly likely: Likely;
}

const roomOfBrowser = (db: Queries, roomId: string, guest: string): Promise<RoomRow | undefined> =>
  seatsOfBrowser(db, guest)
    .innerJoin("rooms", "rooms.id", "seats.room_id")
    .selectAll("rooms")
    .where("rooms.room", "=", roomId)
    .where("rooms.deleted_at", "is", null)
    .executeTakeFirst();

/** The room of an ID, as it is, or as people paste it with its address. */
const roomOfId = async (db: Queries, organizationId: string, typed: string) =>
  (await findRoom(db, organizationId, typed)) ??
  (typed === codeIn(typed) ? undefined : findRoom(db, organizationId, codeIn(typed)));

/**
 * The way to a room: by the code of its link, by its ID in the organization of a token, by an invitation, or
 * by the ID of a room in which this browser has a seat.
 *
 * @param linkedTo finds the room of a link's code; omitted where `db` looks it up
 * @throws Refusal `room_not_found`; `link_ended` for an unknown invitation
 */
export const wayTo = async (
  db: Queries,
  { roomId, sessionToken }: Wanted,
  { auth, guest }: Credentials,
  linkedTo: (code: string) => Promise<RoomOfCode | undefined> = (code) =>
    roomOfCode(findingIn(db), code),
): Promise<WayIn> => {
  if (sessionToken !== undefined) {
    const { hasEnded, ...invitation } =
      (await findInvitation(db, sessionToken)) ?? refuse("link_ended");
    const row = await roomOfInvitation(db, roomId, invitation);
    return { row, invitation, ended: hasEnded ? "link_ended" : undefined };
  }
  const invitation = undefined;
  const own = auth && (await roomOfId(db, auth.organizationId, roomId));
  // A room whose ID was chosen to be the code of another room's link does not get that room's people.
  if (own && !(await opensRoom(db, roomId))) return { row: own, invitation, ended: undefined };
  const found = await linkedTo(roomId);
  if (found) {
    return { row: found.row, invitation, ended: found.hasEnded ? "link_ended" : undefined };
  }
  const kept = auth ? undefined : await roomOfBrowser(db, roomId, guest);
  return { row: kept ?? refuse("room_not_found"), invitation, ended: "room_not_found" };
};

/** Somebody who has come to a room. */
export interface Arrival {
  readonly row: RoomRow;
  /** As its meeting sees it. */
  readonly room: Room;
  readonly meeting: MeetingRow | undefined;
  readonly visitor: Visitor;
  /** The seat that they have, also one that only waits. */
  readonly seat: PersonSeat | undefined;
  /** The seat of their second device. */
  readonly second: PersonSeat | undefined;
  /** The bans of the visitor (`banned`). */
  readonly bans: readonly (string | null)[];
  /** The living seats of the meeting. */
  readonly counts: readonly CountedSeats[];
}

/** The guest in whose browser an account may have a seat; nobody for those who say who they are. */
const browserOf = ({ auth, guest }: Credentials, { sessionToken }: Wanted): string =>
  auth || sessionToken !== undefined ? "" : guest;

/** Reads at once what `arrive` needs, if this is the room, and this the person. */
export const expectArrival = async (
  db: Queries,
  wanted: Wanted,
  credentials: Credentials,
  { row, invitation }: Pick<WayIn, "row" | "invitation">,
  known?: WayIn,
): Promise<Expected> => {
  const person = likelyPerson(row.organization_id, { ...credentials, invitation });
  const likely = { roomId: row.id, person };
  const placing = placeOf(db, likely, browserOf(credentials, wanted), wanted.roomId);
  const linked = async () => (await placing).linked;
  const [way, place] = await settled([known ?? wayTo(db, wanted, credentials, linked), placing]);
  return { way, place, likely };
};

/**
 * Somebody with an account whose session has expired meanwhile, in the browser in which they took their
 * seat; nobody after a sign-out.
 */
const keptIn = async (
  db: Queries,
  seat: PersonSeat | undefined,
): Promise<Pick<Arrival, "visitor" | "seat"> | undefined> => {
  if (!seat || !mayStay(seat) || seat.user_id === null) return undefined;
  if (await hasSignedOut(db, seat.user_id)) return undefined;
  const { person, user_id: userId, peer_name: name } = seat;
  return { seat, visitor: { person, userId, name, kind: "member", role: undefined } };
};

/**
 * Finds who has come to which room, and the person's seat there.
 *
 * @param expected what was read before; read here where it is of another room or person
 * @throws Refusal `room_not_found`, `link_ended`, also where what brought them has ended, unless they may stay
 */
export const arrive = async (
  db: Queries,
  wanted: Wanted,
  { auth, guest }: Credentials,
  expected?: Expected,
): Promise<Arrival> => {
  const { row, invitation, ended } = expected?.way ?? (await wayTo(db, wanted, { auth, guest }));
  const papers = { auth, invitation, guest };
  const own = await visitorOf(db, row.organization_id, roomOf(row), papers);
  const { roomId, person } = expected?.likely ?? {};
  const isExpected = roomId === row.id && person === own.person;
  const place =
    (isExpected ? expected?.place : undefined) ??
    (await placeOf(
      db,
      { roomId: row.id, person: own.person },
      browserOf({ auth, guest }, wanted),
      wanted.roomId,
    ));
  const { meeting, counts } = place;
  const seats = place.seats.filter((one) => one.person === own.person);
  const seat = seats.find(({ second }) => !second);
  const [inBrowser] = place.seats.toSorted(
    (one, other) => Number(one.second) - Number(other.second),
  );
  const kept = seat ? undefined : await keptIn(db, inBrowser);
  const { visitor, seat: theirs } = kept ?? { visitor: own, seat };
  // A host gets a new link at any time, and may have the former one in the address of the page.
  if (ended && visitor.kind !== "host" && !(theirs && mayStay(theirs))) refuse(ended);
  const [limit, bans] = kept
    ? await Promise.all([
        roleLimitOf(db, row.id, visitor.person),
        banned(db, row.id, visitor.person),
      ])
    : [own.kind === "host" ? undefined : place.limit, place.bans];
  const room = heldRoom(row, meeting);
  const second = seats.find((one) => one.second);
  return { row, room, meeting, visitor: { ...visitor, limit }, seat: theirs, second, bans, counts };
};

/**
 * Returns whether somebody whom moderators let in, or who waits for that, has to ask again: they know the person by
 * this name, and in this role. A claim from before there was a lobby is none of a person who was let in.
 */
export const asksAgain = (
  { room, visitor, seat }: Pick<Arrival, "room" | "visitor" | "seat">,
  {
    peerName,
    peerType,
  }: { readonly peerName?: string | undefined; readonly peerType?: PeerType | undefined },
): boolean => {
  if (!seat || !waitsOutside(room, visitor)) return false;
  if (seat.state === "waiting" || mayStay(seat)) {
    const isOther = peerName !== undefined && peerName !== seat.peer_name;
    const isMore = peerType !== undefined && isHigher(peerType, seat.role);
    return (isOther || isMore) && seat.state !== "inside" && seat.state !== "away";
  }
  // An invited person's claim is one that a moderator let in, or one by an invitation that nobody holds.
  return visitor.kind === "guest";
};
