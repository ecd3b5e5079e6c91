import { randomBytes } from "node:crypto";
import {
  joinRoom as contract,
  type fetchInvitation,
  type PeerType,
} from "../../contract/meetings.ts";
import type { Checked, Reply } from "../../contract/operation.ts";
import type { Room } from "../../contract/room-record.ts";
import { organizationOf } from "../access/caller.ts";
import { isNoted, noteAgain, noteOf } from "../access/notes.ts";
import type { Count } from "../access/sessions.ts";
import {
  countedAddress,
  countInTurn,
  forgiveTries,
  giveBackInTurn,
  type Tried,
} from "../access/throttle.ts";
import type { Authenticated } from "../access/tokens.ts";
import type { Database } from "../db/open.ts";
import type { RoomRow } from "../db/tables.ts";
import { digestOf, hasDigest } from "../digest.ts";
import { DAY_MS } from "../durations.ts";
import {
  type Change,
  nobody,
  type Organization,
  openOrganization,
  type Queries,
} from "../organization.ts";
import { isRecorded } from "../recordings/rules.ts";
import { Refusal, refuse, refuseField } from "../refusal.ts";
import { findRoom } from "../rooms/queries.ts";
import { roomOf } from "../rooms/stored.ts";
import { claimedFrom } from "./claims.ts";
import { broughtInvitation, type Invitation } from "./invitations.ts";
import { refuseBanned } from "./kept-out.ts";
import { findLeaving, isLetGo } from "./let-go.ts";
import { opensRoom, roomOfCode, roomOfInvitation } from "./links.ts";
import type { Media } from "./media.ts";
import type { PersonSeat } from "./persons.ts";
import { comeBack } from "./returning.ts";
import { findOpenMeeting, findSeat, heldRoom, type Standing } from "./running.ts";
import { isStreamed, isTranscribed, isWatched, runsOf } from "./runs.ts";
import { claimSeat } from "./seats.ts";
import { presentEntered } from "./view.ts";
import {
  hasPassword,
  needsPassword,
  offeredRoles,
  rolesFor,
  type Visitor,
  visitorOf,
  waitsOutside,
} from "./visitor.ts";

/** Where the meeting socket is. */
export const SOCKET = "/api/meeting/socket";

/** Somebody who asks to enter. */
export interface Asking {
  readonly auth: Authenticated | undefined;
  /** The guest's cookie, by which a guest who comes back is recognized. */
  readonly guest: string | undefined;
  readonly address: string;
  readonly count: Count;
}

/** The parts of the service that joining uses. */
export interface JoinParts {
  readonly database: Database;
  readonly media: Media;
}

/**
 * The room that somebody asks for: by the code of its link, by its ID in the organization of a token, or
 * by an invitation.
 *
 * @throws Refusal `room_not_found`, `link_ended`
 */
export const roomAskedFor = async (
  db: Queries,
  roomId: string,
  auth: Authenticated | undefined,
  invitation?: Invitation,
): Promise<RoomRow> => {
  if (invitation) return roomOfInvitation(db, roomId, invitation);
  const own = auth && (await findRoom(db, auth.organizationId, roomId));
  // A room whose ID was chosen to be the code of another room's link does not get that room's people.
  return own === undefined || (await opensRoom(db, roomId)) ? roomOfCode(db, roomId) : own;
};

/** The organization of a room, for a visitor; a change looks up the caller's rights again. */
const openFor = (database: Database, { organization_id: id }: RoomRow, auth?: Authenticated) =>
  auth?.organizationId === id
    ? organizationOf(database, auth, contract)
    : openOrganization(database, id, nobody);

/** The guest that a cookie stands for. */
export const guestOf = (cookie: string): string => digestOf(cookie).slice(0, 32);

/**
 * What a link opens for the caller.
 *
 * @throws Refusal `room_not_found`, `link_ended`, `too_many_requests`
 */
export const invitationOf = async (
  database: Database,
  { roomId, sessionToken }: Checked<typeof fetchInvitation>,
  { auth, guest, address, count }: Asking,
): Promise<Reply<typeof fetchInvitation>["invitation"]> => {
  if (!auth) count(countedAddress(address));
  const { read } = database;
  const invitation = await broughtInvitation(read, sessionToken);
  const row = await roomAskedFor(read, roomId, auth, invitation);
  const papers = { auth, invitation, guest: guestOf(guest ?? "") };
  const [visitor, meeting, organization] = await Promise.all([
    visitorOf(read, row.organization_id, roomOf(row), papers),
    findOpenMeeting(read, row.id),
    read
      .selectFrom("organizations")
      .select("name")
      .where("id", "=", row.organization_id)
      .executeTakeFirstOrThrow(),
  ]);
  const room = heldRoom(row, meeting);
  const seat = meeting && (await findSeat(read, meeting.id, visitor.person));
  const isKnown = seat !== undefined && seat.state !== "waiting";
  const runs = meeting ? await runsOf(read, meeting.id) : [];
  return {
    ...presentEntered(room),
    organization: organization.name,
    passwordRequired: !isKnown && needsPassword(room, visitor),
    lobby: !isKnown && waitsOutside(room, visitor),
    running: meeting !== undefined && meeting.started_at !== null,
    locked: meeting?.locked === true,
    stream: isWatched(runs),
    recording: meeting !== undefined && (await isRecorded(read, meeting)),
    streaming: isStreamed(runs),
    transcribing: isTranscribed(runs),
    peerTypes: [...offeredRoles(room, visitor)],
    peerName: visitor.name,
  };
};

/** How long it is known that a browser gave a room's password: as long as it keeps the guest's cookie. */
const GAVE_MS = 30 * DAY_MS;

/**
 * Checks the password that a visitor gives, before the change that takes the seat: a wrong one must
 * count even though the change is rolled back. Accounts of the organization, and browsers that gave this
 * password lately, have allowances of their own, which strangers cannot use up.
 *
 * @returns the password if it is currently right, otherwise undefined
 * @throws Refusal `too_many_requests`
 */
export const checkPassword = async (
  database: Database,
  row: RoomRow,
  given: string | undefined,
  address: string,
  { auth, guest }: Pick<Asking, "auth"> & { readonly guest: string },
): Promise<string | undefined> => {
  const room = roomOf(row);
  if (given === undefined || !hasPassword(room)) return undefined;
  const door = `room ${row.id}`;
  const password = digestOf(room.roomPassword);
  const account = auth?.organizationId === row.organization_id ? auth.caller.userId : null;
  const gave = noteOf(GAVE_MS, "gave", door, password, guest);
  const isKnown = account !== null || (guest !== "" && (await isNoted(database.read, gave)));
  const tried: Tried = isKnown
    ? { own: `${door} ${account ?? guestOf(guest)}` }
    : { login: door, address };
  await countInTurn(database, tried);
  if (!hasDigest(given, password)) return undefined;
  await giveBackInTurn(database, tried, async (tx) => {
    await forgiveTries(tx, tried);
    if (guest !== "") await noteAgain(tx, gave);
  });
  return room.roomPassword;
};

/** Checks whether ban, lock or password keep a visitor out; hosts always pass. @throws Refusal */
export const checkDoor = async (
  db: Queries,
  row: RoomRow,
  room: Room,
  { meeting, seat }: Standing,
  visitor: Visitor,
  password: string | undefined,
): Promise<void> => {
  if (visitor.kind === "host") return;
  await refuseBanned(db, row.id, meeting, visitor);
  if (seat !== undefined && seat.state !== "waiting") return;
  if (meeting?.locked) refuse("room_locked");
  if (needsPassword(room, visitor) && password !== room.roomPassword) {
    refuse("wrong_room_password");
  }
};

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
export const joinRoom = async (
  { database, media }: JoinParts,
  input: Checked<typeof contract>,
  { auth, guest: cookie, address, count }: Asking,
): Promise<Joined> => {
  if (!auth) count(countedAddress(address));
  const { read } = database;
  const { sessionToken } = input;
  const invitation = await broughtInvitation(read, sessionToken);
  const asked = await roomAskedFor(read, input.roomId, auth, invitation);
  const guest = cookie ?? randomBytes(32).toString("base64url");
  const password = await checkPassword(database, asked, input.password, address, { auth, guest });
  const ticket = randomBytes(32).toString("base64url");
  const organization: Organization = openFor(database, asked, auth);
  /** The person's own former seat, which the media engine has not freed yet. */
  let leaving: string | undefined;
  const take = async (change: Change) => {
    const { tx } = change;
    // Looked up again under the organization's lock: all of it may have changed meanwhile.
    const current = await broughtInvitation(tx, sessionToken);
    const row = await roomAskedFor(tx, input.roomId, auth, current);
    const open = await findOpenMeeting(tx, row.id);
    const here = heldRoom(row, open);
    const papers = { auth: auth && { ...auth, caller: change.caller }, invitation: current };
    const visitor = await visitorOf(tx, row.organization_id, here, {
      ...papers,
      guest: guestOf(guest),
    });
    const own = open && (await findSeat(tx, open.id, visitor.person));
    await checkDoor(tx, row, here, { meeting: open, seat: own }, visitor, password);
    const kind = open?.media ?? (here.roomType === "p2p" ? "direct" : media.kind);
    if (kind === "livekit" && !media.isReady()) refuse("media_unavailable");
    const wanted = input.peerType && roleFor(here, visitor, input.peerType);
    const from = visitor.kind === "guest" ? claimedFrom(countedAddress(address)) : null;
    const device = visitor.kind === "guest" || isProgram(visitor) ? null : guestOf(guest);
    const comer = { person: visitor.person, claimedFrom: from, device };
    const claim = async (): Promise<PersonSeat> => {
      const back = await comeBack(change, row, { meeting: open, seat: own }, { ...comer, wanted });
      return claimSeat(
        change,
        row,
        { meeting: open, seat: back ?? own },
        {
          ...comer,
          userId: visitor.userId,
          ticketDigest: digestOf(ticket),
          peerName: nameFor(visitor, input.peerName),
          role: back?.role ?? roleFor(here, visitor, wanted),
          waits: waitsOutside(here, visitor),
        },
        media.kind,
      );
    };
    const seat = await claim().catch(async (full: unknown) => {
      const isFull = full instanceof Refusal && full.code === "seats_full";
      if (isFull && open) leaving = await findLeaving(tx, open.id, visitor.person);
      throw full;
    });
    const meeting = open ?? (await findOpenMeeting(tx, row.id));
    return { seat, room: here, meeting, hasBrowser: !isProgram(visitor) };
  };
  const { seat, room, meeting, hasBrowser } = await organization
    .change(take)
    .catch(async (refusal: unknown) => {
      if (leaving === undefined || !(await isLetGo(read, leaving))) throw refusal;
      return organization.change(take);
    });
  return {
    guest: hasBrowser ? guest : undefined,
    answer: {
      success: true,
      waiting: seat.state === "waiting",
      ticket,
      peer: { peerId: seat.id, peerName: seat.peer_name, peerType: seat.role },
      room: presentEntered(room),
      socket: SOCKET,
      media: meeting && seat.state !== "waiting" ? media.pathOf(meeting, seat) : null,
    },
  };
};

/** Whether the visitor is a program: an access key without a person or browser. */
const isProgram = ({ kind, userId }: Visitor): boolean => kind === "host" && userId === null;

/** The name that others see. @throws Refusal on peerName */
const nameFor = ({ kind, name }: Visitor, given: string | undefined): string =>
  (kind === "invited" ? name : (given ?? name)) ?? refuseField("peerName", "is required.");

/** @throws Refusal `role_not_allowed` */
const roleFor = (room: Room, visitor: Visitor, wanted: PeerType | undefined) => {
  const roles = rolesFor(room, visitor);
  const role = wanted ?? roles[0];
  return role !== undefined && roles.includes(role) ? role : refuse("role_not_allowed");
};
