import type { z } from "zod";
import type { Checked } from "../../contract/kit/operation.ts";
import type {
  RecordingCommands,
  stopRecording as stopContract,
} from "../../contract/meetings/recording.ts";
import type { RecordingRecord } from "../../contract/recordings/record.ts";
import { recordingSubject } from "../change/history.ts";
import type { Change } from "../change/organization.ts";
import type { RecordingRow } from "../db/recording-tables.ts";
import type { RoomRow } from "../db/tables.ts";
import { refuse } from "../lib/refusal.ts";
import {
  beginRecording,
  endRecording,
  findLiving,
  LIVING,
} from "../meetings/captures/recording-rules.ts";
import { presentRecording } from "../meetings/captures/recordings.ts";
import type { Inside } from "../meetings/state/inside.ts";
import { mayManage, ownRoom } from "../meetings/state/links.ts";

/*
 * Begins and ends recordings: for moderators inside, over the meeting socket; for administrators, access
 * keys and the room's owners, over HTTP.
 */

/**
 * Records a running meeting.
 *
 * @throws Refusal as the operation lists them
 */
export const startRecording = async (
  { change, room, meeting, actor, by: name }: Inside,
  asked: z.output<RecordingCommands["startRecording"]>,
): Promise<RecordingRecord> => {
  const starter = actor ?? { userId: change.caller.userId, name };
  const begun = await beginRecording(change, { room, meeting }, asked, {
    ...starter,
    automatic: false,
  });
  const subject = recordingSubject({ ...begun, room: room.room });
  change.happened({ kind: "recordingStarted", subject, ...(actor && { by: actor }) });
  return presentRecording(begun, room);
};

const stop = (
  change: Change,
  living: RecordingRow,
  { room }: Pick<RoomRow, "room">,
  actor?: Inside["actor"],
): Promise<RecordingRow> => {
  const subject = recordingSubject({ ...living, room });
  change.happened({ kind: "recordingStopped", subject, ...(actor && { by: actor }) });
  return endRecording(change, living);
};

const livingIn = async (change: Change, roomId: string): Promise<RecordingRow> =>
  (await findLiving(change.tx, roomId)) ?? refuse("no_recording");

/** Ends the recording of a running meeting, and keeps it. @throws Refusal `no_recording` */
export const stopRecording = async ({ change, room, meeting, actor }: Inside): Promise<void> => {
  await stop(change, await livingIn(change, meeting.room_id), room, actor);
};

/**
 * Ends a recording from outside, by its room or by itself, and keeps it. Its meeting may be over.
 *
 * @throws Refusal as the operation lists them
 */
export const stopRecordingOf = async (
  change: Change,
  { roomId, recordingId }: Checked<typeof stopContract>,
): Promise<RecordingRecord> => {
  const { tx, organization, caller } = change;
  if (typeof roomId === "string") {
    const room = await ownRoom(tx, organization.id, caller, roomId);
    return presentRecording(await stop(change, await livingIn(change, room.id), room), room);
  }
  const { recording, room } = await ownRecording(change, recordingId ?? "");
  const isLiving = LIVING.some((state) => state === recording.state);
  return presentRecording(isLiving ? await stop(change, recording, room) : recording, room);
};

/**
 * A recording that the caller may see, with its room.
 *
 * @throws Refusal `recording_not_found`, also for a recording of somebody else's room
 */
const ownRecording = async (
  { tx, organization, caller }: Pick<Change, "tx" | "organization" | "caller">,
  recordingId: string,
): Promise<{ readonly recording: RecordingRow; readonly room: RoomRow }> => {
  const recording = await tx
    .selectFrom("recordings")
    .selectAll()
    .where("id", "=", recordingId)
    .where("organization_id", "=", organization.id)
    .executeTakeFirst();
  const room =
    recording &&
    (await tx
      .selectFrom("rooms")
      .selectAll()
      .where("id", "=", recording.room_id)
      .where("deleted_at", "is", null)
      .executeTakeFirst());
  if (!recording || !room || !mayManage(caller, room)) return refuse("recording_not_found");
  return { recording, room };
};
