import type { RunRow } from "../db/live-tables.ts";
import type { Database } from "../db/open.ts";
import { fold } from "../fold.ts";
import { keepsWords } from "../meetings/allowed.ts";
import { isForgotten } from "../meetings/forget.ts";
import { CAPTIONS_SHOWN } from "../meetings/runs.ts";
import { openOrganization, service } from "../organization.ts";
import { roomOf } from "../rooms/stored.ts";

/** What somebody said without a longer pause, and when, in milliseconds since 1970. */
export interface Said {
  readonly seatId: string;
  readonly startMs: number;
  readonly endMs: number;
}

/**
 * Writes down what somebody said: a caption for those inside, which stays in the transcript where the
 * room keeps what the speaker's role says. The speaker is who has the seat: names and roles may have
 * changed.
 */
export const writeDown = async (
  database: Database,
  {
    meeting_id,
    organization_id,
    room_id,
  }: Pick<RunRow, "meeting_id" | "organization_id" | "room_id">,
  { seatId, startMs, endMs }: Said,
  text: string,
): Promise<void> => {
  await openOrganization(database, organization_id, service).change(async (change) => {
    const { tx } = change;
    const row = await tx
      .selectFrom("rooms")
      .selectAll()
      .where("id", "=", room_id)
      .executeTakeFirst();
    const seat = await tx
      .selectFrom("seats as s")
      .innerJoin("meetings as m", "m.id", "s.meeting_id")
      .select(["s.role", "s.peer_name", "s.person", "m.ended_at"])
      .where("s.id", "=", seatId)
      .where("s.meeting_id", "=", meeting_id)
      .executeTakeFirst();
    // The room may be deleted meanwhile, or the account for good.
    if (row === undefined || seat === undefined || isForgotten(seat)) return;
    const kept = keepsWords(roomOf(row), seat);
    // Nobody is there any more to read it.
    if (!kept && seat.ended_at !== null) return;
    const last = await tx
      .selectFrom("captions")
      .select(({ fn }) => fn.max("number").as("number"))
      .where("meeting_id", "=", meeting_id)
      .executeTakeFirst();
    const number = Number(last?.number ?? 0) + 1;
    await tx
      .insertInto("captions")
      .values({
        ...{ meeting_id, number, organization_id, room_id },
        ...{ seat_id: seatId, role: seat.role, peer_name: seat.peer_name },
        started_at: new Date(startMs).toISOString(),
        ended_at: new Date(endMs).toISOString(),
        ...{ text, text_key: fold(text), kept },
      })
      .execute();
    await tx
      .deleteFrom("captions")
      .where("meeting_id", "=", meeting_id)
      .where("kept", "=", false)
      .where("number", "<=", number - CAPTIONS_SHOWN)
      .execute();
    change.announce(meeting_id);
  });
};
