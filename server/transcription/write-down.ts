import { openOrganization, service } from "../change/organization.ts";
import type { RunRow } from "../db/live-tables.ts";
import type { Database } from "../db/open.ts";
import { fold } from "../lib/fold.ts";
import { CAPTIONS_SHOWN } from "../meetings/captures/runs.ts";
import { isForgotten } from "../meetings/state/erase-person.ts";
import type { Times } from "./keeping.ts";

/** The words of one person without a longer pause. */
export interface Said extends Times {
  readonly seatId: string;
  /** True if it stays in the transcript. */
  readonly kept: boolean;
}

/**
 * Stores words as a caption for the people inside and, if kept, for the transcript. The speaker is
 * the seat: the name may have changed.
 */
export const writeDown = async (
  database: Database,
  {
    meeting_id,
    organization_id,
    room_id,
  }: Pick<RunRow, "meeting_id" | "organization_id" | "room_id">,
  { seatId, startMs, endMs, kept }: Said,
  {
    text,
    language = null,
  }: { readonly text: string; readonly language?: string | null | undefined },
): Promise<void> => {
  await openOrganization(database, organization_id, service).change(async (change) => {
    const { tx } = change;
    const room = await tx
      .selectFrom("rooms")
      .select("id")
      .where("id", "=", room_id)
      .executeTakeFirst();
    const seat = await tx
      .selectFrom("seats as s")
      .innerJoin("meetings as m", "m.id", "s.meeting_id")
      .select(["s.role", "s.peer_name", "s.person", "m.ended_at"])
      .where("s.id", "=", seatId)
      .where("s.meeting_id", "=", meeting_id)
      .executeTakeFirst();
    // Room or account may be permanently deleted meanwhile.
    if (room === undefined || seat === undefined || isForgotten(seat)) return;
    // After the end of the meeting nobody would read the caption.
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
        meeting_id,
        number,
        organization_id,
        room_id,
        seat_id: seatId,
        role: seat.role,
        peer_name: seat.peer_name,
        started_at: new Date(startMs).toISOString(),
        ended_at: new Date(endMs).toISOString(),
        text,
        text_key: fold(text),
        kept,
        language,
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
