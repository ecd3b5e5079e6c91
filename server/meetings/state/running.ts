import { peerTypes } from "../../../contract/meetings/meetings.ts";
import type { Queries } from "../../change/organization.ts";
import { type MeetingRow, type SeatRow, seatColumns } from "../../db/meeting-tables.ts";
import { now } from "../../db/now.ts";
import { GUEST } from "../../db/person-keys.ts";
import { prepared, together } from "../../db/prepared.ts";
import type { RoomRow } from "../../db/tables.ts";
import { roomColumnsOf, roomOf } from "../../records/rooms.ts";
import { seriesEnd } from "../../records/schedules.ts";
import { countMeeting } from "../../usage/count.ts";
import { eraseRoom } from "../captures/erasures.ts";
import { askLivingRecordings, beginByItself, endWithMeeting } from "../captures/recording-rules.ts";
import { askWaitingRuns, endRuns } from "../captures/runs.ts";
import { endedBy, leaveMessages } from "../seats/messages.ts";
import {
  askOccupancy,
  emptyRoom,
  type Occupancy,
  occupancyFrom,
  occupancyOf,
  type SeatLimits,
  statusOf,
} from "../seats/places.ts";
import { livingSeats } from "../seats/seat.ts";
import { endSeats } from "./end-seats.ts";
import { endsLink, type TimeInside, wereTogether } from "./link-end.ts";
import { endLink } from "./links.ts";
import { endInvitations } from "./meeting-invitations.ts";
import {
  heldIn,
  heldRoom,
  type MeetingChange,
  type MeetingInRoom,
  type OpenMeeting,
} from "./open-meeting.ts";
import { admitQueued } from "./waiting-queue.ts";

/** Saves a room's status and its time in use, if they have changed; `updatedAt` stays as it is. */
const saveUse = async (
  { tx, publish }: MeetingChange,
  row: RoomRow,
  roomStatus: string,
  seconds = 0,
): Promise<void> => {
  const room = roomOf(row);
  if (room.roomStatus === roomStatus && seconds === 0) return;
  const isFull = roomStatus === "occupied";
  if (room.roomStatus !== roomStatus && (isFull || roomStatus === "free")) {
    publish({ type: isFull ? "roomOccupied" : "roomFree", in: row, data: {} });
  }
  const totalCallTime = room.totalCallTime + seconds;
  const columns = roomColumnsOf({ ...room, roomStatus, totalCallTime });
  await updateRoom(tx, null, { ...columns, id: row.id });
};

const updateRoom = prepared<null, ReturnType<typeof roomColumnsOf> & Pick<RoomRow, "id">, never>(
  (tx, _, { id, ...columns }) => tx.updateTable("rooms").set(columns).where("id", "=", id),
);

/**
 * Brings a meeting and its room up to its seats, after any of them has changed: the room's status,
 * the people who come in by themselves (waiting-queue.ts), and the end of a meeting that has no seat any more,
 * or after its beginning only those of people who wait.
 *
 * @param isClosed whether it ends although the media engine has yet to let people go
 */
export const settleMeeting = async (
  change: MeetingChange,
  meetingId: string,
  isClosed = false,
): Promise<void> => {
  const { tx } = change;
  const [[meeting], [row], seats] = await together(
    tx,
    ...heldIn(tx, meetingId),
    askOccupancy.statement(tx, null, { meetingId }),
  );
  if (meeting && row) await settleHeld(change, { meeting, row }, occupancyFrom(seats), isClosed);
};

/**
 * Settles a meeting, as `settleMeeting` does, that this change has read.
 *
 * @param before its seats as the change has left them
 */
export const settleHeld = async (
  change: MeetingChange,
  { meeting, row }: MeetingInRoom,
  before: Occupancy,
  isClosed = false,
): Promise<void> => {
  const { tx } = change;
  const meetingId = meeting.id;
  const cameIn =
    before.isAwaited &&
    !isClosed &&
    (await admitQueued(change, { row, room: heldRoom(row, meeting), meeting }));
  const occupancy = cameIn ? await occupancyOf(tx, meetingId) : before;
  const isOver = meeting.started_at === null ? occupancy.isOver : occupancy.isEmpty;
  if (isOver || isClosed) await endMeeting(change, meeting, row);
  else {
    const room = heldRoom(row, meeting);
    await saveUse(change, row, statusOf(room, occupancy));
    await beginByItself(change, room, meeting);
  }
  change.announce(meetingId);
};

/** The status of a room with these settings and this open meeting. */
export const statusNow = async (
  tx: Queries,
  meeting: Pick<MeetingRow, "id"> | undefined,
  room: SeatLimits,
): Promise<string> => statusOf(room, meeting ? await occupancyOf(tx, meeting.id) : emptyRoom);

/** The seconds with at least one person inside. */
export const secondsOf = (stays: readonly Pick<TimeInside, "joined_at" | "left_at">[]): number => {
  let milliseconds = 0;
  let until = 0;
  for (const { joined_at, left_at } of stays.toSorted((one, other) =>
    one.joined_at < other.joined_at ? -1 : 1,
  )) {
    const end = Date.parse(left_at);
    milliseconds += Math.max(0, end - Math.max(until, Date.parse(joined_at)));
    until = Math.max(until, end);
  }
  return Math.round(milliseconds / 1000);
};

/** The query of one meeting. */
interface OfMeeting {
  readonly id: string;
}

/** Ends the captures of a meeting without people; with the media engine, once it has let them go. */
const endCaptures = prepared<MeetingRow["media"], OfMeeting, never>((tx, media, { id }) => {
  const end =
    media === "livekit"
      ? { state: "leaving" as const, lease_until: now() }
      : { state: "left" as const, lease_until: null, left_at: now() };
  return tx
    .updateTable("seats")
    .set({ ...end, reason: "closed", process: null })
    .where("meeting_id", "=", id)
    .where("role", "not in", peerTypes)
    .where("left_at", "is", null)
    .where("state", "<>", "leaving");
});

const askWaiting = prepared<null, OfMeeting, SeatRow>((db, _, { id }) =>
  livingSeats(db, id).select(seatColumns).where("state", "=", "waiting"),
);

/** Sends everybody away who still waits before the door of a meeting that ends. */
const sendWaitingAway = async (
  change: MeetingChange,
  { id }: OpenMeeting,
  waiting: readonly SeatRow[],
): Promise<void> => {
  if (waiting.length === 0) return;
  await endSeats(change, id, waiting, "closed");
  const words = endedBy("closed", "everybody_left");
  const messages = waiting.map((seat) => ({ meetingId: id, seatId: seat.id, message: words }));
  await leaveMessages(change.tx, messages);
};

/** Erases which browsers people used. */
const forgetBrowsers = prepared<null, OfMeeting, never>((tx, _, { id }) =>
  tx
    .updateTable("seats")
    .set({ device: null })
    .where("meeting_id", "=", id)
    .where("device", "is not", null),
);

/** Erases the names of guests who never came in, unless they are excluded. */
const forgetNames = prepared<null, Pick<MeetingRow, "id" | "room_id">, never>(
  (tx, _, { id, room_id }) => {
    const excluded = tx
      .selectFrom("bans")
      .select("seat_id")
      .where("room_id", "=", room_id)
      .where("seat_id", "is not", null);
    return tx
      .updateTable("seats")
      .set({ peer_name: "" })
      .where("meeting_id", "=", id)
      .where("person", "like", `${GUEST}%`)
      .where("joined_at", "is", null)
      .where("id", "not in", excluded);
  },
);

/** The people who were inside and when, and the current time. */
const askStays = prepared<null, OfMeeting, TimeInside & { readonly current: string }>(
  (db, _, { id }) =>
    db
      .selectFrom("seats")
      .select(({ fn, ref }) => [
        "person",
        "device",
        "joined_at",
        // A person whom the media engine has yet to let go was last there when the seat ended.
        fn.coalesce(ref("left_at"), ref("last_seen"), now()).as("left_at"),
        now().as("current"),
      ])
      .where("meeting_id", "=", id)
      .where("role", "in", peerTypes)
      .where("joined_at", "is not", null)
      .$narrowType<TimeInside & { readonly current: string }>(),
);

/** @param hasBegun whether somebody was inside: then it ended with the last of them */
const close = prepared<
  { readonly hasBegun: boolean },
  OfMeeting & { readonly last: string; readonly seconds: number },
  never
>((tx, { hasBegun }, { id, last, seconds }) =>
  tx
    .updateTable("meetings")
    .set({ ended_at: hasBegun ? last : now(), seconds, locked: false, presenter: null })
    .where("id", "=", id),
);

const deleteBans = prepared<null, OfMeeting, never>((tx, _, { id }) =>
  tx.deleteFrom("bans").where("meeting_id", "=", id),
);

const deleteCaptions = prepared<null, OfMeeting, never>((tx, _, { id }) =>
  tx.deleteFrom("captions").where("meeting_id", "=", id).where("kept", "=", false),
);

const deleteChat = prepared<null, OfMeeting, never>((tx, _, { id }) =>
  tx.deleteFrom("chat").where("meeting_id", "=", id),
);

/** Returns whether a deleted room is removed for good when its meeting ends: it is, unless it rests in the bin. */
const goesForGood = async (tx: Queries, { id, deleted_at }: RoomRow): Promise<boolean> => {
  if (deleted_at === null) return false;
  const rests = tx.selectFrom("bin").select("id").where("room_id", "=", id);
  return (await rests.executeTakeFirst()) === undefined;
};

/**
 * Ends a meeting in which nobody is inside any more, at the last moment at which somebody was inside. A room
 * that awaits deletion is removed with it.
 */
const endMeeting = async (
  change: MeetingChange,
  meeting: OpenMeeting,
  row: RoomRow,
): Promise<void> => {
  const { tx, publish } = change;
  const { id, room_id } = meeting;
  const [stays, waiting, runs, recordings] = await together(
    tx,
    askStays.statement(tx, null, { id }),
    askWaiting.statement(tx, null, { id }),
    askWaitingRuns.statement(tx, null, { meetingId: id }),
    askLivingRecordings.statement(tx, null, { meetingId: id }),
  );
  const seconds = secondsOf(stays);
  if (meeting.started_at !== null) {
    publish({ type: "meetingEnded", in: row, data: { meetingId: meeting.id, seconds } });
  }
  const last = stays.reduce((latest, { left_at }) => (left_at > latest ? left_at : latest), "");
  if (meeting.started_at !== null && last !== "") {
    const held = { started_at: meeting.started_at, ended_at: last, seconds };
    const room_type = heldRoom(row, meeting).roomType;
    await countMeeting(tx, { ...meeting, ...held, room_type });
  }
  if (await goesForGood(tx, row)) {
    await eraseRoom(change, row);
    await tx.deleteFrom("rooms").where("id", "=", row.id).execute();
    return;
  }
  const current = stays[0]?.current ?? "";
  await sendWaitingAway(change, meeting, waiting);
  await endRuns(change, runs);
  const room = roomOf(row);
  const until = stays.length === 0 ? null : await seriesEnd(tx, row.id);
  // Each has sent all of its statements when it returns, so that none goes on after another has failed. They wait
  // for the database once.
  await Promise.all([
    recordings.length > 0 && endWithMeeting(change, id),
    close(tx, { hasBegun: last !== "" }, { id, last, seconds }),
    endCaptures(tx, meeting.media, { id }),
    deleteBans(tx, null, { id }),
    deleteCaptions(tx, null, { id }),
    !room.isStatic && deleteChat(tx, null, { id }),
    endsLink(room, stays, current, until) && endLink(tx, row.id),
    saveUse(change, row, "free", seconds),
    forgetBrowsers(tx, null, { id }),
    forgetNames(tx, null, { id, room_id }),
  ]);
  if (wereTogether(stays)) await endInvitations(tx, meeting, room.scheduledDateTime, current);
};
