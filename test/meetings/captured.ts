import assert from "node:assert/strict";
import type { Updateable } from "kysely";
import type { RunsTable } from "../../server/db/live-tables.ts";
import { uuid7 } from "../../server/lib/id.ts";
import type { ConsoleService } from "../console/service.ts";
import { addCaption } from "../recordings/films.ts";
import { addRecordingRow, recordingsIn, setRecording } from "../recordings/rows.ts";

/*
 * Meetings that are recorded, streamed live and transcribed according to the database alone: for tests of
 * pages, which need no recorder, no receiver and no speech engine.
 */

/** Held by another process that never dies. */
const HELD = { process: uuid7(), lease_until: "9999-01-01T00:00:00.000Z" };

/** Lets a meeting be recorded, and transcribed with these sentences. */
export const capture = async (
  service: ConsoleService,
  roomId: string,
  said: readonly { readonly peer: string; readonly text: string }[],
): Promise<void> => {
  const { meetingId } = (await service.client.getMeeting({ roomId })).meeting;
  if (meetingId === null) throw new Error("Nobody is in the room.");
  const id = await service.change((change) => addRecordingRow(change, roomId));
  await setRecording(service.database, id, {
    ...HELD,
    meeting_id: meetingId,
    state: "active" as const,
    ended_at: null,
    seconds: null,
    bytes: null,
    files: null,
  });
  const row = (await recordingsIn(service, roomId)).find((one) => one.id === id);
  assert.ok(row);
  // Captions from before are not shown.
  const now = row.requested_at;
  await service.change(({ tx }) =>
    tx
      .insertInto("runs")
      .values({
        id: uuid7(),
        organization_id: row.organization_id,
        room_id: row.room_id,
        meeting_id: meetingId,
        topic: "transcription" as const,
        kind: null,
        state: "live" as const,
        since: now,
        requested_at: now,
        live_at: now,
        ended_at: null,
        target: null,
        receiver: null,
        error: null,
        stop_asked: false,
        ...HELD,
      })
      .execute(),
  );
  for (const [index, { peer, text }] of said.entries()) {
    await addCaption(service, row, { number: index + 1, second: index, peer, text });
  }
  await service.change(async ({ announce }) => announce(meetingId));
};

/** Changes the live stream of a room that is not over. */
const setStream = async (
  service: ConsoleService,
  roomId: string,
  update: Updateable<RunsTable>,
): Promise<void> => {
  const { meetingId } = (await service.client.getMeeting({ roomId })).meeting;
  await service.change(async ({ tx, announce }) => {
    await tx
      .updateTable("runs")
      .set({ ...update, since: new Date().toISOString() })
      .where("meeting_id", "=", meetingId ?? "")
      .where("topic", "=", "stream")
      .where("ended_at", "is", null)
      .execute();
    announce(meetingId ?? "");
  });
};

/** Lets the live stream of a room that waits for a recorder be live. */
export const goLive = (service: ConsoleService, roomId: string): Promise<void> =>
  setStream(service, roomId, { ...HELD, state: "live", live_at: new Date().toISOString() });

/** Ends it, as intended. */
export const endLive = (service: ConsoleService, roomId: string): Promise<void> =>
  setStream(service, roomId, { state: "ended", ended_at: new Date().toISOString() });
