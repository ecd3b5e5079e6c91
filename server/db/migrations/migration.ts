import type { Kysely, RawBuilder } from "kysely";

/** One step of the tables. Never edited after its release: the next migration corrects a mistake. */
export interface Migration {
  /** A number that sorts, and what it does: `0002-room-tags`. */
  readonly name: string;
  up(db: Kysely<unknown>, types: ColumnTypes): Promise<void>;
}

/** The names of column types in this database, so that one migration serves both databases. */
export interface ColumnTypes {
  /** Text that compares and sorts byte by byte. */
  readonly text: RawBuilder<unknown>;
  readonly integer: RawBuilder<unknown>;
  /** Whole numbers up to 2^53 - 1. */
  readonly bigint: RawBuilder<unknown>;
  readonly boolean: RawBuilder<unknown>;
  /**
   * The end of a `create table` that stores the rows in the order of their primary key, if the database
   * can do that.
   */
  readonly inKeyOrder: RawBuilder<unknown>;
}

/** The database as the migrations use it. */
export interface SchemaAccess {
  readonly types: ColumnTypes;
  /** Runs work on its own connection, without time limits, while no other process does. */
  alone<T>(work: (db: Kysely<unknown>) => Promise<T>): Promise<T>;
  /** Backs up the database before this migration, and returns the path (SQLite). */
  keepBefore?(migration: string): Promise<string>;
}
