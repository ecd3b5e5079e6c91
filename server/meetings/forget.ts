import type { SeatRow } from "../db/meeting-tables.ts";
import type { Change, Queries } from "../organization.ts";

/** Erases the names of people who are deleted for good: the records of attendance and recordings stay. */
export const eraseNames = async (
  { tx }: Pick<Change, "tx">,
  userIds: readonly string[],
): Promise<void> => {
  await tx.updateTable("seats").set({ peer_name: "" }).where("user_id", "in", userIds).execute();
  await tx
    .updateTable("recordings")
    .set({ started_by_name: "" })
    .where("started_by", "in", userIds)
    .execute();
};

/** Whether a seat was that of somebody who is deleted for good. */
export const isForgotten = ({ person, user_id }: Pick<SeatRow, "person" | "user_id">): boolean =>
  user_id === null && person.startsWith("user:");

/** How many seats, messages and captions one change erases: other changes run in between. */
const ERASED = { seats: 50, rows: 500 } as const;

/**
 * Erases what people who are deleted for good wrote and said, in the next of their seats. Messages and
 * captions keep their places without text, so that numbers stay in order. A seat whose words are erased
 * is nobody's any more: `user_id` says what is left to do.
 */
export const eraseWords = async (tx: Queries, userIds: readonly string[]): Promise<void> => {
  const seats = await tx
    .selectFrom("seats")
    .select(["id", "room_id"])
    .where("user_id", "in", userIds)
    .limit(ERASED.seats)
    .execute();
  if (seats.length === 0) return;
  const ids = seats.map(({ id }) => id);
  const rooms = [...new Set(seats.map(({ room_id }) => room_id))];
  const { numUpdatedRows: messages } = await tx
    .updateTable("chat")
    .set({ peer_name: "", text: "" })
    .where(({ eb, refTuple, selectFrom }) =>
      eb(
        refTuple("room_id", "number"),
        "in",
        selectFrom("chat")
          .select(["room_id", "number"])
          .where("room_id", "in", rooms)
          .where("seat_id", "in", ids)
          .where("text", "<>", "")
          .limit(ERASED.rows)
          .$asTuple("room_id", "number"),
      ),
    )
    .executeTakeFirstOrThrow();
  const { numUpdatedRows: captions } = await tx
    .updateTable("captions")
    .set({ peer_name: "", text: "", text_key: "" })
    .where(({ eb, refTuple, selectFrom }) =>
      eb(
        refTuple("meeting_id", "number"),
        "in",
        selectFrom("captions")
          .select(["meeting_id", "number"])
          .where("seat_id", "in", ids)
          .where("text", "<>", "")
          .limit(ERASED.rows)
          .$asTuple("meeting_id", "number"),
      ),
    )
    .executeTakeFirstOrThrow();
  if (messages >= ERASED.rows || captions >= ERASED.rows) return;
  await tx.updateTable("seats").set({ user_id: null }).where("id", "in", ids).execute();
};
