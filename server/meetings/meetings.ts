import type { MeetingsTable } from "../db/tables.ts";
import { uuid7 } from "../id.ts";
import type { Queries } from "../organization.ts";

export type Seat = "moderator" | "participant" | "viewer";

/** Somebody inside a meeting. */
export interface Attendee {
  readonly person: string;
  readonly seat: Seat;
  /** When they came, UTC with milliseconds. */
  readonly since: string;
}

/** How many people of each kind fit into a room. */
export type Seats = Readonly<Record<Seat, number>>;

/** An open meeting: somebody is inside. */
export interface OpenMeeting {
  readonly id: string;
  readonly startedAt: string;
  readonly inside: readonly Attendee[];
}

const parse = (row: Pick<MeetingsTable, "id" | "started_at" | "inside">): OpenMeeting => ({
  id: row.id,
  startedAt: row.started_at,
  inside: JSON.parse(row.inside),
});

/** The open meeting of a room. */
export const findOpenMeeting = async (
  db: Queries,
  roomId: string,
): Promise<OpenMeeting | undefined> => {
  const row = await db
    .selectFrom("meetings")
    .select(["id", "started_at", "inside"])
    .where("room_id", "=", roomId)
    .where("ended_at", "is", null)
    .executeTakeFirst();
  return row && parse(row);
};

/** Saves who is inside; an empty meeting ends. */
export const saveMeeting = async (
  tx: Queries,
  {
    organizationId,
    roomId,
    now,
  }: { readonly organizationId: string; readonly roomId: string; readonly now: string },
  meeting: OpenMeeting | undefined,
  inside: readonly Attendee[],
): Promise<void> => {
  const facts = { inside: JSON.stringify(inside), ended_at: inside.length === 0 ? now : null };
  await (meeting
    ? tx.updateTable("meetings").set(facts).where("id", "=", meeting.id)
    : tx.insertInto("meetings").values({
        id: uuid7(),
        organization_id: organizationId,
        room_id: roomId,
        started_at: now,
        ...facts,
      })
  ).execute();
};

/** The room's status: free, busy (seats left) or occupied (every seat taken). */
export const statusOf = (inside: readonly Attendee[], seats: Seats): string => {
  if (inside.length === 0) return "free";
  const all = seats.moderator + seats.participant + seats.viewer;
  return inside.length < all ? "busy" : "occupied";
};

/** How many rooms of an organization are in use, by status; rooms awaiting deletion not counted. */
export const countInUse = async (
  db: Queries,
  organizationId: string,
): Promise<{ readonly busy: number; readonly occupied: number }> => {
  const rows = await db
    .selectFrom("meetings as m")
    .innerJoin("rooms as r", "r.id", "m.room_id")
    .select("r.record")
    .where("m.organization_id", "=", organizationId)
    .where("m.ended_at", "is", null)
    .where("r.deleted_at", "is", null)
    .execute();
  const statuses = rows.map(({ record }) => JSON.parse(record).roomStatus);
  return {
    busy: statuses.filter((status) => status === "busy").length,
    occupied: statuses.filter((status) => status === "occupied").length,
  };
};
