import { sql } from "kysely";
import { type FieldReason, wrong } from "../../contract/kit/reasons.ts";
import { MOST_OWNERS } from "../../contract/rooms/rooms.ts";
import { changedFacts, roomSubject } from "../change/history.ts";
import { type Change, type Queries, timeAfter } from "../change/organization.ts";
import { prepared } from "../db/prepared.ts";
import { roomFacts, roomSecrets } from "./facts.ts";
import { formerOwners, roomOf, withoutOwners } from "./rooms.ts";
import { activeAmong } from "./user-queries.ts";

/**
 * The errors of newly named owners; owners that a room already has are always accepted. An error names
 * the position and not the ID: it is the same for an unknown account and for one of another
 * organization.
 */
export const ownerErrors = async (
  db: Queries,
  organizationId: string,
  owners: readonly string[],
  current: readonly string[] = [],
  field = "roomOwnerId",
): Promise<readonly FieldReason[]> => {
  if (owners.length === 0 && current.length > 0) {
    return [wrong(field, "required")];
  }
  const named = owners.filter((owner) => !current.includes(owner));
  const active = await activeAmong(db, organizationId, named);
  const unknown = owners.findIndex((owner) => named.includes(owner) && !active.has(owner));
  if (unknown === -1) return [];
  return [wrong(field, "unknown_owner", { at: unknown + 1, count: owners.length })];
};

interface Owned {
  readonly organizationId: string;
  readonly roomId: string;
  readonly owners: readonly string[];
}

const insertOwners = prepared<null, Owned, never>((tx, _, { organizationId, roomId, owners }) =>
  tx
    .insertInto("room_owners")
    .values(
      owners.map((user_id) => ({ user_id, room_id: roomId, organization_id: organizationId })),
    ),
);

/** Sends the owners of a room that has none yet. */
export const addOwners = (
  { tx, send, organization }: Pick<Change, "tx" | "send" | "organization">,
  roomId: string,
  owners: readonly string[],
): void => {
  if (owners.length === 0) return;
  send(insertOwners.statement(tx, null, { organizationId: organization.id, roomId, owners }));
};

/** Replaces the owners of a room. */
export const replaceOwners = async (
  change: Pick<Change, "tx" | "send" | "organization">,
  roomId: string,
  owners: readonly string[],
): Promise<void> => {
  await change.tx.deleteFrom("room_owners").where("room_id", "=", roomId).execute();
  addOwners(change, roomId, owners);
};

/** How many rooms one change takes from former owners, so that other changes can run in between. */
export const MENDED = 50;

/**
 * Removes people who are deleted permanently as owners of up to `MENDED` rooms. The rooms stay, with
 * their other owners.
 */
export const dropOwners = async (tx: Queries, userIds: readonly string[]): Promise<void> => {
  const owned = await tx
    .selectFrom("room_owners")
    .select("room_id")
    .where("user_id", "in", userIds)
    // Without an order, PostgreSQL may read the owners of all organizations each time.
    .orderBy("user_id")
    .orderBy("room_id")
    .limit(MENDED)
    .execute();
  if (owned.length === 0) return;
  const ids = [...new Set(owned.map(({ room_id }) => room_id))];
  const rooms = await tx
    .selectFrom("rooms")
    .select(["id", "record"])
    .where("id", "in", ids)
    .execute();
  const mended = rooms.map(
    ({ id, record }) => sql`(${id}, ${withoutOwners(record, userIds.join(","))})`,
  );
  await sql`
    update rooms set record = mended.column2 from (values ${sql.join(mended)}) as mended
    where rooms.id = mended.column1`.execute(tx);
  await tx
    .deleteFrom("room_owners")
    .where("room_id", "in", ids)
    .where("user_id", "in", userIds)
    .execute();
};

/**
 * The next rooms of an owner, in the order of their internal IDs. Rooms that are deleted, or in the bin, have
 * no owners.
 *
 * @param after the internal ID of the last room that was read; undefined: from the start
 */
export const nextOwned = (db: Queries, userId: string, size: number, after?: string) =>
  db
    // The IDs first, then their rooms: otherwise PostgreSQL, while it has no statistics about them, would sort
    // all rooms of the owner each time, or walk over all rooms from the start.
    .selectFrom(({ selectFrom }) =>
      selectFrom("room_owners")
        .select("room_id")
        .where("user_id", "=", userId)
        .$if(after !== undefined, (query) => query.where("room_id", ">", after ?? ""))
        .orderBy("room_id")
        .limit(size)
        .as("o"),
    )
    .innerJoin("rooms", "rooms.id", "o.room_id")
    .orderBy("o.room_id");

/** How many rooms one change hands on. */
export const HANDED = 50;

/** The owners of a room, with heirs in place of one. If they were too many, the last heirs are omitted. */
const handedTo = (
  owners: readonly string[],
  from: string,
  heirs: readonly string[],
): readonly string[] => {
  const fresh = heirs.filter((heir) => !owners.includes(heir));
  const room = MOST_OWNERS - owners.length + 1;
  return owners.flatMap((owner) => (owner === from ? fresh.slice(0, room) : [owner]));
};

/**
 * Gives up to `HANDED` rooms of an owner to heirs, who take the owner's place. Each one counts as an edit
 * of the room, in the history and for the people inside.
 *
 * @returns how many rooms were found: fewer than `HANDED` when none is left
 */
export const handOn = async (
  change: Change,
  from: string,
  heirs: readonly string[],
): Promise<number> => {
  const { tx, organization } = change;
  const rows = await nextOwned(tx, from, HANDED)
    .selectAll("rooms")
    .select(formerOwners(sql`${organization.id}`).as("former"))
    .execute();
  if (rows.length === 0) return 0;
  const ids = rows.map(({ id }) => id);
  const former = new Set(rows[0]?.former?.split(","));
  const handed = rows.map((row) => {
    const room = roomOf(row);
    const owners = handedTo(room.owners, from, heirs);
    // The history does not name former owners, as answers do not.
    const factsWith = (all: readonly string[]) =>
      roomFacts({ ...room, owners: all.filter((owner) => !former.has(owner)) });
    change.happened({
      kind: "roomEdited",
      subject: roomSubject(row),
      ...changedFacts(factsWith(room.owners), factsWith(owners), roomSecrets),
    });
    return { row, owners, updatedAt: timeAfter(change, row.updated_at) };
  });
  const edited = handed.map(({ row: { id, record }, owners, updatedAt }) => {
    const stored = { ...JSON.parse(record), roomOwnerId: owners.join(","), updatedAt };
    return sql`(${id}, ${JSON.stringify(stored)}, ${updatedAt})`;
  });
  await sql`
    update rooms set record = edited.column2, updated_at = edited.column3
    from (values ${sql.join(edited)}) as edited where rooms.id = edited.column1`.execute(tx);
  await tx
    .deleteFrom("room_owners")
    .where("user_id", "=", from)
    .where("room_id", "in", ids)
    .execute();
  await tx
    .insertInto("room_owners")
    .values(
      handed.flatMap(({ row, owners }) =>
        heirs
          .filter((heir) => owners.includes(heir))
          .map((user_id) => ({ user_id, room_id: row.id, organization_id: organization.id })),
      ),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const meetings = await tx
    .selectFrom("meetings")
    .select("id")
    .where("room_id", "in", ids)
    .where("ended_at", "is", null)
    .execute();
  for (const { id } of meetings) change.announce(id);
  return rows.length;
};
