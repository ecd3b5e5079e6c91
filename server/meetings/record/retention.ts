import { settingsOf } from "../../../contract/kit/organization-settings.ts";
import type { Change } from "../../change/organization.ts";
import { now } from "../../db/now.ts";
import { DAY_MS } from "../../lib/durations.ts";

/** Few enough for a short change: each may have hundreds of seats. */
const PIECE = 20;

/**
 * Deletes meetings that ended longer ago than the organization keeps them (`meetingDays`), with
 * attendance, chat and transcript. Recordings have a setting of their own.
 *
 * @returns whether there may be more
 */
export const removeOldMeetings = async ({
  tx,
  organization,
}: Pick<Change, "tx" | "organization">): Promise<boolean> => {
  const { meetingDays } = settingsOf(organization);
  if (meetingDays === null) return false;
  const old = await tx
    .selectFrom("meetings")
    .select(["id", "room_id"])
    .where("organization_id", "=", organization.id)
    .where("ended_at", "<", now(-meetingDays * DAY_MS))
    .limit(PIECE)
    .execute();
  if (old.length === 0) return false;
  const ids = old.map(({ id }) => id);
  const rooms = old.map(({ room_id }) => room_id);
  await tx
    .deleteFrom("chat")
    .where("room_id", "in", rooms)
    .where("meeting_id", "in", ids)
    .execute();
  await tx.deleteFrom("captions").where("meeting_id", "in", ids).execute();
  await tx.deleteFrom("runs").where("meeting_id", "in", ids).execute();
  await tx.deleteFrom("meetings").where("id", "in", ids).execute();
  return old.length === PIECE;
};
