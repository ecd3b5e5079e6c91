import { codeIn } from "../../../contract/kit/typed-code.ts";
import { type PeerType, peerTypes } from "../../../contract/meetings/meetings.ts";
import type { Room } from "../../../contract/rooms/record.ts";
import { hasSignedOut } from "../../access/notes.ts";
import type { Authenticated } from "../../access/tokens.ts";
import type { Queries } from "../../change/organization.ts";
import { type MeetingRow, seatColumns } from "../../db/meeting-tables.ts";
import { USER } from "../../db/person-keys.ts";
import { prepared } from "../../db/prepared.ts";
import type { RoomRow } from "../../db/tables.ts";
import { refuse } from "../../lib/refusal.ts";
import { findRoom } from "../../records/room-queries.ts";
import { findInvitation, type InvitationRow } from "../people/invitations.ts";
import { type Visitor, visitorOf, waitsOutside } from "../people/visitor.ts";
import { isHigher, roleLimitOf } from "../seats/role-limits.ts";
import type { PersonSeat } from "../seats/seat.ts";
import { opensRoom, roomOfCode, roomOfInvitation } from "../state/links.ts";
import { findOpenMeeting, findSeat, heldRoom } from "../state/running.ts";
import { mayStay } from "./right-to-stay.ts";

/*
 * Who comes to which room. What brings them may have ended: then it leads nobody in, but back to a seat in
 * which its person may stay (right-to-stay.ts).
 */

/** What somebody who comes to a room asks for. */
export interface Wanted {
  /** The code of a link, or the room's ID. */
  readonly roomId: string;
  readonly sessionToken?: string | undefined;
}

/** What somebody comes with. */
export interface Credentials {
  readonly auth: Authenticated | undefined;
  /** The digest of the guest's cookie (`guestOf`). */
  readonly guest: string;
}

/** How somebody comes to a room. */
export interface WayIn {
  readonly row: RoomRow;
  readonly invitation: InvitationRow | undefined;
  /** What it answers to somebody who has no seat there; undefined where it leads in. */
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

const askKept = prepared<null, { readonly guest: string; readonly meetingId: string }, PersonSeat>(
  (db, _, { guest, meetingId }) =>
    seatsOfBrowser(db, guest)
      .select(seatColumns)
      .$narrowType<PersonSeat>()
      .where("meeting_id", "=", meetingId),
);

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
 * @throws Refusal `room_not_found`; `link_ended` for an unknown invitation
 */
export const wayTo = async (
  db: Queries,
  { roomId, sessionToken }: Wanted,
  { auth, guest }: Credentials,
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
  const found = await roomOfCode(db, roomId);
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
}

/**
 * Somebody with an account whose session has expired meanwhile, in the browser in which they took their
 * seat; nobody after a sign-out.
 */
const keptIn = async (
  db: Queries,
  meeting: MeetingRow,
  guest: string,
): Promise<Pick<Arrival, "visitor" | "seat"> | undefined> => {
  const [seat] = await askKept(db, null, { guest, meetingId: meeting.id });
  if (!seat || !mayStay(seat) || seat.user_id === null) return undefined;
  if (await hasSignedOut(db, seat.user_id)) return undefined;
  const { person, user_id: userId, peer_name: name } = seat;
  return { seat, visitor: { person, userId, name, kind: "member", role: undefined } };
};

/**
 * Who has come to which room, and the seat that they have there.
 *
 * @param likely the ID of the room's row, if it was found before: its meeting is then asked for with it
 * @throws Refusal `room_not_found`, `link_ended`, also where what brought them has ended, unless they may stay
 */
export const arrive = async (
  db: Queries,
  wanted: Wanted,
  { auth, guest }: Credentials,
  likely?: string,
): Promise<Arrival> => {
  const [{ row, invitation, ended }, expected] = await Promise.all([
    wayTo(db, wanted, { auth, guest }),
    likely === undefined ? undefined : findOpenMeeting(db, likely),
  ]);
  const meeting = row.id === likely ? expected : await findOpenMeeting(db, row.id);
  const room = heldRoom(row, meeting);
  const own = await visitorOf(db, row.organization_id, room, { auth, invitation, guest });
  // They travel together, although the second counts only without the first, and the last only without it.
  const [seat, inBrowser, ownLimit] = await Promise.all([
    meeting && findSeat(db, meeting.id, own.person),
    meeting && !auth && !invitation ? keptIn(db, meeting, guest) : undefined,
    meeting && own.kind !== "host" ? roleLimitOf(db, meeting.id, own.person) : undefined,
  ]);
  const kept = seat ? undefined : inBrowser;
  const { visitor, seat: theirs } = kept ?? { visitor: own, seat };
  // A host gets a new link at any time, and may have the former one in the address of the page.
  if (ended && visitor.kind !== "host" && !(theirs && mayStay(theirs))) refuse(ended);
  const limit = kept && meeting ? await roleLimitOf(db, meeting.id, kept.visitor.person) : ownLimit;
  return { row, room, meeting, visitor: { ...visitor, limit }, seat: theirs };
};

/**
 * Whether somebody whom moderators let in, or who waits for that, has to ask again: they know the person by
 * this name, and in this role. A claim from before there was a lobby is none of a person who was let in.
 */
export const asksAnew = (
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
  return true;
};
