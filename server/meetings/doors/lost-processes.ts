import { peerTypes } from "../../../contract/meetings/meetings.ts";
import { openOrganization, type Queries, service } from "../../change/organization.ts";
import { REMOVAL_PIECE, removePieces } from "../../change/removals.ts";
import { skippingHeld } from "../../db/dialect.ts";
import { isUnavailable } from "../../db/errors.ts";
import { now } from "../../db/now.ts";
import type { Database } from "../../db/open.ts";
import { DAY_MS, HOUR_MS } from "../../lib/durations.ts";
import { settleMeeting } from "../state/running.ts";
import { removeOldBans } from "./bans.ts";
import { AWAY_MS } from "./claim-seat.ts";
import { loseRows } from "./presence.ts";

/** How long an ended link is kept, so that it can say that it has ended, in milliseconds. */
const ENDED_LINK_MS = 365 * DAY_MS;
/** How long a meeting to which nobody came is kept, in milliseconds. */
const EMPTY_MEETING_MS = HOUR_MS;
/** How long the seat of a guest who never came in is kept after its end, in milliseconds. */
const UNUSED_SEAT_MS = HOUR_MS;
/** How long a message waits for the process of its receiver, in milliseconds. */
const MESSAGE_MS = 60_000;

/**
 * Marks the connections of a process as lost, as of the last moment at which it was alive. People
 * without another connection become away. An organization whose change fails keeps none of the others
 * waiting.
 *
 * @param leaseMs how long their seats are kept
 * @throws the first failure, once all organizations have had their turn
 */
export const loseProcess = async (
  database: Database,
  processId: string,
  leaseMs = AWAY_MS,
): Promise<void> => {
  const { read } = database;
  const process = await read
    .selectFrom("processes")
    .select("alive_at")
    .where("id", "=", processId)
    .executeTakeFirst();
  const held = await read
    .selectFrom("seats")
    .select("organization_id")
    .distinct()
    .where(({ or, eb }) => or([eb("process", "=", processId), eb("media_process", "=", processId)]))
    .execute();
  const loseIn = (organization_id: string): Promise<void> =>
    openOrganization(database, organization_id, service).change(async (change) => {
      const { tx } = change;
      const lost = new Map<string, string>();
      for (const column of ["process", "media_process"] as const) {
        const rows = await tx
          .updateTable("seats")
          .set({ [column]: null })
          .where("organization_id", "=", organization_id)
          .where(column, "=", processId)
          .returning(["id", "meeting_id", "last_seen"])
          .execute();
        for (const { id, meeting_id } of rows) lost.set(id, meeting_id);
      }
      const ids = [...lost.keys()];
      if (ids.length === 0) return;
      if (process) {
        // Never moves it back: a person may have come after the process last renewed its row.
        await tx
          .updateTable("seats")
          .set({ last_seen: process.alive_at })
          .where("id", "in", ids)
          .where("last_seen", "<", process.alive_at)
          .where("state", "<>", "leaving")
          .execute();
      }
      await loseRows(tx, ids, now(leaseMs));
      for (const meetingId of new Set(lost.values())) await settleMeeting(change, meetingId);
    });
  let failure: unknown;
  for (const { organization_id } of held) {
    await loseIn(organization_id).catch((error: unknown) => {
      if (isUnavailable(error)) throw error;
      failure ??= error;
    });
  }
  // The process's row stays: it says when people were last there.
  if (failure !== undefined) throw failure;
  await database.change(async (tx) => {
    await tx.deleteFrom("processes").where("id", "=", processId).execute();
  });
};

type Found = readonly { readonly id: string }[];

/**
 * Finds seats of guests who never came in, in pieces: nothing needs them, and a link allows any
 * number of them. Those of accounts and invited people stay: they tell which browser to exclude
 * (expel.ts), and are in the takeout of a person. So do those that a ban names.
 */
const unusedSeats = (tx: Queries): Promise<Found> =>
  tx
    .selectFrom("seats as s")
    .select("s.id")
    .where("s.left_at", "<", now(-UNUSED_SEAT_MS))
    .where("s.joined_at", "is", null)
    .where("s.role", "in", peerTypes)
    .where("s.user_id", "is", null)
    .where("s.device", "is", null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("bans as b")
            .select("b.id")
            .whereRef("b.room_id", "=", "s.room_id")
            .whereRef("b.seat_id", "=", "s.id"),
        ),
      ),
    )
    .limit(REMOVAL_PIECE)
    .modifyEnd(skippingHeld(tx))
    .execute();

/** Finds meetings to which nobody came, a piece of them. */
const emptyMeetings = (tx: Queries): Promise<Found> =>
  tx
    .selectFrom("meetings")
    .select("id")
    .where("ended_at", "<", now(-EMPTY_MEETING_MS))
    .where("started_at", "is", null)
    .limit(REMOVAL_PIECE)
    .modifyEnd(skippingHeld(tx))
    .execute();

/**
 * Removes old messages, bans and links, then, in pieces, unused seats and the meetings to which nobody came:
 * a flood makes any number of them, and a meeting that has lost its seats goes quickly.
 */
export const removeOldRows = async (
  database: Database,
  stopping: () => boolean = () => false,
): Promise<void> => {
  await database.change(async (tx) => {
    const sent = new Date(Date.now() - MESSAGE_MS).toISOString();
    await tx.deleteFrom("seat_messages").where("sent_at", "<", sent).execute();
    await removeOldBans(tx);
    await tx.deleteFrom("room_links").where("ended_at", "<", now(-ENDED_LINK_MS)).execute();
  });
  for (const [table, old] of [
    ["seats", unusedSeats],
    ["meetings", emptyMeetings],
  ] as const) {
    await removePieces(stopping, () =>
      database.change(async (tx) => {
        const ids = (await old(tx)).map(({ id }) => id);
        if (ids.length > 0) await tx.deleteFrom(table).where("id", "in", ids).execute();
        return ids.length === REMOVAL_PIECE;
      }),
    );
  }
};
