import type { Change, Queries } from "../../change/organization.ts";
import type { SeatRow } from "../../db/meeting-tables.ts";
import { userPerson } from "../../db/person-keys.ts";

/** Erases the names of people who are deleted permanently; the records of attendance and recordings stay. */
export const eraseNames = async (
  { tx }: Pick<Change, "tx">,
  userIds: readonly string[],
): Promise<void> => {
  await tx
    .updateTable("seats")
    .set({ peer_name: "", rating: null })
    .where("user_id", "in", userIds)
    .execute();
  await tx
    .updateTable("recordings")
    .set({ started_by_name: "" })
    .where("started_by", "in", userIds)
    .execute();
};

/** The prefix of `seats.person` for somebody who is deleted permanently. */
const GONE = "gone:";

/** Returns whether a seat belonged to somebody who is deleted permanently. */
export const isForgotten = ({ person }: Pick<SeatRow, "person">): boolean =>
  person.startsWith(GONE);

/**
 * Replaces the IDs of people in their seats. All seats that one person had in a meeting, even those not
 * given here, get the same new value, because the attendance counts people.
 */
const unnamePeople = async (
  tx: Queries,
  seats: readonly Pick<SeatRow, "id" | "meeting_id" | "person">[],
): Promise<void> => {
  const firsts = new Map(seats.map((seat) => [`${seat.meeting_id} ${seat.person}`, seat]));
  for (const { id, meeting_id, person } of firsts.values()) {
    // An earlier piece may have done it.
    if (isForgotten({ person })) continue;
    await tx
      .updateTable("seats")
      .set({ person: `${GONE}${id}` })
      .where("meeting_id", "=", meeting_id)
      .where("person", "=", person)
      .execute();
  }
};

/** How many seats or bans, and messages or captions, one change erases: other changes run in between. */
const ERASED = { seats: 50, rows: 500 } as const;

/**
 * Erases what people who are deleted permanently wrote and said, in the next of their seats. Messages and
 * captions keep their places without text, so that numbers stay in order. Once the words of a seat are
 * erased, its `user_id` is null: the seats that still have one are left to do.
 */
export const eraseWords = async (tx: Queries, userIds: readonly string[]): Promise<void> => {
  const seats = await tx
    .selectFrom("seats")
    .select(["id", "room_id", "meeting_id", "person"])
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
  await unnamePeople(tx, seats);
  await tx.updateTable("seats").set({ user_id: null }).where("id", "in", ids).execute();
};

/**
 * Deletes the next bans of people who are deleted permanently, and those of their browsers. A browser's ban
 * from a running meeting stays: the end of the meeting deletes it.
 *
 * @returns whether there may be more
 */
export const eraseBans = async (
  { tx, organization }: Pick<Change, "tx" | "organization">,
  userIds: readonly string[],
): Promise<boolean> => {
  const bans = await tx
    .selectFrom("bans")
    .select(["id", "room_id", "seat_id"])
    .where("organization_id", "=", organization.id)
    .where("person", "in", userIds.map(userPerson))
    .limit(ERASED.seats)
    .execute();
  if (bans.length === 0) return false;
  const ids = bans.map(({ id }) => id);
  const rooms = [...new Set(bans.map(({ room_id }) => room_id))];
  const seats = bans.map(({ seat_id, id }) => seat_id ?? id);
  await tx
    .deleteFrom("bans")
    .where("room_id", "in", rooms)
    .where(({ or, and, eb }) =>
      or([eb("id", "in", ids), and([eb("seat_id", "in", seats), eb("meeting_id", "is", null)])]),
    )
    .execute();
  return bans.length === ERASED.seats;
};
