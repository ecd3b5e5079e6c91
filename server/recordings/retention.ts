import { settingsOf } from "../../contract/organization-settings.ts";
import { now } from "../db/now.ts";
import type { Database } from "../db/open.ts";
import { rest } from "../db/pieces.ts";
import { openOrganization, type Queries, service } from "../organization.ts";
import { removeRecording } from "./library.ts";

const DAY_MS = 86_400_000;
/** Few enough rows for a short change. */
const PIECE = 50;

/** Deletes what was said in meetings of that time. @returns how much was found, at most a piece */
const removeSaid = async (tx: Queries, organizationId: string, days: number): Promise<number> => {
  const old = tx
    .selectFrom("captions")
    .select("meeting_id")
    .where("organization_id", "=", organizationId)
    .where("started_at", "<", now(-days * DAY_MS))
    .limit(PIECE);
  const rows = await old.execute();
  if (rows.length === 0) return 0;
  const meetings = [...new Set(rows.map(({ meeting_id }) => meeting_id))];
  await tx
    .deleteFrom("captions")
    .where("meeting_id", "in", meetings)
    .where("started_at", "<", now(-days * DAY_MS))
    .execute();
  return rows.length;
};

/**
 * Deletes the recordings, and the transcripts, that are older than their organization keeps them
 * (`recordingDays`), a few at a time.
 */
export const removeOld = async (database: Database, signal: AbortSignal): Promise<void> => {
  const organizations = await database.read
    .selectFrom("organizations")
    .select("id")
    .where("settings", "<>", "{}")
    .execute();
  for (const { id } of organizations) {
    for (let removed = PIECE; removed === PIECE && !signal.aborted; ) {
      const from = performance.now();
      removed = await openOrganization(database, id, service).change(async (change) => {
        const { tx, organization } = change;
        // Under the organization's row: the days may have been raised just now.
        const { recordingDays } = settingsOf(organization);
        if (recordingDays === null) return 0;
        const old = await tx
          .selectFrom("recordings as c")
          .innerJoin("rooms as r", "r.id", "c.room_id")
          .selectAll("c")
          .select("r.room")
          .where("c.organization_id", "=", id)
          .where("c.state", "in", ["ready", "failed"])
          .where("c.ended_at", "<", now(-recordingDays * DAY_MS))
          .orderBy("c.requested_at")
          .limit(PIECE)
          .execute();
        for (const row of old) await removeRecording(change, row);
        // Transcripts may be more than recordings: a piece of either goes on.
        return Math.max(old.length, await removeSaid(tx, id, recordingDays));
      });
      await rest(performance.now() - from);
    }
  }
};
