import type { Kysely } from "kysely";
import type { Announcements } from "./announcements.ts";
import type { Bell } from "./bell.ts";
import type { Work } from "./changes.ts";
import type { SchemaAccess } from "./migrations/migration.ts";
import type { Find } from "./prepared.ts";
import type { Tables } from "./tables.ts";

/** The database of this installation: one interface for SQLite and PostgreSQL. */
export interface Database {
  readonly name: "sqlite" | "postgres";
  /** Queries outside a change. Never used inside one. */
  readonly read: Kysely<Tables>;
  /**
   * Queries of an organization, outside a change, that walk over very many rows, without holding up
   * other callers. A query throws Refusal `overloaded` when too many of the organization wait.
   */
  readonly scan: (organizationId: string) => Kysely<Tables>;
  /** One row by its key, outside a change: for the lookups of every request. */
  readonly find: Find;
  /**
   * Runs work in a transaction and resolves once it is durable. Any error rolls back all of it.
   *
   * @param organizationId the organization whose row the work locks first. Changes of one
   *   organization run one after the other anyway, so waiting ones may share a commit.
   */
  change<T>(work: Work<T>, organizationId?: string): Promise<T>;
  /**
   * Runs work as `change` does, for changes of which strangers decide how many wait for the row that each
   * locks first. Changes with the same key run one after the other, and all of them together leave most
   * connections free. Each has its own commit: a shared one would lock the rows of several changes, and two
   * of them could deadlock.
   *
   * @throws Refusal `overloaded` when too many with this key wait already
   */
  changeInTurn<T>(key: string, work: Work<T>): Promise<T>;
  /**
   * Removes what deleted rows leave behind in the files of SQLite, unless others use them at this
   * moment; PostgreSQL reuses it by itself.
   */
  forget(): Promise<void>;
  /**
   * The same, also for what is left in pages that are still in use: writes the file of SQLite again. Takes
   * about a second for 100 MB, in which others read and nobody writes.
   *
   * @throws Error if the disk is full, or others write without a pause
   */
  rewrite(): Promise<void>;
  /** Tells the processes of the service which meetings have changed. */
  readonly announcements: Announcements;
  /** Wakes the work that changes leave for the background of this process. */
  readonly leftWork: Bell;
  /** Returns whether the database answers and all migrations are applied. */
  ready(): Promise<boolean>;
  /** Returns whether it has answered anything lately: a request that has waited too long has then waited for others. */
  readonly isAnswering: () => boolean;
  /** Connections by state, for the operator; SQLite has none. */
  load(): Readonly<Record<string, number>>;
  /** Says that this service is ending: one that starts on the same files waits for it (SQLite). */
  leave(): void;
  close(): Promise<void>;
  /** For migrations only. */
  readonly schema: SchemaAccess;
}

export interface DatabaseOptions {
  /** The service itself, which takes the exclusive lock on SQLite; the command line does not. */
  readonly service?: boolean;
  /** Called when the disk failed to make a commit durable: nothing is written any more (SQLite). */
  readonly onBroken?: (error: unknown) => void;
  /** Called if another service holds the files and is ending, which this one waits for (SQLite). */
  readonly onWaiting?: () => void;
  /** For bulk writes: uses more memory (SQLite, some 200 MB). */
  readonly bulk?: boolean;
  /** The most connections to PostgreSQL. */
  readonly poolSize?: number;
}
