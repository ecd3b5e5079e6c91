import type { Change } from "../../change/organization.ts";
import type { RunRow } from "../../db/live-tables.ts";

const typeOf = (before: RunRow, after: RunRow) => {
  if (after.state === "ended") {
    if (after.error !== null) return "streamFailed";
    return after.live_at === null ? undefined : "streamEnded";
  }
  if (after.state === before.state) return undefined;
  if (before.live_at === null) return after.live_at === null ? undefined : "streamStarted";
  return after.state === "live" ? "streamResumed" : "streamInterrupted";
};

/** Publishes the state of a live stream to webhooks; nothing about a transcription. */
export const publishRun = (
  { publish }: Pick<Change, "publish">,
  before: RunRow,
  after: RunRow,
): void => {
  const type = after.topic === "stream" ? typeOf(before, after) : undefined;
  if (type === undefined) return;
  const { id, room_id, meeting_id, kind, target, error } = after;
  const data = { meetingId: meeting_id, streamId: id, kind, target, error };
  publish({ type, in: { id: room_id }, data });
};
