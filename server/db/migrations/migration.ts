import type { Kysely, RawBuilder } from "kysely";

/** One step of the database's form. Never edited after its release: a mistake is mended by the next. */
export interface Migration {
  /** A number that sorts, and what it does: `0002-room-tags`. */
  readonly name: string;
  up(db: Kysely<unknown>, types: ColumnTypes): Promise<void>;
}

/** What each kind of column is called in this database, so that one migration serves both. */
export interface ColumnTypes {
  /** Text that compares and sorts byte by byte. */
  readonly text: RawBuilder<unknown>;
  readonly integer: RawBuilder<unknown>;
  /** Whole numbers up to 2^53 - 1. */
  readonly bigint: RawBuilder<unknown>;
  readonly boolean: RawBuilder<unknown>;
  /** Ends a table whose rows are kept in the order of their primary key, where there is such a thing. */
  readonly inKeyOrder: RawBuilder<unknown>;
}

/** The way of the migrations to the database. */
export interface SchemaAccess {
  readonly types: ColumnTypes;
  /** Runs work on a connection of its own, without time limits, alone among all processes. */
  alone<T>(work: (db: Kysely<unknown>) => Promise<T>): Promise<T>;
  /** Keeps a backup of the database as it is before this migration, and answers where (SQLite). */
  keepBefore?(migration: string): Promise<string>;
}
