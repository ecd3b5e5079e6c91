import type { Kysely } from "kysely";
import type { Find } from "./lookup.ts";
import type { SchemaAccess } from "./migrations/migration.ts";
import type { Tables } from "./tables.ts";

/** The database of this installation, the same to its users whichever of the two it is. */
export interface Database {
  readonly name: "sqlite" | "postgres";
  /** Queries outside a change. Never used inside one. */
  readonly read: Kysely<Tables>;
  /** Queries outside a change that walk over very many rows: they hold nobody else up. */
  readonly scan: Kysely<Tables>;
  /** One row by its key, outside a change: for what every request asks. */
  readonly find: Find;
  /**
   * Runs work in a transaction and answers once it is durable. Anything thrown rolls back all of it.
   *
   * @param organizationId whose row the work takes first: changes of one organization run one after
   *   the other anyway, so that those that wait may share a commit
   */
  change<T>(work: (tx: Kysely<Tables>) => Promise<T>, organizationId?: string): Promise<T>;
  /** Database answers and migrations are in. */
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
  /** The service itself: it takes the exclusive lock on SQLite. The command line leaves it out. */
  readonly service?: boolean;
  /** Told when the disk failed to make a commit last: nothing is written any more (SQLite). */
  readonly onBroken?: (error: unknown) => void;
  /** Very much is going to be written: worth the memory that it takes (SQLite, some 200 MB). */
  readonly bulk?: boolean;
  /** The most connections to PostgreSQL. */
  readonly poolSize?: number;
}
