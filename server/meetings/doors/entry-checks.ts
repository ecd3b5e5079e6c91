import { randomBytes } from "node:crypto";
import type { Room } from "../../../contract/rooms/record.ts";
import { isNoted, noteAgain, noteOf } from "../../access/notes.ts";
import { countInTurn, forgiveTries, type Tried } from "../../access/throttle.ts";
import type { Authenticated } from "../../access/tokens.ts";
import type { Database } from "../../db/open.ts";
import type { RoomRow } from "../../db/tables.ts";
import { digestOf, hasDigest } from "../../lib/digest.ts";
import { DAY_MS } from "../../lib/durations.ts";
import { refuse } from "../../lib/refusal.ts";
import { hasPassword } from "../../records/room-secrets.ts";
import { roomOf } from "../../records/rooms.ts";
import type { Standing } from "../state/open-meeting.ts";
import type { Arrival } from "./arrival.ts";
import { refuseBanned } from "./bans.ts";
import { mayStay } from "./right-to-stay.ts";
import { needsPassword, type Visitor, waitsOutside } from "./visitor.ts";

/** A person who asks to enter. */
export interface Asking {
  readonly auth: Authenticated | undefined;
  /** The guest's cookie, by which a guest who comes back is recognized. */
  readonly guest: string | undefined;
  readonly address: string;
}

/**
 * The cookie of a guest: the one that Parley gave, otherwise a new one. Anything else is none, because people
 * who send the same text would be one person.
 */
export const guestCookie = (sent: string | undefined): string =>
  sent !== undefined && /^[\w-]{43}$/.test(sent) ? sent : randomBytes(32).toString("base64url");

/** The guest that a cookie stands for. */
export const guestOf = (cookie: string): string => digestOf(cookie).slice(0, 32);

/** How long it is known that a browser gave a room's password: as long as it keeps the guest's cookie. */
const GAVE_MS = 30 * DAY_MS;

/**
 * Checks the password that a visitor gives, before the change that takes the seat: a wrong one must
 * count even though the change is rolled back. Accounts of the organization, and browsers that gave this
 * password lately, have allowances of their own, which strangers cannot use up.
 *
 * @returns the digest of the password if it is currently right, otherwise null
 * @throws Refusal `too_many_requests`
 */
export const checkPassword = async (
  database: Database,
  row: RoomRow,
  given: string | undefined,
  address: string,
  { auth, guest }: Pick<Asking, "auth"> & { readonly guest: string },
): Promise<string | null> => {
  const room = roomOf(row);
  if (given === undefined || !hasPassword(room)) return null;
  const door = `room ${row.id}`;
  const password = digestOf(room.roomPassword);
  const account = auth?.organizationId === row.organization_id ? auth.caller.userId : null;
  const gave = noteOf(GAVE_MS, "gave", door, password, guest);
  const isKnown = account !== null || (await isNoted(database.read, gave));
  const tried: Tried = isKnown
    ? { own: `${door} ${account ?? guestOf(guest)}` }
    : { door, address };
  const isRight = hasDigest(given, password);
  // In one change: a class that gives the right password at once uses up nothing.
  await countInTurn(database, tried, async (tx, taken) => {
    if (!isRight) return;
    await forgiveTries(tx, taken);
    await noteAgain(tx, gave);
  });
  return isRight ? password : null;
};

/**
 * Checks whether ban, lock or password keep a visitor out; hosts always pass.
 *
 * @param gave the digest of the password that they gave
 * @throws Refusal `banned`, `room_locked`, `wrong_room_password`
 */
export const checkDoor = (
  room: Room,
  { meeting, seat, bans }: Standing & Pick<Arrival, "bans">,
  visitor: Pick<Visitor, "kind" | "lobby">,
  gave: string | null,
): void => {
  if (visitor.kind === "host") return;
  refuseBanned(bans, meeting);
  if (seat && mayStay(seat)) return;
  // They go on waiting: a moderator decides, or they have passed the door as it is (waiting-queue.ts).
  if (seat?.state === "waiting" && (seat.waits_for !== null || waitsOutside(room, visitor))) return;
  if (meeting?.locked) refuse("room_locked");
  if (needsPassword(room, visitor) && gave !== digestOf(room.roomPassword ?? "")) {
    refuse("wrong_room_password");
  }
};
