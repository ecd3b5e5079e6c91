import { checkRefused, countRefused } from "../access/throttle.ts";
import type { MeetingRow, SeatRow } from "../db/meeting-tables.ts";
import { now } from "../db/now.ts";
import { uuid7 } from "../id.ts";
import type { Change, Queries } from "../organization.ts";
import { refuse } from "../refusal.ts";
import type { PersonSeat } from "./persons.ts";
import type { Visitor } from "./visitor.ts";

/*
 * Who stays out of a room. A link that guests may use lets everybody in who is not known: a ban reaches
 * the account or the invited person, and the browser in which they came, as a guest.
 */

const MINUTE_MS = 60_000;

/** How long somebody stays out: this meeting, for good, or so many minutes. */
export type Ban = "meeting" | "always" | number;

/** The guest in whose name somebody could come back in the same browser. */
const guestsOf = ({ device }: Pick<SeatRow, "device">): readonly string[] =>
  device === null ? [] : [`guest:${device}`];

type Place = Pick<SeatRow, "organization_id" | "room_id" | "meeting_id">;

const banRow = (
  change: Change,
  { organization_id, room_id, meeting_id }: Place,
  person: string,
  ban: Ban,
) => ({
  ...{ id: uuid7(), organization_id, room_id, person, created_at: change.now },
  meeting_id: ban === "meeting" ? meeting_id : null,
  ends_at: typeof ban === "number" ? now(ban * MINUTE_MS) : null,
});

/** Keeps whoever has a seat out of its room. */
export const banSeat = async (change: Change, seat: PersonSeat, ban: Ban): Promise<void> => {
  const rows = [seat.person, ...guestsOf(seat)].map((who) => banRow(change, seat, who, ban));
  await change.tx.insertInto("bans").values(rows).execute();
};

/** Keeps people out, as guests, of the running meetings in which they were: their accounts are ended. */
export const banAsGuests = async (change: Change, userIds: readonly string[]): Promise<void> => {
  const seats = await change.tx
    .selectFrom("seats as s")
    .innerJoin("meetings as m", "m.id", "s.meeting_id")
    .select(["s.organization_id", "s.room_id", "s.meeting_id", "s.device"])
    .distinct()
    .where("m.organization_id", "=", change.organization.id)
    .where("m.ended_at", "is", null)
    .where("s.user_id", "in", userIds)
    .execute();
  const rows = seats.flatMap((seat) =>
    guestsOf(seat).map((who) => banRow(change, seat, who, "meeting")),
  );
  if (rows.length > 0) await change.tx.insertInto("bans").values(rows).execute();
};

/** @throws Refusal `banned` */
export const refuseBanned = async (
  db: Queries,
  roomId: string,
  meeting: MeetingRow | undefined,
  { person }: Pick<Visitor, "person">,
): Promise<void> => {
  const bans = await db
    .selectFrom("bans")
    .select("meeting_id")
    .where("room_id", "=", roomId)
    .where("person", "=", person)
    .where(({ or, eb }) => or([eb("ends_at", "is", null), eb("ends_at", ">", now())]))
    .execute();
  if (bans.some(({ meeting_id: id }) => id === null || id === meeting?.id)) refuse("banned");
};

/** Removes bans whose time is over. */
export const removeOldBans = async (tx: Queries): Promise<void> => {
  await tx.deleteFrom("bans").where("ends_at", "<=", now()).execute();
};

/** Counts that a moderator has sent somebody away who waited. */
export const countSentAway = async (tx: Queries, seat: PersonSeat): Promise<void> => {
  const { room_id: room, person: guest, claimed_from: from } = seat;
  await countRefused(tx, { room, guest, from: from ?? "" });
};

/**
 * Checks that somebody may ask again to be let in.
 *
 * @throws Refusal `too_many_requests` with the seconds to wait, for a guest whom moderators have sent
 *   away again and again, or who comes from an address of such guests
 */
export const checkSentAway = (
  tx: Queries,
  room: string,
  { person: guest, claimedFrom }: { readonly person: string; readonly claimedFrom: string | null },
): Promise<void> => checkRefused(tx, { room, guest, from: claimedFrom ?? "" });
