import { sql } from "kysely";
import { toCsv } from "../../../contract/kit/csv.ts";
import type { Checked, Reply } from "../../../contract/kit/operation.ts";
import { peerTypes } from "../../../contract/meetings/meetings.ts";
import type {
  getAttendance,
  getMeeting,
  listMeetings as listContract,
} from "../../../contract/meetings/reports.ts";
import type { Organization, Queries } from "../../change/organization.ts";
import { contains, isPostgres } from "../../db/dialect.ts";
import type { MeetingRow } from "../../db/meeting-tables.ts";
import { utcOf } from "../../db/now.ts";
import { termOf } from "../../lib/fold.ts";
import { refuse } from "../../lib/refusal.ts";
import { isOwner } from "../../records/room-queries.ts";
import { wholeStays } from "../../usage/whole-stays.ts";
import { recordingsOf } from "../captures/recordings.ts";
import { isTranscribed, liveStreamOf, runsOf } from "../captures/runs.ts";
import { onNow } from "../seats/allowed.ts";
import { emptyRoom, occupancyOf, seatsOf } from "../seats/places.ts";
import {
  endColumns,
  leftAtOf,
  livingSeats,
  metadataIn,
  type PersonSeat,
  secondIn,
} from "../seats/seat.ts";
import { isAsking } from "../seats/waiting-room.ts";
import { PRESENT } from "../state/inside.ts";
import { ownRoom } from "../state/links.ts";
import type { Media } from "../state/media.ts";
import { findOpenMeeting, heldRoom } from "../state/open-meeting.ts";
import { secondsOf } from "../state/running.ts";
import { qualityOf } from "../state/view.ts";
import { averageOf } from "./ratings.ts";

/**
 * The people inside a room now, for its owners and administrators.
 *
 * @throws Refusal `room_not_found`
 */
export const meetingNow = async (
  { read, id, caller }: Organization,
  roomId: string,
  media: Pick<Media, "connected">,
): Promise<Reply<typeof getMeeting>["meeting"]> => {
  const row = await ownRoom(read, id, caller, roomId);
  const meeting = await findOpenMeeting(read, row.id);
  const room = heldRoom(row, meeting);
  const { taken } = meeting ? await occupancyOf(read, meeting.id) : emptyRoom;
  const seats = meeting
    ? await livingSeats(read, meeting.id)
        .selectAll()
        .where("role", "in", peerTypes)
        .$narrowType<PersonSeat>()
        .where("state", "in", ["waiting", ...PRESENT])
        .orderBy("claimed_at")
        .orderBy("id")
        .execute()
    : [];
  const runs = meeting ? await runsOf(read, meeting.id) : [];
  const signals = seats.some((seat) => seat.media_process !== null);
  const connected = meeting && signals ? await media.connected(meeting.id) : new Set();
  const allowed = seatsOf(room);
  const seat = (role: keyof typeof allowed) => ({ taken: taken[role], allowed: allowed[role] });
  return {
    meetingId: meeting?.id ?? null,
    startedAt: meeting?.started_at ?? null,
    roomStatus: room.roomStatus,
    locked: meeting?.locked === true,
    mutesEntry: meeting?.mutes_entry === true,
    liveStream: liveStreamOf(runs),
    transcribing: isTranscribed(runs),
    recordings: meeting ? await recordingsOf(read, meeting, room) : [],
    seats: {
      moderator: seat("moderator"),
      participant: seat("participant"),
      viewer: seat("viewer"),
    },
    peers: seats.flatMap(({ state, ...one }) =>
      state === "claimed" || state === "inside" || state === "away"
        ? {
            peerId: one.id,
            peerName: one.peer_name,
            peerType: one.role,
            state,
            // After the end of its signaling, the engine keeps a person for a while.
            mediaConnected:
              meeting?.media === "livekit"
                ? one.media_process !== null && connected.has(one.id)
                : null,
            userId: one.user_id,
            since: one.joined_at ?? one.claimed_at,
            ...onNow(room, meeting ?? { presenter: null }, one),
            hand: one.hand_at !== null,
            quality: qualityOf({ ...one, state }),
            ...metadataIn(one),
            ...secondIn(one),
          }
        : [],
    ),
    waiting: seats
      .filter((seat) => seat.state === "waiting" && isAsking(seat))
      .map((one) => ({
        peerId: one.id,
        peerName: one.peer_name,
        since: one.claimed_at,
        ...metadataIn(one),
      })),
  };
};

/** The meetings that a caller may know of: those to which people came, in rooms that exist. */
export const knownMeetings = (db: Queries, { id, caller }: Pick<Organization, "id" | "caller">) =>
  db
    .selectFrom("meetings as m")
    .innerJoin("rooms as r", "r.id", "m.room_id")
    .where("m.organization_id", "=", id)
    .where("m.started_at", "is not", null)
    .where("r.deleted_at", "is", null)
    .$if(!caller.admin, (query) => query.where(isOwner(caller.userId)));

/** The seconds with somebody inside; until now if the meeting is running. */
const secondsUntilNow = async (
  db: Queries,
  { id, seconds }: Pick<MeetingRow, "id" | "seconds">,
): Promise<number> => {
  if (seconds !== null) return seconds;
  const currentTime = new Date().toISOString();
  const stays = await db
    .selectFrom("seats")
    .select(["joined_at", ...endColumns])
    .where("meeting_id", "=", id)
    .where("role", "in", peerTypes)
    .where("joined_at", "is not", null)
    .execute();
  return secondsOf(
    stays.map((seat) => ({
      joined_at: seat.joined_at ?? currentTime,
      left_at: leftAtOf(seat) ?? currentTime,
    })),
  );
};

const count = sql<number | string>`count(*)`.as("count");

/**
 * How many meetings an organization's administrators may know of. Nearly all were in rooms that exist, so those in
 * deleted rooms are counted and taken off: no room is looked up for each meeting.
 */
const countAll = async (db: Queries, organizationId: string): Promise<number> => {
  const held = db
    .selectFrom("meetings as m")
    .where("m.organization_id", "=", organizationId)
    .where("m.started_at", "is not", null);
  // Joined in this order: SQLite would otherwise look for the room of each meeting.
  const hidden = db
    .selectFrom("rooms as r")
    .where("r.organization_id", "=", organizationId)
    .where("r.deleted_at", "is not", null)
    .crossJoin("meetings as m")
    .whereRef("m.room_id", "=", "r.id")
    .where("m.started_at", "is not", null);
  const counted = await db
    .selectNoFrom([held.select(count).as("held"), hidden.select(count).as("hidden")])
    .executeTakeFirstOrThrow();
  return Number(counted.held) - Number(counted.hidden);
};

/** The rooms whose names contain a term: found by one walk over their names, not looked up for each meeting. */
const roomsNamed = (db: Queries, organizationId: string, search: string) =>
  db
    .selectFrom("rooms as named")
    .select("named.id")
    .where("named.organization_id", "=", organizationId)
    .where("named.deleted_at", "is", null)
    // Every key is; without this SQLite takes an index that has no names.
    .$if(!isPostgres(db), (query) => query.where("named.name_key", ">=", ""))
    .where(contains(db, "named.name_key", termOf(search)));

/** One page of the meetings that were held, newest first. */
export const listMeetings = async (
  organization: Organization,
  { page, limit, roomId, from, to, search }: Checked<typeof listContract>,
): Promise<{
  readonly meetings: Reply<typeof listContract>["meetings"];
  readonly total: number;
}> => {
  const read = search === "" ? organization.read : organization.scan;
  const asked = knownMeetings(read, organization)
    .$if(search !== "", (query) =>
      query.where("m.room_id", "in", roomsNamed(read, organization.id, search)),
    )
    .$if(roomId !== undefined, (query) => query.where("r.room", "=", roomId ?? ""))
    .$if(from !== undefined, (query) => query.where("m.started_at", ">=", utcOf(from)))
    .$if(to !== undefined, (query) => query.where("m.started_at", "<", utcOf(to)));
  const isWhole = roomId === undefined && from === undefined && to === undefined && search === "";
  const total =
    isWhole && organization.caller.admin
      ? await countAll(read, organization.id)
      : Number((await asked.select(count).executeTakeFirstOrThrow()).count);
  const rows = await asked
    .select(["m.id", "m.started_at", "m.ended_at", "m.seconds", "r.room", "r.name"])
    .select(({ selectFrom }) =>
      selectFrom("seats as s")
        .select(({ fn }) => fn.count<number | string>("s.person").distinct().as("people"))
        .whereRef("s.meeting_id", "=", "m.id")
        .where("s.role", "in", peerTypes)
        .where("s.joined_at", "is not", null)
        .as("people"),
    )
    .select(({ selectFrom }) => [
      selectFrom("seats as s")
        .select(({ fn }) => fn.sum<number | string>("s.rating").as("sum"))
        .whereRef("s.meeting_id", "=", "m.id")
        .as("rated"),
      selectFrom("seats as s")
        .select(({ fn }) => fn.count<number | string>("s.rating").as("count"))
        .whereRef("s.meeting_id", "=", "m.id")
        .as("ratings"),
    ])
    .orderBy("m.started_at", "desc")
    .orderBy("m.id", "desc")
    .limit(limit)
    .offset(Math.min((page - 1) * limit, Number.MAX_SAFE_INTEGER))
    .execute();
  const meetings = await Promise.all(
    rows.map(async (row) => ({
      meetingId: row.id,
      roomId: row.room,
      roomName: row.name,
      startedAt: row.started_at ?? "",
      endedAt: row.ended_at,
      seconds: await secondsUntilNow(read, row),
      people: Number(row.people ?? 0),
      rating: averageOf(Number(row.rated ?? 0), Number(row.ratings ?? 0)),
      ratings: Number(row.ratings ?? 0),
    })),
  );
  return { meetings, total };
};

/**
 * Lists who was in a meeting.
 *
 * @throws Refusal `meeting_not_found`, also for a meeting in somebody else's room
 */
export const attendanceOf = async (
  organization: Organization,
  meetingId: string,
): Promise<Reply<typeof getAttendance>["attendance"]> => {
  const { read } = organization;
  const meeting = await knownMeetings(read, organization)
    .select("m.id")
    .where("m.id", "=", meetingId)
    .executeTakeFirst();
  if (!meeting) return refuse("meeting_not_found");
  const seats = await read
    .selectFrom("seats")
    .selectAll()
    .where("meeting_id", "=", meetingId)
    .where("role", "in", peerTypes)
    .$narrowType<PersonSeat>()
    .where("joined_at", "is not", null)
    .orderBy("joined_at")
    .orderBy("id")
    .execute();
  const currentTime = new Date().toISOString();
  const stays = seats.map((seat) => ({
    ...seat,
    joined_at: seat.joined_at ?? seat.claimed_at,
    left_at: leftAtOf(seat) ?? NEVER,
  }));
  return wholeStays(stays, ({ left_at, reason }) => ({ left_at, reason })).map((seat) => {
    const { joined_at: joinedAt, left_at } = seat;
    const leftAt = left_at === NEVER ? null : left_at;
    return {
      peerId: seat.id,
      peerName: seat.peer_name,
      peerType: seat.role,
      userId: seat.user_id,
      joinedAt,
      leftAt,
      seconds: secondsOf([{ joined_at: joinedAt, left_at: leftAt ?? currentTime }]),
      reason: leftAt === null ? null : seat.reason,
      ...metadataIn(seat),
    };
  });
};

/** Later than every moment: the end of a stay that goes on. */
const NEVER = "9999";

const COLUMNS = [
  "peerId",
  "peerName",
  "peerType",
  "userId",
  "joinedAt",
  "leftAt",
  "seconds",
  "reason",
] as const;

/**
 * Lists who was in a meeting, as the text of a table.
 *
 * @throws Refusal `meeting_not_found`, also for a meeting in somebody else's room
 */
export async function* attendanceTable(
  organization: Organization,
  meetingId: string,
): AsyncGenerator<string> {
  yield `${toCsv(COLUMNS, await attendanceOf(organization, meetingId))}\r\n`;
}
