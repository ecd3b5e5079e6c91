import type { Room } from "../../contract/room-record.ts";
import { isNoted, noteAgain, noteOf } from "../access/notes.ts";
import { countInTurn, forgiveTries, type Tried } from "../access/throttle.ts";
import type { Authenticated } from "../access/tokens.ts";
import type { Database } from "../db/open.ts";
import type { RoomRow } from "../db/tables.ts";
import { digestOf, hasDigest } from "../digest.ts";
import { DAY_MS } from "../durations.ts";
import type { Queries } from "../organization.ts";
import { refuse } from "../refusal.ts";
import { findRoom } from "../rooms/queries.ts";
import { roomOf } from "../rooms/stored.ts";
import type { Invitation } from "./invitations.ts";
import { refuseBanned } from "./kept-out.ts";
import { opensRoom, roomOfCode, roomOfInvitation } from "./links.ts";
import type { Standing } from "./running.ts";
import { hasPassword, needsPassword, type Visitor, waitsOutside } from "./visitor.ts";

/** Somebody who asks to enter. */
export interface Asking {
  readonly auth: Authenticated | undefined;
  /** The guest's cookie, by which a guest who comes back is recognized. */
  readonly guest: string | undefined;
  readonly address: string;
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

/** The guest that a cookie stands for. */
export const guestOf = (cookie: string): string => digestOf(cookie).slice(0, 32);

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
    : { door, address };
  const isRight = hasDigest(given, password);
  // In one change: a class that gives the right password at once uses up nothing.
  await countInTurn(database, tried, async (tx, taken) => {
    if (!isRight) return;
    await forgiveTries(tx, taken);
    if (guest !== "") await noteAgain(tx, gave);
  });
  return isRight ? room.roomPassword : undefined;
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
  // They go on waiting, and a moderator decides.
  if (seat !== undefined && waitsOutside(room, visitor)) return;
  if (meeting?.locked) refuse("room_locked");
  if (needsPassword(room, visitor) && password !== room.roomPassword) {
    refuse("wrong_room_password");
  }
};
