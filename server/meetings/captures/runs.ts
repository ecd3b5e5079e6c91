import type { LiveStream } from "../../../contract/meetings/live.ts";
import type { RunFailure, RunState } from "../../../contract/meetings/socket.ts";
import type { Spoken } from "../../../contract/meetings/transcripts.ts";
import type { Change, Queries } from "../../change/organization.ts";
import { type CaptionRow, type RunRow, runColumns } from "../../db/live-tables.ts";
import { now } from "../../db/now.ts";
import { prepared } from "../../db/prepared.ts";
import { countBefore } from "./queue.ts";
import { hasRecorder } from "./recording-rules.ts";

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

/*
 * The view that people inside have of the live stream and the transcription of their meeting. The code that
 * begins, ends and carries them out is in server/live and server/transcription.
 */

/** Returns whether a run waits for a recorder: no process carries it out yet. */
export const waitsForPlace = ({ process }: RunRow): boolean => process === null;

/**
 * The live stream and the transcription of a meeting, as long as they have not ended. A run that waits
 * has the error `recorder_missing` if no process could carry it out now, otherwise null.
 */
export const runsOf = async (db: Queries, meetingId: string): Promise<readonly RunRow[]> =>
  withErrors(db, await askRuns(db, null, { meetingId }));

/** The query of `withErrors`. */
export const askRuns = prepared<null, { readonly meetingId: string }, RunRow>(
  (db, _, { meetingId }) =>
    db
      .selectFrom("runs")
      .select(runColumns)
      .where("meeting_id", "=", meetingId)
      .where("ended_at", "is", null),
);

/** Runs as `runsOf` answers them. */
export const withErrors = async (
  db: Queries,
  runs: readonly RunRow[],
): Promise<readonly RunRow[]> => {
  if (!runs.some(waitsForPlace)) return runs;
  const error = (await hasRecorder(db)) ? null : "recorder_missing";
  return runs.map((run) => (waitsForPlace(run) ? { ...run, error } : run));
};

/** Runs of a meeting that no living process carries out. */
export const askWaitingRuns = prepared<null, { readonly meetingId: string }, RunRow>(
  (db, _, { meetingId }) =>
    db
      .selectFrom("runs")
      .select(runColumns)
      .where("meeting_id", "=", meetingId)
      .where("ended_at", "is", null)
      .where(({ or, eb }) => or([eb("lease_until", "is", null), eb("lease_until", "<=", now())])),
);

/** Ends runs of a meeting that no living process carries out, because nobody else would end them. */
export const endWaitingRuns = async (
  change: Pick<Change, "tx" | "publish">,
  meetingId: string,
  topic?: RunRow["topic"],
): Promise<void> => {
  const waiting = await askWaitingRuns(change.tx, null, { meetingId });
  const meant = waiting.filter((run) => topic === undefined || run.topic === topic);
  await endRuns(change, meant);
};

/** Ends these runs, which no living process carries out. */
export const endRuns = async (
  change: Pick<Change, "tx" | "publish">,
  waiting: readonly RunRow[],
): Promise<void> => {
  for (const run of waiting) {
    // Without its earlier error, if any: this run ends as intended.
    const end = {
      state: "ended" as const,
      error: null,
      receiver: null,
      process: null,
      lease_until: null,
    };
    await change.tx
      .updateTable("runs")
      .set({ ...end, ended_at: now() })
      .where("id", "=", run.id)
      .execute();
    publishRun(change, run, { ...run, ...end });
  }
};

/** The live stream among the runs of a meeting. */
export const liveStreamOf = (runs: readonly RunRow[]): LiveStream | null => {
  const run = runs.find(({ topic }) => topic === "stream");
  if (run === undefined || run.kind === null || run.state === "ended") return null;
  const { since, kind, target, error } = run;
  const state = waitsForPlace(run) ? "queued" : run.state;
  return { state, since, kind, target, error };
};

/** The runs of a meeting as moderators may know them. */
export const runStatesOf = (db: Queries, runs: readonly RunRow[]): Promise<readonly RunState[]> =>
  Promise.all(
    runs.map(async (run) => ({
      topic: run.topic,
      error: run.error,
      before: waitsForPlace(run) ? await countBefore(db, run.id) : null,
    })),
  );

/** The query of `failuresIn`: the last run of each topic of a meeting. */
export const askEnded = prepared<
  null,
  { readonly meetingId: string },
  Pick<RunRow, "topic" | "ended_at" | "error">
>((db, _, { meetingId }) => {
  const last = (topic: RunRow["topic"]) =>
    db
      .selectFrom(
        db
          .selectFrom("runs")
          .select(["topic", "ended_at", "error"])
          .where("meeting_id", "=", meetingId)
          .where("topic", "=", topic)
          .orderBy("requested_at", "desc")
          .orderBy("id", "desc")
          .limit(1)
          .as("last"),
      )
      .selectAll();
  return last("stream").unionAll(last("transcription"));
});

/** The errors of a meeting's last live stream and last transcription, if they have failed: the last run of each. */
export const failuresIn = (
  runs: readonly Pick<RunRow, "topic" | "ended_at" | "error">[],
): readonly RunFailure[] => {
  return runs.flatMap(({ topic, ended_at, error }) =>
    ended_at === null || error === null ? [] : [{ topic, endedAt: ended_at, error }],
  );
};

/** Returns whether a live stream can be watched on Parley's own page. */
export const isWatched = (runs: readonly RunRow[]): boolean =>
  runs.some(({ kind, state }) => kind === "hls" && state !== "starting");

const isCarriedOut = (runs: readonly RunRow[], topic: RunRow["topic"]): boolean =>
  runs.some((run) => run.topic === topic && !waitsForPlace(run));

/** Returns whether a live stream is sent, or is about to be. */
export const isStreamed = (runs: readonly RunRow[]): boolean => isCarriedOut(runs, "stream");

/** Returns whether a transcription is carried out, or is about to be. */
export const isTranscribed = (runs: readonly RunRow[]): boolean =>
  isCarriedOut(runs, "transcription");

/** The most captions that one look sends: older ones would be too late to read. */
export const CAPTIONS_SHOWN = 20;

/** The captions after a number, while the transcription runs; only the newest if there are many. */
export const captionsAfter = async (
  db: Queries,
  runs: readonly RunRow[],
  after: number,
): Promise<readonly CaptionRow[]> => {
  const transcription = runs.find(({ topic }) => topic === "transcription");
  if (transcription === undefined) return [];
  const { meeting_id, requested_at } = transcription;
  const rows = await db
    .selectFrom("captions")
    .selectAll()
    .where("meeting_id", "=", meeting_id)
    .where("number", ">", after)
    .where("started_at", ">=", requested_at)
    .where("text", "<>", "")
    .orderBy("number", "desc")
    .limit(CAPTIONS_SHOWN)
    .execute();
  return rows.reverse();
};

/** The transcript of a meeting: the kept words, in order. */
export const transcriptRows = (db: Queries, meetingId: string) =>
  db
    .selectFrom("captions")
    .selectAll()
    .where("meeting_id", "=", meetingId)
    .where("kept", "=", true)
    .where("text", "<>", "")
    .orderBy("started_at")
    .orderBy("number");

/** The language of a caption, where it is known. */
export const captionLanguage = ({
  language,
}: Pick<CaptionRow, "language">): Pick<Spoken, "language"> =>
  language === null ? {} : { language };

/** A caption, as it is answered. */
export const presentSpoken = (row: CaptionRow): Spoken => ({
  startedAt: row.started_at,
  endedAt: row.ended_at,
  peerId: row.seat_id,
  peerName: row.peer_name,
  text: row.text,
  ...captionLanguage(row),
});
