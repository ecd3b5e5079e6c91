import type { Kysely } from "kysely";
import type { ColumnTypes } from "../schema-access.ts";

/** One step of the database's form. Never edited after its release: a mistake is mended by the next. */
export interface Migration {
  /** A number that sorts, and what it does: `0002-room-tags`. */
  readonly name: string;
  up(db: Kysely<unknown>, types: ColumnTypes): Promise<void>;
}
