import type { Change, Organization, Queries } from "../change/organization.ts";
import { roomOf } from "../records/rooms.ts";
import { countMeeting } from "./count.ts";

/*
 * Meetings from before the counters are counted in the background, oldest first. Each change also
 * stores how far it came, so a kill loses and doubles nothing.
 */

/** Small enough for a short change. */
const PIECE = 20;

/** A meeting's place in the order of counting, unique to it. */
const placeOf = (startedAt: string, id: string): string => `${startedAt} ${id}`;

/** Counts the next earlier meetings. */
const fillPiece = async ({
  tx,
  organization: { id: organizationId },
}: Pick<Change, "tx" | "organization">): Promise<void> => {
  const { usage_filled_to: reached } = await tx
    .selectFrom("organizations")
    .select("usage_filled_to")
    .where("id", "=", organizationId)
    .executeTakeFirstOrThrow();
  if (reached === null) return;
  const [startedAt = "", id = ""] = reached.split(" ");
  const found = await tx
    .selectFrom("meetings as m")
    .innerJoin("rooms as r", "r.id", "m.room_id")
    .select(["m.id", "m.room_id", "m.room_type", "m.started_at", "m.ended_at", "m.seconds"])
    .select(["r.record", "r.extras"])
    .where("m.organization_id", "=", organizationId)
    .where("m.started_at", ">=", startedAt)
    .where(({ or, eb }) => or([eb("m.started_at", ">", startedAt), eb("m.id", ">", id)]))
    .orderBy("m.started_at")
    .orderBy("m.id")
    .limit(PIECE)
    .execute();
  for (const { id: meetingId, room_id, started_at, ended_at, seconds, ...row } of found) {
    // A running one is counted when it ends.
    if (started_at === null || ended_at === null) continue;
    await countMeeting(tx, {
      id: meetingId,
      organization_id: organizationId,
      room_type: row.room_type ?? roomOf(row).roomType,
      room_id,
      started_at,
      ended_at,
      seconds: Number(seconds ?? 0),
    });
  }
  const last = found.at(-1);
  const next = found.length === PIECE && last ? placeOf(last.started_at ?? "", last.id) : null;
  await tx
    .updateTable("organizations")
    .set({ usage_filled_to: next })
    .where("id", "=", organizationId)
    .execute();
};

/** Counts the meetings from before there were counters. */
export const fillUsage = {
  organizations: async (read: Queries): Promise<readonly string[]> => {
    const rows = await read
      .selectFrom("organizations")
      .select("id")
      .where("usage_filled_to", "is not", null)
      .execute();
    return rows.map(({ id }) => id);
  },
  piece: ({ change }: Organization): Promise<void> => change(fillPiece),
};
