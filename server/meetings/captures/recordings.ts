import type { RecordingError, RecordingRecord } from "../../../contract/recordings/record.ts";
import type { Queries } from "../../change/organization.ts";
import type { MeetingRow } from "../../db/meeting-tables.ts";
import type { RecordingRow } from "../../db/recording-tables.ts";
import type { RoomRow } from "../../db/tables.ts";

/** A recording as all answers contain it. */
export const presentRecording = (
  row: RecordingRow,
  { room, name }: Pick<RoomRow, "room" | "name">,
): RecordingRecord => ({
  recordingId: row.id,
  roomId: room,
  roomName: name,
  meetingId: row.meeting_id,
  name: row.name,
  startedAt: row.started_at,
  endedAt: row.ended_at,
  seconds: row.seconds,
  bytes: row.bytes,
  type: row.type,
  format: row.format,
  resolutions: JSON.parse(row.resolutions),
  state: row.state,
  startedBy: row.started_by_name,
  error: row.error as RecordingError | null,
});

/** The recordings of a meeting, newest first. */
export const recordingsOf = async (
  db: Queries,
  { id, room_id }: Pick<MeetingRow, "id" | "room_id">,
  room: Pick<RoomRow, "room" | "name">,
): Promise<RecordingRecord[]> => {
  const rows = await db
    .selectFrom("recordings")
    .selectAll()
    .where("room_id", "=", room_id)
    .where("meeting_id", "=", id)
    .orderBy("requested_at", "desc")
    .orderBy("id", "desc")
    .execute();
  return rows.map((row) => presentRecording(row, room));
};

/** Counts an organization's recordings and their space, for its overview. */
export const countRecordings = async (db: Queries, organizationId: string, hasStore: boolean) => {
  const ended = await db
    .selectFrom("recordings")
    .select(({ fn, eb }) => [
      fn.countAll<number | string>().as("count"),
      fn.sum<number | string | null>("bytes").as("bytes"),
      fn
        .sum<number | string | null>(
          eb
            .case()
            .when(eb.and([eb("store", "=", "folder"), eb("state", "=", "ready")]))
            .then(1)
            .else(0)
            .end(),
        )
        .as("here"),
    ])
    .where("organization_id", "=", organizationId)
    .where("state", "in", ["ready", "failed"])
    .executeTakeFirstOrThrow();
  const { erasing } = await db
    .selectFrom("erasures")
    .select(({ fn }) => fn.countAll<number | string>().as("erasing"))
    .where("organization_id", "=", organizationId)
    .where("store", "in", ["folder", "s3"])
    .executeTakeFirstOrThrow();
  return {
    count: Number(ended.count),
    bytes: Number(ended.bytes ?? 0),
    waiting: hasStore ? Number(ended.here ?? 0) : 0,
    erasing: Number(erasing),
  };
};
