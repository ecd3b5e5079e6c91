import type { Selectable } from "kysely";

/**
 * An entry of the recycle bin. The row of a room or person stays in its table, in the state in which no
 * answer contains it (`rooms.deleted_at`, `users.gone_at`), with everything that belongs to it; this
 * row says that it may come back.
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
  /** JSON: of a person, the columns that are erased for the time in the bin; `{}` of a room. */
  readonly kept: string;
  readonly deleted_at: string;
  /** When it is deleted permanently. */
  readonly ends_at: string;
}

/** Rooms that are being handed over in the background (users/hand-over.ts). */
export interface HandOversTable {
  /** The person whose rooms are handed over; at most one row for each person. */
  readonly user_id: string;
  readonly organization_id: string;
  /** JSON: array of user IDs. */
  readonly heirs: string;
  /** The account that requested it, for the history; null for other callers, and when it is gone. */
  readonly by_user: string | null;
  readonly by_access_key: string | null;
  readonly created_at: string;
  /** The number of its entry in the history; null: it began before such entries existed. */
  readonly entry: number | null;
}

export type BinRow = Selectable<BinTable>;
