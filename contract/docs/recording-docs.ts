import type { Operations } from "../index.ts";
import type { Reply } from "../kit/operation.ts";
import type { RecordingRecord } from "../recordings/record.ts";
import type { MeaningsOf } from "./kit.ts";
import { points, whoModerates } from "./kit.ts";

/*
 * Descriptions of the operations of recordings and meanings of their answers' fields, for the OpenAPI
 * document and /docs. Neither the client nor the console imports this file.
 */

export type RecordingOperation = "startRecording" | "stopRecording";

export const recordingDescriptions: Readonly<Record<RecordingOperation, string>> = {
  startRecording: points(
    "Records a running meeting, in the room's `recordingFormat`, until it ends or is stopped. A room has one recording at a time.",
    "Everybody inside sees it, and everybody who opens the link. Only recorded roles (`recordModerator`, `recordParticipant`) are heard and seen in it.",
    "When every recorder is busy, it waits (`state` queued). Where no machine can record, or all have recording switched off: 503 recorder_missing.",
    "`recordingType` av is refused where the room's strategy records sound alone.",
    whoModerates,
  ),
  stopRecording: `Ends the recording that is running in a room, or one by its ID. What was recorded is kept, and plays within seconds. A recording by its ID that has ended already is answered as it is. ${whoModerates}`,
};

/** The meanings of a recording's fields. */
export const recordingMeanings: MeaningsOf<RecordingRecord> = {
  recordingId: "The ID of the recording.",
  roomId: "The ID of the room.",
  roomName: "The name of the room.",
  meetingId: "The ID of the meeting. getAttendance takes it.",
  name: "The name of the recording: at first that of the room.",
  startedAt: "When the first sound or picture was recorded: ISO 8601, UTC; null until then.",
  endedAt: "When it ended: ISO 8601, UTC; null while it runs.",
  seconds: "How long it plays; null until it is ready.",
  bytes: "The size of all its files; null until it is ready.",
  format: "hls or mp4.",
  resolutions: "The picture sizes, the largest first; none for sound alone.",
  state:
    "queued: waits for a recorder; starting; active; ending: its files are being finished; ready: plays; failed: nothing of it plays.",
  startedBy:
    "The name of who began it; empty when the room's strategy did, and when the person is deleted permanently.",
  error:
    "Why it failed or ended before it was meant to; null otherwise. interrupted: a process ended or stood still, and what was recorded until then plays; disk_full; capture_failed: the recorder could not be started, and while the state is queued it is tried again; unreachable: its files are on a machine that is away; not_begun: it ended before anything was recorded.",
};

type Answered = { readonly [K in RecordingOperation]: MeaningsOf<Reply<Operations[K]>> };

export const recordingFields: Answered = {
  startRecording: { recording: { is: "The new recording.", fields: recordingMeanings } },
  stopRecording: { recording: { is: "The recording as it is now.", fields: recordingMeanings } },
};
