import type { Change } from "../change/organization.ts";
import { now } from "../db/now.ts";
import type { RecordingRow } from "../db/recording-tables.ts";
import { problemOf } from "../meetings/captures/recording-plan.ts";
import {
  findLiving,
  insertQueued,
  type RecordingChange,
  tellBegun,
} from "../meetings/captures/recording-rules.ts";
import { roomOf } from "../records/rooms.ts";

/* Continues interrupted recordings, and retries those that could not begin. */

/** A few interruptions in a row are bad luck; after this many, a new recording would fail too. */
const MOST_INTERRUPTED = 10;
/** The pauses before a recording that could not begin is retried. */
const [FIRST_PAUSE_MS, LONGEST_PAUSE_MS] = [2_000, 60_000];

/**
 * The pause before the next recording: none after the first interruption, then twice as long each
 * time, unless the interrupted one had recorded for longer.
 */
const pauseAfter = async (
  { tx }: Pick<Change, "tx">,
  { continues, started_at }: RecordingRow,
): Promise<number> => {
  if (continues === 0) return 0;
  const pause = Math.min(FIRST_PAUSE_MS * 2 ** (continues - 1), LONGEST_PAUSE_MS);
  const { at } = await tx.selectNoFrom(now().as("at")).executeTakeFirstOrThrow();
  return started_at !== null && Date.parse(at) - Date.parse(started_at) > pause ? 0 : pause;
};

/**
 * Continues an interrupted recording in a new one if its meeting goes on, nobody asked for its end,
 * and there were not too many interruptions in a row.
 */
export const continueRecording = async (
  change: RecordingChange,
  former: RecordingRow,
): Promise<void> => {
  const { tx } = change;
  if (former.stop_asked || former.continues >= MOST_INTERRUPTED) return;
  const room = await tx
    .selectFrom("rooms")
    .selectAll()
    .where("id", "=", former.room_id)
    .where("deleted_at", "is", null)
    .executeTakeFirst();
  if (room === undefined || problemOf(roomOf(room)) !== null) return;
  const meeting = await tx
    .selectFrom("meetings")
    .selectAll()
    .where("id", "=", former.meeting_id)
    .where("ended_at", "is", null)
    .executeTakeFirst();
  if (meeting === undefined || (await findLiving(tx, former.room_id))) return;
  const { type, format, started_by: userId, started_by_name: name, automatic } = former;
  const plan = { type, format, resolutions: JSON.parse(former.resolutions) };
  const after = { continues: former.continues + 1, pause: await pauseAfter(change, former) };
  const by = { userId, name, automatic };
  const begun = await insertQueued(change, meeting, former.name, plan, by, after);
  tellBegun(change, begun, room);
};

/**
 * Lets a recording that could not begin wait for its next try, while its meeting runs and nobody
 * asked for its end. Only an automatic or continued recording waits: a requested one fails.
 *
 * @param processId the process that holds the recording
 * @returns whether the recording waits
 */
export const waitForNextTry = async (
  { tx, announce }: Pick<Change, "tx" | "announce">,
  { id, meeting_id, automatic, continues, requested_at }: RecordingRow,
  processId: string,
): Promise<boolean> => {
  if (!automatic && continues === 0) return false;
  // As long as it has waited already, so the pauses double without a counter.
  const { at } = await tx.selectNoFrom(now().as("at")).executeTakeFirstOrThrow();
  const waited = Date.parse(at) - Date.parse(requested_at);
  const pause = Math.min(Math.max(waited, FIRST_PAUSE_MS), LONGEST_PAUSE_MS);
  const queued = await tx
    .updateTable("recordings")
    .set({ state: "queued", error: "capture_failed", process: null, lease_until: now(pause) })
    .where("id", "=", id)
    .where("process", "=", processId)
    .where("state", "=", "starting")
    .where("stop_asked", "=", false)
    .returning("id")
    .executeTakeFirst();
  if (queued) announce(meeting_id);
  return queued !== undefined;
};
