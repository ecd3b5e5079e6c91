import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Organization, Queries } from "../change/organization.ts";
import type { Lookup } from "../db/prepared.ts";
import type { RoomRow } from "../db/tables.ts";
import { seesRoom } from "./own-rooms.ts";
import { recordFor } from "./room-secrets.ts";
import { formerOwners, recordOf, withoutFormer } from "./rooms.ts";

/** For a query over rooms as `r`: whether this person owns the room. */
export const isOwner = (userId: string | null): RawBuilder<SqlBool> =>
  sql`exists (select 1 from room_owners as o where o.room_id = r.id and o.user_id = ${userId})`;

/** A room without former owners. */
export interface FoundRoom extends RoomRow {
  /** The former owners of the organization, as `formerOwners` answers them. */
  readonly former: string | null;
  /** The record as it is stored, with former owners, some of whom may be restored. */
  readonly stored: string;
}

/**
 * The room with this ID in an organization, without former owners; undefined if it is
 * unknown or deleted.
 */
export const findRoom = async (
  db: Queries,
  organizationId: string,
  room: string,
): Promise<FoundRoom | undefined> => {
  const found = await db
    .selectFrom("rooms")
    .selectAll()
    .select(formerOwners(sql.ref("rooms.organization_id")).as("former"))
    .where("organization_id", "=", organizationId)
    .where("room", "=", room)
    .where("deleted_at", "is", null)
    .executeTakeFirst();
  if (found === undefined) return undefined;
  return { ...withoutFormer(found, found.former), former: found.former, stored: found.record };
};

interface Fetched extends Pick<RoomRow, "organization_id" | "room" | "form" | "record"> {
  readonly former: string | null;
}

const byRoom: Lookup<Fetched> = {
  parts: 2,
  keyOf: ({ organization_id, room }) => [organization_id, room],
  query: (db, organization, room) =>
    db
      .selectFrom("rooms")
      .select(["organization_id", "room", "form", "record"])
      .select(formerOwners(sql.ref("rooms.organization_id")).as("former"))
      .where(organization("organization_id"))
      .where(room("room"))
      .where("deleted_at", "is", null),
};

/**
 * The record of a room as its caller sees it. Administrators see every room of the organization, other
 * callers the rooms that they own.
 */
export const fetchRecord = async (
  { id, find, caller }: Organization,
  room: string,
): Promise<string | undefined> => {
  const row = await find(byRoom, [id, room]);
  if (row === undefined) return undefined;
  const record = recordFor(caller)(recordOf(row, row.former));
  // Administrators need no check, which would have to parse the record.
  if (caller.admin) return record;
  return seesRoom(caller, JSON.parse(record).roomOwnerId.split(",")) ? record : undefined;
};
