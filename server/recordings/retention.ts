import { settingsOf } from "../../contract/kit/organization-settings.ts";
import type { Queries } from "../change/organization.ts";
import { removeInEach } from "../change/removals.ts";
import { now } from "../db/now.ts";
import type { Database } from "../db/open.ts";
import { DAY_MS } from "../lib/durations.ts";
import { removeRecording } from "./library.ts";

/** Small enough for a short change. */
const PIECE = 50;

/** Deletes captions that are older than this many days. @returns how many it found, at most PIECE */
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
 * Deletes recordings and transcripts that are older than their organization keeps them
 * (`recordingDays`), a few at a time.
 */
export const removeOldRecordings = (database: Database, signal: AbortSignal): Promise<void> =>
  removeInEach(
    database,
    () => signal.aborted,
    async (change) => {
      const { tx, organization } = change;
      const { recordingDays } = settingsOf(organization);
      if (recordingDays === null) return false;
      const old = await tx
        .selectFrom("recordings as c")
        .innerJoin("rooms as r", "r.id", "c.room_id")
        .selectAll("c")
        .select("r.room")
        .where("c.organization_id", "=", organization.id)
        .where("c.state", "in", ["ready", "failed"])
        .where("c.ended_at", "<", now(-recordingDays * DAY_MS))
        .orderBy("c.requested_at")
        .limit(PIECE)
        .execute();
      for (const row of old) await removeRecording(change, row);
      // There may be more captions than recordings: continue while either fills a piece.
      const said = await removeSaid(tx, organization.id, recordingDays);
      return Math.max(old.length, said) === PIECE;
    },
  );
