import type { Checked, Reply } from "../../contract/kit/operation.ts";
import { plainOf, webVttOf } from "../../contract/meetings/transcript-files.ts";
import type {
  getTranscript,
  searchTranscripts as searchContract,
} from "../../contract/meetings/transcripts.ts";
import { roomSubject } from "../change/history.ts";
import type { Change, Organization } from "../change/organization.ts";
import { contains } from "../db/dialect.ts";
import { termOf } from "../lib/fold.ts";
import { refuse } from "../lib/refusal.ts";
import { presentSpoken, transcriptRows } from "../meetings/captures/runs.ts";
import { knownMeetings } from "../meetings/record/history.ts";

/**
 * A meeting's transcript.
 *
 * @throws Refusal `meeting_not_found`, also for a meeting in somebody else's room
 */
export const transcriptOf = async (
  organization: Organization,
  { meetingId, from, to }: Checked<typeof getTranscript>,
): Promise<Reply<typeof getTranscript>["transcript"]> => {
  const { read } = organization;
  const meeting = await knownMeetings(read, organization)
    .select(["m.id", "m.started_at", "r.room", "r.name"])
    .where("m.id", "=", meetingId)
    .executeTakeFirst();
  if (!meeting) return refuse("meeting_not_found");
  const rows = await transcriptRows(read, meetingId).execute();
  const spoken = rows.map(presentSpoken);
  const startedAt = meeting.started_at ?? "";
  const zero = from ?? startedAt;
  return {
    meetingId,
    roomId: meeting.room,
    roomName: meeting.name,
    startedAt,
    spoken,
    webVtt: webVttOf(spoken, zero, to),
    plain: plainOf(spoken, zero, to),
  };
};

/** One page of the entries that contain a text, newest first. */
export const searchTranscripts = async (
  organization: Organization,
  { page, limit, search, roomId }: Checked<typeof searchContract>,
): Promise<{
  readonly found: Reply<typeof searchContract>["found"];
  readonly total: number;
}> => {
  const db = organization.scan;
  const asked = knownMeetings(db, organization)
    .innerJoin("captions as c", "c.meeting_id", "m.id")
    .where("c.organization_id", "=", organization.id)
    .where("c.kept", "=", true)
    .where(contains(db, "c.text_key", termOf(search)))
    .$if(roomId !== undefined, (query) => query.where("r.room", "=", roomId ?? ""));
  const { total } = await asked
    .select(({ fn }) => fn.countAll<number | string>().as("total"))
    .executeTakeFirstOrThrow();
  const rows = await asked
    .selectAll("c")
    .select(["r.room", "r.name"])
    .orderBy("c.started_at", "desc")
    .orderBy("c.number", "desc")
    .limit(limit)
    .offset(Math.min((page - 1) * limit, Number.MAX_SAFE_INTEGER))
    .execute();
  const found = rows.map((row) => ({
    ...presentSpoken(row),
    meetingId: row.meeting_id,
    roomId: row.room,
    roomName: row.name,
  }));
  return { found, total: Number(total) };
};

/**
 * Deletes a meeting's transcript.
 *
 * @throws Refusal `meeting_not_found`, also for a meeting in somebody else's room
 */
export const deleteTranscript = async (
  { tx, organization: { id }, caller, happened }: Change,
  meetingId: string,
): Promise<void> => {
  const meeting = await knownMeetings(tx, { id, caller })
    .select(["r.room", "r.name"])
    .where("m.id", "=", meetingId)
    .executeTakeFirst();
  if (!meeting) return refuse("meeting_not_found");
  happened({ kind: "transcriptDeleted", subject: roomSubject(meeting), before: { meetingId } });
  await tx.deleteFrom("captions").where("meeting_id", "=", meetingId).execute();
};
