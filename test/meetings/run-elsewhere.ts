import type { Change } from "../../server/change/organization.ts";
import type { RunRow } from "../../server/db/live-tables.ts";

/** A live stream or a transcription of a meeting, as if another process carried it out. */
export const runElsewhere = async (
  { tx, now }: Pick<Change, "tx" | "now">,
  meetingId: string,
  run: Pick<RunRow, "id" | "topic" | "kind">,
): Promise<void> => {
  const { organization_id, room_id } = await tx
    .selectFrom("meetings")
    .select(["organization_id", "room_id"])
    .where("id", "=", meetingId)
    .executeTakeFirstOrThrow();
  await tx
    .insertInto("runs")
    .values({
      ...run,
      organization_id,
      room_id,
      meeting_id: meetingId,
      state: "live",
      since: now,
      target: null,
      receiver: null,
      error: null,
      stop_asked: false,
      requested_at: now,
      ended_at: null,
      process: "another",
      lease_until: "2999-01-01T00:00:00.000Z",
    })
    .execute();
};
