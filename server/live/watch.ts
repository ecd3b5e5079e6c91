import type { Checked } from "../../contract/kit/operation.ts";
import type { watchStream as contract } from "../../contract/meetings/live.ts";
import type { Room } from "../../contract/rooms/record.ts";
import { hasEnded, readKey } from "../access/access-keys.ts";
import type { Authenticated } from "../access/tokens.ts";
import type { Queries } from "../change/organization.ts";
import { type AccountNamed, findAccountNamed } from "../db/account.ts";
import type { Database } from "../db/open.ts";
import { GUEST, holderOf, USER } from "../db/person-keys.ts";
import { findingIn } from "../db/prepared.ts";
import { openUntil, type Seal } from "../db/seal.ts";
import type { RoomRow } from "../db/tables.ts";
import { digestOf } from "../lib/digest.ts";
import { Refusal, refuse } from "../lib/refusal.ts";
import { isWatched, runsOf } from "../meetings/captures/runs.ts";
import { arrive } from "../meetings/doors/arrival.ts";
import { banned } from "../meetings/doors/bans.ts";
import {
  type Asking,
  checkDoor,
  checkPassword,
  guestCookie,
  guestOf,
} from "../meetings/doors/entry-checks.ts";
import { isRevoked, WATCH_SECONDS } from "../meetings/doors/invitations.ts";
import { mayStay } from "../meetings/doors/right-to-stay.ts";
import { awaitsHosts, kindOfUser, type Visitor, waitsOutside } from "../meetings/doors/visitor.ts";
import { roomOfCode } from "../meetings/state/links.ts";
import { findOpenMeeting, findSeat } from "../meetings/state/open-meeting.ts";
import { lacksHost } from "../meetings/state/waiting-queue.ts";
import { roomOf } from "../records/rooms.ts";

/*
 * Lets people watch a live stream without a seat. The rules are those of the door
 * (meetings/doors/join.ts), checked again with each part of the stream: it stops for people who are
 * excluded, are no longer hosts, would have to wait for a moderator, or whose password or link is
 * out of date; in a locked meeting, for everybody except hosts and people inside.
 */

/** The path of the parts of a stream. */
export const watchPath = (streamId: string): string => `/api/liveStream/media/${streamId}`;

/** The claims that a viewer made at the door; sealed in a cookie, so that nobody can forge them. */
interface Pass extends Pick<Visitor, "person" | "lobby"> {
  /** The digest of their invitation; omitted without one. */
  readonly invitation?: string;
  /** The code of a guest's link; omitted for everybody else. */
  readonly code?: string;
  /** Null without one. */
  readonly account: AccountNamed | null;
  /** The digest of the given room password; null if none was needed. */
  readonly password: string | null;
  /** In milliseconds. */
  readonly until: number;
}

const contextOf = (streamId: string): string => `watches ${streamId}`;

/**
 * The account behind a token.
 *
 * @throws Refusal `unauthorized` if it has ended
 */
const accountOf = async (db: Queries, auth: Authenticated | undefined): Promise<AccountNamed> => {
  const user =
    auth &&
    (await db
      .selectFrom("tokens")
      .innerJoin("users", "users.id", "tokens.user_id")
      .select(["users.id as userId", "users.credentials", "users.created_at as createdAt"])
      .where("tokens.digest", "=", auth.digest)
      .executeTakeFirst());
  return user ?? refuse("unauthorized");
};

export interface Watching {
  readonly streamId: string;
  readonly roomName: string;
  /** The value of the cookie. */
  readonly pass: string;
  /** The cookie of a guest who has none yet. */
  readonly guest: string | undefined;
}

/**
 * Lets a viewer watch a room's live stream.
 *
 * @throws Refusal as the operation lists them
 */
export const watchStream = async (
  { database, seal }: { readonly database: Database; readonly seal: Seal },
  input: Checked<typeof contract>,
  { auth, guest: cookie, address }: Asking,
): Promise<Watching> => {
  const { read } = database;
  const guest = guestCookie(cookie);
  const credentials = { auth, guest: guestOf(guest) };
  const arrival = await arrive(read, input, credentials);
  const { row, room, meeting, visitor, seat } = arrival;
  const stream = meeting && (await runsOf(read, meeting.id)).find((run) => isWatched([run]));
  if (!meeting || !stream) return refuse("no_live_stream");
  const gave = await checkPassword(database, row, input.password, address, { auth, guest });
  checkDoor(room, arrival, visitor, gave);
  const isAdmitted = seat !== undefined && mayStay(seat);
  const waits =
    waitsOutside(room, visitor) || (awaitsHosts(visitor) && (await lacksHost(read, row, meeting)));
  if (waits && !isAdmitted) refuse("must_be_admitted");
  const pass: Pass = {
    person: visitor.person,
    lobby: visitor.lobby ?? null,
    ...(input.sessionToken !== undefined && { invitation: digestOf(input.sessionToken) }),
    ...(visitor.kind === "guest" && { code: input.roomId }),
    account: visitor.userId === null ? null : await accountOf(read, auth),
    password: gave,
    until: Date.now() + WATCH_SECONDS * 1000,
  };
  return {
    streamId: stream.id,
    roomName: room.name,
    pass: seal.seal(JSON.stringify(pass), contextOf(stream.id)),
    guest: visitor.kind === "guest" ? guest : undefined,
  };
};

/**
 * A viewer's current rights at the door: a host may have lost that right.
 *
 * @throws Refusal `link_ended`; `unauthorized` for an account or access key that no longer opens
 * anything
 */
const kindNow = async (
  db: Queries,
  room: Room,
  { person, invitation, account }: Pass,
): Promise<Visitor["kind"]> => {
  if (invitation !== undefined) {
    return (await isRevoked(db, invitation)) ? refuse("link_ended") : "invited";
  }
  if (person.startsWith(GUEST)) return "guest";
  if (person.startsWith(USER)) {
    const user = account && (await findAccountNamed(db, account));
    if (!user || user.account_suspended || user.account_deleted) return refuse("unauthorized");
    return kindOfUser(room, user);
  }
  const key = await readKey(db, holderOf(person));
  return key === undefined || hasEnded(key) ? refuse("unauthorized") : "host";
};

/** Checks that a pass still opens the parts of a stream. @throws Refusal */
const checkPass = async (read: Queries, streamId: string, pass: Pass): Promise<void> => {
  const row = await read
    .selectFrom("runs")
    .innerJoin("rooms", "rooms.id", "runs.room_id")
    .selectAll("rooms")
    .where("runs.id", "=", streamId)
    .where("runs.kind", "=", "hls")
    .where("runs.ended_at", "is", null)
    .where("rooms.deleted_at", "is", null)
    .executeTakeFirst();
  if (row === undefined) return refuse("not_found");
  const room = roomOf(row);
  const kind = await kindNow(read, room, pass);
  const meeting = await findOpenMeeting(read, row.id);
  const seat = meeting && (await findSeat(read, meeting.id, pass.person));
  const bans = await banned(read, row.id, pass.person);
  checkDoor(room, { meeting, seat, bans }, { kind }, pass.password);
  // A person inside may have come by rights that have ended.
  if (kind === "host" || (seat && mayStay(seat))) return;
  if (waitsOutside(room, { kind, lobby: pass.lobby ?? null })) refuse("must_be_admitted");
  if (kind === "guest" && (await lacksHost(read, row, meeting))) refuse("must_be_admitted");
  if (kind === "guest") await checkLink(read, row, pass.code ?? "");
};

/** Checks that a link still opens a room. @throws Refusal `link_ended` */
const checkLink = async (db: Queries, { id }: RoomRow, code: string): Promise<void> => {
  const way = await roomOfCode(findingIn(db), code);
  if (way === undefined || way.hasEnded || way.row.id !== id) refuse("link_ended");
};

/**
 * Checks that a viewer may still load a stream's parts, by one of these cookies.
 *
 * @returns who watches, for the rate limit
 * @throws Refusal `not_found` if there is no such stream or no permission to watch it;
 * `unauthorized`, `link_ended`, `banned`, `must_be_admitted`, `wrong_room_password`
 */
export const checkWatching = async (
  { database: { read }, seal }: { readonly database: Database; readonly seal: Seal },
  streamId: string,
  cookies: readonly string[],
): Promise<{ readonly viewer: string }> => {
  const passes = cookies.map((cookie) =>
    openUntil<Pass>(seal, cookie, contextOf(streamId), Date.now()),
  );
  let why = new Refusal("not_found");
  for (const pass of passes.filter((one) => one !== undefined)) {
    try {
      await checkPass(read, streamId, pass);
      return { viewer: pass.person };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      why = error;
    }
  }
  throw why;
};
