import { sql } from "kysely";
import type { RecorderState } from "../../../contract/meetings/socket.ts";
import type { RecordingError } from "../../../contract/recordings/record.ts";
import type { Room } from "../../../contract/rooms/record.ts";
import { recordingSubject } from "../../change/history.ts";
import { type Change, type Queries, service } from "../../change/organization.ts";
import type { MeetingRow } from "../../db/meeting-tables.ts";
import { now } from "../../db/now.ts";
import { prepared } from "../../db/prepared.ts";
import type { RecordingRow } from "../../db/recording-tables.ts";
import { fold } from "../../lib/fold.ts";
import { uuid7 } from "../../lib/id.ts";
import { SILENT_MS } from "../../lib/lease.ts";
import { refuse } from "../../lib/refusal.ts";
import { livingSeats } from "../seats/seat.ts";
import { countBefore } from "./queue.ts";
import { isAutomatic, planOf, problemOf, type RecordingPlan } from "./recording-plan.ts";

/** Publishes an event about a recording to webhooks; each recording is a subject of its own. */
export const publishRecording = (
  { publish }: Pick<Change, "publish">,
  type: "recordingStarted" | "recordingReady" | "recordingFailed",
  row: RecordingRow,
): void => {
  const { id, name, room_id, meeting_id, seconds, error } = row;
  publish({
    type,
    in: { id: room_id },
    subject: `recording:${id}`,
    data: {
      recordingId: id,
      recordingName: name,
      meetingId: meeting_id,
      type: row.type,
      ...(type === "recordingReady" && { seconds }),
      ...(type !== "recordingStarted" && { error }),
    },
  });
};

/*
 * A recording begins as a row that waits (`queued`); a process with a free recorder takes it
 * (recorder.ts). The organization's lock and an index ensure that a room has one at a time.
 */

/** The states of a recording that is being made, or waits for it. */
export const LIVING = ["queued", "starting", "active"] as const;

/** The parts of a change that a recording needs. */
export type RecordingChange = Pick<Change, "tx" | "announce" | "publish" | "happened">;

const livingProcesses = (db: Queries) =>
  db.selectFrom("processes").select("id").where("alive_at", ">", now(-SILENT_MS));

/** How many recordings the processes of this installation can make at once. */
export const countRecorders = async (db: Queries): Promise<number> => {
  const { recorders } = await livingProcesses(db)
    .clearSelect()
    .select(({ fn }) => fn.sum<number | string | null>("recorders").as("recorders"))
    .executeTakeFirstOrThrow();
  return Number(recorders ?? 0);
};

/** Returns whether a process of this installation can record. */
export const hasRecorder = async (db: Queries): Promise<boolean> =>
  (await livingProcesses(db).where("recorders", ">", 0).executeTakeFirst()) !== undefined;

/** Returns whether a process of this installation is set up to record: the operator has not turned it off. */
export const isRecordingOn = async (db: Queries): Promise<boolean> =>
  (await livingProcesses(db).where("records", "=", true).executeTakeFirst()) !== undefined;

/** The recording of a room that is being made, or waits for it. */
export const findLiving = (db: Queries, roomId: string): Promise<RecordingRow | undefined> =>
  db
    .selectFrom("recordings")
    .selectAll()
    .where("room_id", "=", roomId)
    .where("state", "in", LIVING)
    .executeTakeFirst();

/** Returns whether a meeting is being recorded now. */
export const isRecorded = async (
  db: Queries,
  { id, room_id }: Pick<MeetingRow, "id" | "room_id">,
): Promise<boolean> => {
  const row = await findLiving(db, room_id);
  return row?.meeting_id === id && row.state !== "queued";
};

/** The one who begins a recording: a person with an account, another with a name, or the room itself. */
export interface Starter {
  readonly userId: string | null;
  readonly name: string;
  readonly automatic: boolean;
}

const roomItself: Starter = { userId: null, name: "", automatic: true };

/** A recording that continues no other, and begins at once. */
const fresh = { continues: 0, pause: 0 };

/** Lets a recording wait for a recorder. */
export const insertQueued = async (
  { tx, announce }: RecordingChange,
  meeting: Pick<MeetingRow, "id" | "organization_id" | "room_id">,
  name: string,
  plan: RecordingPlan,
  { userId, name: by, automatic }: Starter,
  { continues, pause }: { readonly continues: number; readonly pause: number } = fresh,
): Promise<RecordingRow> => {
  const row = await tx
    .insertInto("recordings")
    .values({
      id: uuid7(),
      organization_id: meeting.organization_id,
      room_id: meeting.room_id,
      meeting_id: meeting.id,
      name,
      name_key: fold(name),
      ...plan,
      resolutions: JSON.stringify(plan.resolutions),
      state: "queued",
      automatic,
      continues,
      started_by: userId,
      started_by_name: by,
      requested_at: now(),
      started_at: null,
      ended_at: null,
      seconds: null,
      bytes: null,
      files: null,
      error: null,
      stop_asked: false,
      complete: false,
      process: null,
      lease_until: pause === 0 ? null : now(pause),
      store: "folder",
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  announce(meeting.id);
  return row;
};

/**
 * Begins a recording of a meeting to which somebody came.
 *
 * @throws Refusal `recording_off`, `nothing_to_record`, `not_in_this_room`, `no_meeting`,
 *   `recording_active`, `recorder_missing`
 */
export const beginRecording = async (
  change: RecordingChange,
  { room, meeting }: { readonly room: Room; readonly meeting: MeetingRow },
  asked: Parameters<typeof planOf>[1],
  by: Starter,
): Promise<RecordingRow> => {
  const plan = planOf(room, asked);
  if (meeting.started_at === null) refuse("no_meeting");
  if (await findLiving(change.tx, meeting.room_id)) refuse("recording_active");
  if (!(await hasRecorder(change.tx))) refuse("recorder_missing");
  return insertQueued(change, meeting, room.name, plan, by);
};

/**
 * Begins the recording of a room that records by itself, once in each meeting, as soon as a moderator is
 * inside. It waits for a free recorder, and does not begin if the operator has turned recording off.
 */
export const beginByItself = async (
  change: RecordingChange,
  room: Room,
  meeting: Pick<MeetingRow, "id" | "organization_id" | "room_id">,
): Promise<void> => {
  if (!isAutomatic(room)) return;
  const { tx } = change;
  const moderator = await livingSeats(tx, meeting.id)
    .select("id")
    .where("role", "=", "moderator")
    .where("state", "=", "inside")
    .executeTakeFirst();
  if (moderator === undefined || (await findLiving(tx, meeting.room_id))) return;
  const former = await tx
    .selectFrom("recordings")
    .select("id")
    .where("room_id", "=", meeting.room_id)
    .where("meeting_id", "=", meeting.id)
    .where("automatic", "=", true)
    .executeTakeFirst();
  if (former !== undefined || !(await isRecordingOn(tx))) return;
  const begun = await insertQueued(change, meeting, room.name, planOf(room), roomItself);
  tellBegun(change, begun, room);
};

/** Adds to the history that the service itself has begun a recording. */
export const tellBegun = (
  { happened }: RecordingChange,
  begun: RecordingRow,
  { room }: Pick<Room, "room">,
): void =>
  happened({
    kind: "recordingStarted",
    subject: recordingSubject({ ...begun, room }),
    by: service,
  });

/** The end of a recording that still waits; if it was tried before, it keeps its error. */
const notBegun = {
  state: "failed" as const,
  error: sql<string>`coalesce(error, 'not_begun')`,
  lease_until: null,
};

/** Asks for the end of a recording: the process that makes it then ends it. */
export const endRecording = async (
  change: RecordingChange,
  { id, meeting_id, state }: RecordingRow,
): Promise<RecordingRow> => {
  const isQueued = state === "queued";
  const ended = await change.tx
    .updateTable("recordings")
    .set({ stop_asked: true, ...(isQueued && { ...notBegun, ended_at: now() }) })
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirstOrThrow();
  if (isQueued) publishRecording(change, "recordingFailed", ended);
  change.announce(meeting_id);
  return ended;
};

/** Ends the recording of a meeting that has ended, so that the room's next meeting can be recorded. */
export const endWithMeeting = async (change: RecordingChange, meetingId: string): Promise<void> => {
  const living = change.tx
    .updateTable("recordings")
    .where("meeting_id", "=", meetingId)
    .set({ stop_asked: true });
  const [queued] = await Promise.all([
    living
      .set({ ...notBegun, ended_at: now() })
      .where("state", "=", "queued")
      .returningAll()
      .execute(),
    living.set({ state: "ending" }).where("state", "in", ["starting", "active"]).execute(),
  ]);
  for (const row of queued) publishRecording(change, "recordingFailed", row);
};

/** The recordings of a meeting that `endWithMeeting` ends. */
export const askLivingRecordings = prepared<
  null,
  { readonly meetingId: string },
  Pick<RecordingRow, "id">
>((db, _, { meetingId }) =>
  db
    .selectFrom("recordings")
    .select("id")
    .where("meeting_id", "=", meetingId)
    .where("state", "in", LIVING),
);

type LastRecording = Pick<RecordingRow, "state" | "error" | "id">;

/** The ID of the room of a meeting, within a query. */
export const roomOfMeeting = (db: Queries, meetingId: string) =>
  db.selectFrom("meetings").select("meetings.room_id").where("meetings.id", "=", meetingId);

/** The last recording of a meeting. */
export const askLastRecording = prepared<null, { readonly meetingId: string }, LastRecording>(
  (db, _, { meetingId }) =>
    db
      .selectFrom("recordings")
      .select(["state", "error", "id"])
      .where("room_id", "=", roomOfMeeting(db, meetingId))
      .where("meeting_id", "=", meetingId)
      .orderBy("requested_at", "desc")
      .orderBy("id", "desc")
      .limit(1),
);

/** The state of a meeting's recording, as its moderators see it. */
export const recorderStateOf = async (
  db: Queries,
  last: LastRecording | undefined,
  room: Room,
): Promise<RecorderState> => {
  const state = LIVING.find((living) => living === last?.state) ?? "idle";
  const problem = problemOf(room);
  const needsOne = problem === null && (state === "idle" || state === "queued");
  const isMissing = needsOne && !(await hasRecorder(db));
  return {
    problem: isMissing ? "recorder_missing" : problem,
    state,
    before: state === "queued" && last ? await countBefore(db, last.id) : 0,
    error: (last?.error ?? null) as RecordingError | null,
  };
};
