import {
  type EndCode,
  type EndReason,
  endings,
  type ServerMessage,
} from "../../../contract/meetings/socket.ts";
import type { Queries } from "../../change/organization.ts";
import type { Database } from "../../db/open.ts";
import { uuid7 } from "../../lib/id.ts";
import { livingSeats } from "./seat.ts";

/** A message to somebody inside. */
export interface Message {
  readonly meetingId: string;
  readonly seatId: string;
  readonly message: ServerMessage;
}

/** The message that ends a socket. @param code where the reason alone does not say it */
export const endedBy = (reason: EndReason, code: EndCode = reason): ServerMessage => ({
  type: "ended",
  reason,
  code,
  message: endings[code],
});

/** The same from a moderator who ends a meeting, and may say something. */
export const closedBy = (words: string): ServerMessage =>
  words === "" ? endedBy("closed") : { type: "ended", reason: "closed", message: words };

/** The people muted by one command, in one meeting and in the same way; undefined if nobody. */
export const mutedBy = (messages: readonly Message[]) => {
  const muted = messages.flatMap(({ meetingId, seatId, message }) =>
    message.type === "muted" ? [{ meetingId, seatId, media: message.media }] : [],
  );
  const [first] = muted;
  return first && { ...first, seatIds: muted.map(({ seatId }) => seatId) };
};

/** Stores messages for the processes to which their receivers are connected. */
export const leaveMessages = async (tx: Queries, messages: readonly Message[]): Promise<void> => {
  if (messages.length === 0) return;
  const rows = messages.map(({ meetingId, seatId, message }) => ({
    id: uuid7(),
    meeting_id: meetingId,
    seat_id: seatId,
    message: JSON.stringify(message),
    sent_at: new Date().toISOString(),
  }));
  await tx.insertInto("seat_messages").values(rows).execute();
};

/**
 * Takes the messages that were stored for these seats, in order, and removes them; not those for a seat
 * whose socket is now on another process.
 */
export const takeMessages = async (
  database: Database,
  {
    meetingId,
    processId,
    seatIds,
  }: {
    readonly meetingId: string;
    readonly processId: string;
    readonly seatIds: readonly string[];
  },
): Promise<readonly { readonly seat_id: string; readonly message: string }[]> => {
  if (seatIds.length === 0) return [];
  const waiting = await database.read
    .selectFrom("seat_messages")
    .select(["id", "seat_id", "message"])
    .where("meeting_id", "=", meetingId)
    .where("seat_id", "in", seatIds)
    .where(({ eb }) =>
      eb(
        "seat_id",
        "not in",
        livingSeats(database.read, meetingId).select("id").where("process", "<>", processId),
      ),
    )
    .orderBy("id")
    .execute();
  if (waiting.length === 0) return [];
  const ids = waiting.map(({ id }) => id);
  await database.change(
    async (tx) => void (await tx.deleteFrom("seat_messages").where("id", "in", ids).execute()),
  );
  return waiting;
};
