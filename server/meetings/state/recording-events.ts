import type { Change } from "../../change/organization.ts";
import type { RecordingRow } from "../../db/recording-tables.ts";

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
