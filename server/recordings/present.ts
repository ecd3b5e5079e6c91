import type { RecordingError, RecordingRecord } from "../../contract/recording-record.ts";
import type { RecordingRow } from "../db/recording-tables.ts";
import type { RoomRow } from "../db/tables.ts";

/** A recording as every answer carries it. */
export const presentRecording = (
  row: RecordingRow,
  { room, name }: Pick<RoomRow, "room" | "name">,
): RecordingRecord => ({
  ...{ recordingId: row.id, roomId: room, roomName: name, meetingId: row.meeting_id },
  ...{ name: row.name, startedAt: row.started_at, endedAt: row.ended_at },
  ...{ seconds: row.seconds, bytes: row.bytes, type: row.type, format: row.format },
  ...{ resolutions: JSON.parse(row.resolutions), state: row.state },
  ...{ startedBy: row.started_by_name, error: row.error as RecordingError | null },
});
