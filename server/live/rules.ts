import type { z } from "zod";
import { settingsOf } from "../../contract/kit/organization-settings.ts";
import type { LiveStream, streaming } from "../../contract/meetings/live.ts";
import type { transcribing } from "../../contract/meetings/transcripts.ts";
import type { Room } from "../../contract/rooms/record.ts";
import type { RunRow } from "../db/live-tables.ts";
import type { Seal } from "../db/seal.ts";
import { type IsAllowed, refuseInside } from "../lib/dialing.ts";
import { uuid7 } from "../lib/id.ts";
import { refuse, refuseField } from "../lib/refusal.ts";
import { hasRecorder } from "../meetings/captures/recording-rules.ts";
import { endWaitingRuns, liveStreamOf } from "../meetings/captures/runs.ts";
import { kindOfUser } from "../meetings/doors/visitor.ts";
import type { Inside } from "../meetings/state/inside.ts";
import { findUser } from "../records/user-queries.ts";
import { parseTarget, type RtmpTarget, shownTarget } from "./target.ts";

/** The abilities of this installation besides carrying meetings. */
export interface Abilities {
  readonly seal: Seal;
  /** True if a speech engine is set. */
  readonly canTranscribe: boolean;
  /** True if it takes the language that is spoken. */
  readonly takesLanguage: boolean;
  readonly isAllowed: IsAllowed;
}

/** The context with which a run's receiver is sealed. */
const contextOf = (id: string): string => `live stream ${id}`;

/** The destination of a run's stream. @throws SealError if another key sealed it */
export const receiverOf = (
  seal: Seal,
  { id, receiver }: Pick<RunRow, "id" | "receiver">,
): RtmpTarget | undefined => {
  if (receiver === null) return undefined;
  const { url, key } = JSON.parse(seal.open(receiver, contextOf(id)));
  return parseTarget(url, key);
};

const activeRun = ({ change, meeting }: Inside, topic: RunRow["topic"]) =>
  change.tx
    .selectFrom("runs")
    .select("id")
    .where("meeting_id", "=", meeting.id)
    .where("topic", "=", topic)
    .where("ended_at", "is", null)
    .executeTakeFirst();

const begin = async (
  { change, meeting }: Inside,
  run: Pick<RunRow, "id" | "topic" | "kind" | "target" | "receiver" | "language">,
): Promise<RunRow> => {
  const begun = await change.tx
    .insertInto("runs")
    .values({
      ...run,
      organization_id: meeting.organization_id,
      room_id: meeting.room_id,
      meeting_id: meeting.id,
      state: "starting",
      since: change.now,
      error: null,
      stop_asked: false,
      requested_at: change.now,
      ended_at: null,
      live_at: null,
      process: null,
      lease_until: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  change.announce(meeting.id);
  return begun;
};

const stop = async ({ change, meeting }: Inside, topic: RunRow["topic"]): Promise<void> => {
  await endWaitingRuns(change, meeting.id, topic);
  await change.tx
    .updateTable("runs")
    .set({ stop_asked: true })
    .where("meeting_id", "=", meeting.id)
    .where("topic", "=", topic)
    .where("ended_at", "is", null)
    .execute();
  change.announce(meeting.id);
};

/**
 * Returns whether the caller may name a receiver, to which the service then connects: callers from outside
 * were checked (`actInRoom`), but a moderator inside may be anybody.
 */
const mayNameReceiver = async ({ change, room, actor }: Inside): Promise<boolean> => {
  if (actor === undefined) return true;
  if (actor.userId === null) return false;
  const user = await findUser(change.tx, change.organization.id, actor.userId);
  return user !== undefined && kindOfUser(room, user) === "host";
};

/** The address and key of an RTMP stream. @throws Refusal on url, key or liveStreamUrl */
const receiverFor = async (
  inside: Inside,
  { url, key }: { readonly url?: string | undefined; readonly key?: string | undefined },
  isAllowed: IsAllowed,
): Promise<{ readonly url: string; readonly key: string }> => {
  const { room } = inside;
  if ((url ?? key) !== undefined && !(await mayNameReceiver(inside))) {
    const field = url === undefined ? "key" : "url";
    refuseField(field, "hosts_only");
  }
  const address = url ?? room.liveStreamUrl ?? "";
  // The room's key belongs to the room's address.
  const secret = key ?? (url === undefined ? room.liveStreamKey : "") ?? "";
  if (address === "") refuseField("url", "no_stream_address");
  if (parseTarget(address, secret) === undefined) {
    refuseField("url", "not_stream_target");
  }
  refuseInside(url === undefined ? "liveStreamUrl" : "url", address, isAllowed);
  return { url: address, key: secret };
};

/** Returns whether the room's settings let a run continue. */
export const mayGoOn = (room: Room, { topic, kind }: RunRow): boolean =>
  topic === "transcription"
    ? room.enableTranscription
    : room.enableLiveStreaming && (kind !== "rtmp" || room.enableRTMPStreaming);

/** The commands of live streams and transcriptions. */
export const openRuns = ({ seal, canTranscribe, takesLanguage, isAllowed }: Abilities) => ({
  /** Streams a running meeting live. @throws Refusal as the operation lists them */
  async startStream(
    inside: Inside,
    input: z.output<typeof streaming.startStream>,
  ): Promise<LiveStream> {
    const { change, room } = inside;
    if (!room.enableLiveStreaming) refuse("live_stream_off");
    if (!room.enableRTMPStreaming && input.url !== undefined) refuse("rtmp_off");
    if ((await activeRun(inside, "stream")) !== undefined) refuse("live_stream_active");
    const given = room.enableRTMPStreaming
      ? await receiverFor(inside, input, isAllowed)
      : undefined;
    if (!(await hasRecorder(change.tx))) refuse("recorder_missing");
    const id = uuid7();
    const begun = await begin(inside, {
      id,
      topic: "stream",
      kind: given ? "rtmp" : "hls",
      target: given ? shownTarget(given.url) : null,
      language: null,
      receiver: given ? seal.seal(JSON.stringify(given), contextOf(id)) : null,
    });
    return liveStreamOf([begun]) ?? refuse("no_meeting");
  },
  stopStream: (inside: Inside): Promise<void> => stop(inside, "stream"),
  /** Transcribes a running meeting. @throws Refusal as the operation lists them */
  async startTranscription(
    inside: Inside,
    { language }: z.output<typeof transcribing.startTranscription>,
  ): Promise<void> {
    if (!inside.room.enableTranscription) refuse("transcription_off");
    if (!canTranscribe) refuse("speech_missing");
    if (language && !takesLanguage) refuseField("language", "not_accepted");
    const usual = takesLanguage ? settingsOf(inside.change.organization).speechLanguage : null;
    if ((await activeRun(inside, "transcription")) !== undefined) refuse("transcription_active");
    if (!(await hasRecorder(inside.change.tx))) refuse("recorder_missing");
    await begin(inside, {
      id: uuid7(),
      topic: "transcription",
      language: language === undefined ? usual : language,
      kind: null,
      target: null,
      receiver: null,
    });
  },
  stopTranscription: (inside: Inside): Promise<void> => stop(inside, "transcription"),
});
