import type { Kysely } from "kysely";
import type { Find } from "./lookup.ts";
import type { SchemaAccess } from "./migrations/migration.ts";
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
  change<T>(work: (tx: Kysely<Tables>) => Promise<T>, organizationId?: string): Promise<T>;
  /** Whether the database answers and all migrations are applied. */
  ready(): Promise<boolean>;
  /** Connections by state, for the operator; SQLite has none. */
  load(): Readonly<Record<string, number>>;
  close(): Promise<void>;
  /** For migrations only. */
  readonly schema: SchemaAccess;
}

export interface DatabaseConfig {
  readonly databaseUrl: string | undefined;
  readonly dataDir: string;
}

export interface DatabaseOptions {
  /** The service itself, which takes the exclusive lock on SQLite; the command line does not. */
  readonly service?: boolean;
  /** Called when the disk failed to make a commit durable: nothing is written any more (SQLite). */
  readonly onBroken?: (error: unknown) => void;
  /** For bulk writes: uses more memory (SQLite, some 200 MB). */
  readonly bulk?: boolean;
  /** The most connections to PostgreSQL. */
  readonly poolSize?: number;
}
