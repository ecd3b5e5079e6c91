import { sql } from "kysely";
import type { Checked, Reply } from "../../../contract/kit/operation.ts";
import { reason } from "../../../contract/kit/reasons.ts";
import type {
  liftBan as liftContract,
  listBans as listContract,
} from "../../../contract/meetings/bans.ts";
import { checkRefused, countRefused } from "../../access/throttle.ts";
import { type Facts, type Happened, roomSubject, userSubject } from "../../change/history.ts";
import type { Change, Organization, Queries } from "../../change/organization.ts";
import type { BanRow, MeetingRow, SeatRow } from "../../db/meeting-tables.ts";
import { now } from "../../db/now.ts";
import { guestPerson, USER } from "../../db/person-keys.ts";
import { prepared } from "../../db/prepared.ts";
import type { RoomRow } from "../../db/tables.ts";
import { uuid7 } from "../../lib/id.ts";
import { refuse } from "../../lib/refusal.ts";
import type { PersonSeat } from "../seats/seat.ts";
import { type Inside, namedSeat } from "../state/inside.ts";
import { ownRoom } from "../state/links.ts";
import { releaseSeats } from "../state/release.ts";

/*
 * Bans: who stays out of a room. A link lets in any guest, so a ban covers the account or the invited
 * person, and also the browser that they used, so that they cannot come back in it as a guest.
 */

const MINUTE_MS = 60_000;

/** How long somebody stays out: for this meeting, for good, or for a number of minutes. */
export type Ban = "meeting" | "always" | number;

/** The guest that somebody would be if they came back in the same browser without their account. */
const guestsOf = ({ device }: Pick<SeatRow, "device">): readonly string[] =>
  device === null ? [] : [guestPerson(device)];

/** The same for all browsers that the person of a seat has used in its meeting. */
const guestsOfPerson = async (
  tx: Queries,
  { meeting_id, person }: Pick<SeatRow, "meeting_id" | "person">,
): Promise<readonly string[]> => {
  const seats = await tx
    .selectFrom("seats")
    .select("device")
    .distinct()
    .where("meeting_id", "=", meeting_id)
    .where("person", "=", person)
    .execute();
  return seats.flatMap(guestsOf);
};

/** A ban as it is answered. */
type Listed = Reply<typeof listContract>["bans"][number];

/** How long a ban lasts. */
const spanOf = ({
  meeting_id,
  ends_at,
}: Pick<BanRow, "meeting_id" | "ends_at">): Pick<Listed, "lasts" | "endsAt"> => ({
  lasts: meeting_id !== null ? "meeting" : ends_at === null ? "always" : "time",
  endsAt: ends_at,
});

/** The order of bans, by how long they last. */
const lengthOf = ({ meeting_id, ends_at }: Pick<BanRow, "meeting_id" | "ends_at">): number => {
  if (meeting_id !== null) return 0;
  return ends_at === null ? Number.MAX_VALUE : Date.parse(ends_at);
};

/** The history entry of a ban: about the account if there is one, so that it is erased with the account. */
const entryOf = (
  { room, name }: Pick<RoomRow, "room" | "name">,
  { peerName, userId, lasts, endsAt }: Omit<Listed, "peerId" | "createdAt">,
): Pick<Happened, "subject"> & { readonly facts: Facts } => ({
  subject:
    userId === null
      ? roomSubject({ room, name })
      : { ...userSubject({ id: userId, name: peerName }), room },
  facts: {
    ...(userId === null ? { peerName } : { roomName: name }),
    lasts,
    ...(endsAt === null ? {} : { endsAt }),
  },
});

type SeatIds = Pick<SeatRow, "id" | "organization_id" | "room_id" | "meeting_id">;
type Browser = SeatIds & Pick<SeatRow, "device">;

const banRow = (
  change: Change,
  { id, organization_id, room_id, meeting_id }: SeatIds,
  person: string,
  ban: Ban,
) => ({
  id: uuid7(),
  organization_id,
  room_id,
  person,
  created_at: change.now,
  seat_id: id,
  meeting_id: ban === "meeting" ? meeting_id : null,
  ends_at: typeof ban === "number" ? now(ban * MINUTE_MS) : null,
});

/**
 * Keeps the person of a seat out of its room. A ban for a meeting is for that of the seat.
 *
 * @returns the keys of everybody who stays out: the person, and the guests in the same browsers
 */
export const banSeat = async (
  { change, room, actor: by }: Pick<Inside, "change" | "room" | "actor">,
  seat: PersonSeat,
  ban: Ban,
): Promise<ReadonlySet<string>> => {
  const banned = new Set([seat.person, ...(await guestsOfPerson(change.tx, seat))]);
  const rows = [...banned].map((who) => banRow(change, seat, who, ban));
  const row = await change.tx
    .insertInto("bans")
    .values(rows)
    .returning(["meeting_id", "ends_at"])
    .executeTakeFirstOrThrow();
  const who = { peerName: seat.peer_name, userId: seat.user_id };
  const { subject, facts } = entryOf(room, { ...who, ...spanOf(row) });
  change.happened({ kind: "personBanned", subject, after: facts, ...(by && { by }) });
  return banned;
};

/**
 * Keeps people from coming back as guests to the meetings in which they had these seats, after their
 * accounts or invitations have ended, and from staying there as guests.
 */
export const banAsGuests = async (change: Change, seats: readonly Browser[]): Promise<void> => {
  // Somebody who left and came back has several seats: one ban is enough.
  const last = new Map(seats.map((seat) => [`${seat.meeting_id} ${seat.device}`, seat]));
  const rows = [...last.values()].flatMap((seat) =>
    guestsOf(seat).map((who) => banRow(change, seat, who, "meeting")),
  );
  if (rows.length === 0) return;
  await change.tx.insertInto("bans").values(rows).execute();
  const banned = new Set(rows.map(({ meeting_id, person }) => `${meeting_id} ${person}`));
  const guests = await change.tx
    .selectFrom("seats")
    .selectAll()
    .where("meeting_id", "in", [...new Set(seats.map(({ meeting_id }) => meeting_id))])
    .where("person", "in", [...new Set(rows.map(({ person }) => person))])
    .where("left_at", "is", null)
    .execute();
  const inside = guests.filter(({ meeting_id, person }) => banned.has(`${meeting_id} ${person}`));
  await releaseSeats(change, inside, "banned");
};

/** The bans of a room that have not expired. */
const bansOf = (db: Queries, roomId: string) =>
  db
    .selectFrom("bans as b")
    .where("b.room_id", "=", roomId)
    .where(({ or, eb }) => or([eb("b.ends_at", "is", null), eb("b.ends_at", ">", now())]));

/** The query of `bansIn`. */
export const askBans = prepared<
  null,
  { readonly roomId: string; readonly person: string },
  Pick<BanRow, "meeting_id">
>((db, _, { roomId, person }) =>
  bansOf(db, roomId).select("b.meeting_id").where("b.person", "=", person),
);

/** The meetings of a room from which bans keep somebody out; null: from all. */
export const banned = async (
  db: Queries,
  roomId: string,
  person: string,
): Promise<readonly (string | null)[]> => bansIn(await askBans(db, null, { roomId, person }));

/** The same, from rows that were read. */
export const bansIn = (rows: readonly Pick<BanRow, "meeting_id">[]): readonly (string | null)[] =>
  rows.map(({ meeting_id }) => meeting_id);

/** @throws Refusal `banned` */
export const refuseBanned = (
  bans: readonly (string | null)[],
  meeting: Pick<MeetingRow, "id"> | undefined,
): void => {
  if (bans.some((id) => id === null || id === meeting?.id)) refuse("banned");
};

/**
 * The people excluded from a room, the longest excluded first. A ban outlives the seat, which is deleted with
 * its meeting, and can still name the account.
 */
const excludedFrom = async (db: Queries, roomId: string): Promise<Listed[]> => {
  const rows = await bansOf(db, roomId)
    .leftJoin("seats as s", "s.id", "b.seat_id")
    .leftJoin("users as u", (join) =>
      join
        .on("b.person", "like", `${USER}%`)
        .on("u.id", "=", sql<string>`substr(b.person, ${sql.lit(USER.length + 1)})`)
        .onRef("u.organization_id", "=", "b.organization_id")
        .on("u.gone_at", "is", null),
    )
    .select(["b.id", "b.seat_id", "b.meeting_id", "b.created_at", "b.ends_at"])
    .select(["s.peer_name", "s.user_id", "u.id as account", "u.name"])
    .orderBy("b.created_at")
    .orderBy("b.id")
    .execute();
  // The bans of a person and of their browser are one entry.
  const bySeat = Map.groupBy(rows, ({ seat_id, id: own }) => seat_id ?? own);
  return [...bySeat].flatMap(([peerId, both]) => {
    const row = both.find(({ account }) => account !== null) ?? both[0];
    // A person who was excluded more than once stays out for the longest of these times.
    const [longest] = both.toSorted((one, other) => lengthOf(other) - lengthOf(one));
    if (row === undefined || longest === undefined) return [];
    return {
      peerId,
      peerName: row.name ?? row.peer_name ?? "",
      userId: row.account ?? row.user_id,
      createdAt: row.created_at,
      ...spanOf(longest),
    };
  });
};

/**
 * The people excluded from a room, in the order of `excludedFrom`.
 *
 * @throws Refusal `room_not_found`
 */
export const listBans = async (
  { read, id, caller }: Organization,
  roomId: string,
): Promise<Listed[]> => {
  const room = await ownRoom(read, id, caller, roomId);
  return excludedFrom(read, room.id);
};

/** The seats of the bans that a peerId means: of this seat, and of the others that its person has had. */
const banSeatsOf = async (
  db: Queries,
  roomId: string,
  peerId: string,
): Promise<readonly string[]> => {
  const named = await namedSeat(db, roomId, peerId);
  const bans = await bansOf(db, roomId)
    .select(["b.id", "b.seat_id"])
    .where(({ or, eb }) =>
      or([
        eb("b.seat_id", "=", peerId),
        eb("b.id", "=", peerId),
        ...(named ? [eb("b.person", "=", named.person)] : []),
      ]),
    )
    .execute();
  return [...new Set(bans.map(({ id, seat_id }) => seat_id ?? id))];
};

/**
 * Lets an excluded person come back.
 *
 * @throws Refusal `room_not_found`, `peer_not_found`
 */
export const liftBan = async (
  { tx, organization, caller, happened }: Change,
  { roomId, peerId }: Checked<typeof liftContract>,
): Promise<void> => {
  const room = await ownRoom(tx, organization.id, caller, roomId);
  const seats = await banSeatsOf(tx, room.id, peerId);
  const lifted = (await excludedFrom(tx, room.id)).filter((ban) => seats.includes(ban.peerId));
  if (lifted.length === 0) {
    refuse("peer_not_found", [], reason("nobody_excluded"));
  }
  await tx
    .deleteFrom("bans")
    .where("room_id", "=", room.id)
    .where(({ or, eb }) => or([eb("seat_id", "in", seats), eb("id", "in", seats)]))
    .execute();
  for (const ban of lifted) {
    const { subject, facts } = entryOf(room, ban);
    happened({ kind: "banLifted", subject, before: facts });
  }
};

/** Removes expired bans. */
export const removeOldBans = async (tx: Queries): Promise<void> => {
  await tx.deleteFrom("bans").where("ends_at", "<=", now()).execute();
};

/** Counts that a moderator has turned away somebody who waited. */
export const countSentAway = async (tx: Queries, seat: PersonSeat): Promise<void> => {
  const { room_id: room, person: guest, claimed_from: from } = seat;
  await countRefused(tx, { room, guest, from: from ?? "" });
};

/**
 * Checks that somebody may ask again to be let in.
 *
 * @throws Refusal `too_many_requests` with the seconds to wait, for a guest whom moderators have turned
 *   away repeatedly, or whose address has had such guests
 */
export const checkSentAway = (
  tx: Queries,
  room: string,
  { person: guest, claimedFrom }: { readonly person: string; readonly claimedFrom: string | null },
): Promise<void> => checkRefused(tx, { room, guest, from: claimedFrom ?? "" });
