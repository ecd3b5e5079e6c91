import { type RawBuilder, sql } from "kysely";
import type { Organization } from "../change/organization.ts";
import { hasText } from "../db/dialect.ts";

/** The rooms that count; undefined for all, deleted ones included. */
export interface RoomFilter {
  readonly roomType?: string | undefined;
  readonly tag?: string | undefined;
}

/** The rooms whose owners have a tag. */
const taggedRooms = ({ id, scan }: Organization, tag: string): RawBuilder<unknown> => sql`
  select o.room_id from room_owners o join users u on u.id = o.user_id
  where o.organization_id = ${id} and u.gone_at is null and ${hasText(scan, "u.tags", tag)}`;

/** The beginning of a query with `inRooms`: finds the rooms with a tag once. */
export const withRooms = (organization: Organization, { tag }: RoomFilter): RawBuilder<unknown> =>
  tag === undefined ? sql`` : sql`with tagged(room_id) as (${taggedRooms(organization, tag)})`;

/** The columns that `inRooms` needs. */
interface Columns {
  /** Makes the condition that a row's room has this type. */
  readonly isOfType: (roomType: string) => RawBuilder<unknown>;
  readonly roomId: RawBuilder<unknown>;
}

const usageColumns: Columns = {
  isOfType: (roomType) => sql`room_type = ${roomType}`,
  roomId: sql`room_id`,
};

/** A further condition on usage rows, in a query that begins with `withRooms`. */
export const inRooms = (
  { roomType, tag }: RoomFilter,
  { isOfType, roomId }: Columns = usageColumns,
): RawBuilder<unknown> => sql`${roomType === undefined ? sql`` : sql`and ${isOfType(roomType)}`}
  ${tag === undefined ? sql`` : sql`and ${roomId} in (select room_id from tagged)`}`;
