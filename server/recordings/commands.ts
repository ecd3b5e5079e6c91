import type { z } from "zod";
import type { Checked, Reply } from "../../contract/kit/operation.ts";
import type {
  RecordingCommands,
  startRecording as startContract,
  stopRecording as stopContract,
} from "../../contract/meetings/recording.ts";
import { recordingSubject } from "../change/history.ts";
import type { Change } from "../change/organization.ts";
import type { RecordingRow } from "../db/recording-tables.ts";
import type { RoomRow } from "../db/tables.ts";
import { refuse } from "../lib/refusal.ts";
import { nameOf } from "../meetings/socket/moderate.ts";
import type { Inside } from "../meetings/state/inside.ts";
import { mayManage, ownRoom } from "../meetings/state/links.ts";
import { presentRecording } from "../meetings/state/present-recording.ts";
import {
  beginRecording,
  endRecording,
  findLiving,
  LIVING,
  type Starter,
} from "../meetings/state/recording-rules.ts";
import { findOpenMeeting, heldRoom } from "../meetings/state/running.ts";

/*
 * Begins and ends recordings: for moderators inside, over the meeting socket; for administrators, access
 * keys and the room's owners, over HTTP.
 */

/** What moderators send over the meeting socket. */
export const recordingRules: {
  readonly [K in keyof RecordingCommands]: (
    inside: Inside,
    input: z.output<RecordingCommands[K]>,
    by: Starter,
  ) => Promise<void>;
} = {
  startRecording: async ({ change, room, meeting }, input, by) => {
    const begun = await beginRecording(change, { room, meeting }, input, by);
    const subject = recordingSubject({ ...begun, room: room.room });
    change.happened({ kind: "recordingStarted", subject, by });
  },
  stopRecording: async ({ change, room, meeting }, _, by) => {
    const living = (await findLiving(change.tx, meeting.room_id)) ?? none();
    await endRecording(change, living);
    const subject = recordingSubject({ ...living, room: room.room });
    change.happened({ kind: "recordingStopped", subject, by });
  },
};

const none = (): never => refuse("no_recording");

/**
 * Records a running meeting.
 *
 * @throws Refusal as the operation lists them
 */
export const startRecording = async (
  change: Change,
  { roomId, ...asked }: Checked<typeof startContract>,
): Promise<Reply<typeof startContract>["recording"]> => {
  const { tx, organization, caller } = change;
  const row = await ownRoom(tx, organization.id, caller, roomId);
  const meeting = (await findOpenMeeting(tx, row.id)) ?? refuse("no_meeting");
  const by = { userId: caller.userId, name: await nameOf(change), automatic: false };
  const room = heldRoom(row, meeting);
  const begun = await beginRecording(change, { room, meeting }, asked, by);
  const subject = recordingSubject({ ...begun, room: row.room });
  change.happened({ kind: "recordingStarted", subject });
  return presentRecording(begun, row);
};

const stop = (change: Change, living: RecordingRow, { room }: RoomRow): Promise<RecordingRow> => {
  const subject = recordingSubject({ ...living, room });
  change.happened({ kind: "recordingStopped", subject });
  return endRecording(change, living);
};

/**
 * Ends a recording, and keeps it.
 *
 * @throws Refusal as the operation lists them
 */
export const stopRecording = async (
  change: Change,
  { roomId, recordingId }: Checked<typeof stopContract>,
): Promise<Reply<typeof stopContract>["recording"]> => {
  const { tx, organization, caller } = change;
  if (typeof roomId === "string") {
    const room = await ownRoom(tx, organization.id, caller, roomId);
    const living = (await findLiving(tx, room.id)) ?? refuse("no_recording");
    return presentRecording(await stop(change, living, room), room);
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
export const ownRecording = async (
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
