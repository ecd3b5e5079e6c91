import type { Selectable } from "kysely";

/**
 * What rests in the recycle bin. The row of a room or person stays in its table, in the state in
 * which no answer contains it (`rooms.deleted_at`, `users.gone_at`), with everything that belongs to
 * it; this row says that it may come back.
 */
export interface BinTable {
  /** The ID of the row of the room or person. */
  readonly id: string;
  readonly organization_id: string;
  /** Exactly one of room_id and user_id is set. */
  readonly room_id: string | null;
  readonly user_id: string | null;
  readonly name: string;
  /** Folded for search. */
  readonly name_key: string;
  /** JSON: of a person, the columns that are erased meanwhile; `{}` of a room. */
  readonly kept: string;
  readonly deleted_at: string;
  /** When it is deleted for good. */
  readonly ends_at: string;
}

export type BinRow = Selectable<BinTable>;
