import type { ChatMessage } from "../../../contract/meetings/socket.ts";
import type { Room } from "../../../contract/rooms/record.ts";
import type { Queries } from "../../change/organization.ts";
import type { MeetingRow, SeatRow } from "../../db/meeting-tables.ts";
import { isHiddenFrom } from "../seats/allowed.ts";

/** A message of the chat, before it has the number that a reader gets. */
type Unnumbered = Omit<ChatMessage, "number">;

/** A message of the chat, as it is stored. */
export interface Written {
  /** Its number in the room, which tells how many are before it: no reader gets it. */
  readonly number: number;
  readonly message: Unnumbered;
  /** The writer and the role in which it was written; null if no longer known. */
  readonly person: string | null;
  readonly role: SeatRow["role"] | null;
}

/** The most chat messages that a person gets on entering. */
const CHAT_KEPT = 200;

/** The chat messages after a number, oldest first; only the newest if there are very many. */
export const chatAfter = async (
  db: Queries,
  { room_id, id }: Pick<MeetingRow, "room_id" | "id">,
  { isStatic }: Pick<Room, "isStatic">,
  after: number,
): Promise<readonly Written[]> => {
  const rows = await db
    .selectFrom("chat")
    .leftJoin("seats", "seats.id", "chat.seat_id")
    .selectAll("chat")
    .select("seats.person")
    .where("chat.room_id", "=", room_id)
    .where("number", ">", after)
    .where("text", "<>", "")
    .$if(!isStatic, (query) => query.where("chat.meeting_id", "=", id))
    .orderBy("number", "desc")
    .limit(CHAT_KEPT)
    .execute();
  return rows.reverse().map(({ number, seat_id, peer_name, text, sent_at, person, role }) => ({
    number,
    message: { peerId: seat_id, peerName: peer_name, text, sentAt: sent_at },
    person,
    role,
  }));
};

/**
 * The messages that somebody may read, by the current settings, their current role, and the role in which
 * each was written: one to the moderators stays theirs. People can read their own messages after a reload
 * too, in another seat.
 */
export const readableBy = (
  room: Room,
  who: Pick<SeatRow, "id" | "person" | "role">,
  written: readonly Written[],
): readonly Unnumbered[] =>
  written
    .filter(
      ({ message, person, role }) =>
        person === who.person || !isHiddenFrom(room, who, { id: message.peerId, role }),
    )
    .map(({ message }) => message);

/**
 * Numbers the messages that one person gets, by when they were sent: so the numbers say nothing about the
 * messages that are hidden in between, and a page finds by them what is new to it, also on another process.
 *
 * @param last the last number that the person has got
 */
export const numbered = (readable: readonly Unnumbered[], last: number): readonly ChatMessage[] => {
  let number = last;
  return readable.map((message) => {
    number = Math.max(number + 1, Date.parse(message.sentAt));
    return { number, ...message };
  });
};
