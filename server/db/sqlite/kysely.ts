import type { DatabaseSync } from "node:sqlite";
import {
  type DatabaseConnection,
  type Dialect,
  type Driver,
  Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";
import { statementRunner } from "./statements.ts";

/**
 * Kysely on one SQLite connection. `beforeQuery` runs before each query and may refuse it; `onError`
 * sees what a query failed with.
 */
export const kyselyOn = <T>(
  db: DatabaseSync,
  beforeQuery: () => void,
  onError: (error: unknown) => void = () => {},
): Kysely<T> => {
  const run = statementRunner(db);
  return kyselyAsking<T>(async (query) => {
    beforeQuery();
    try {
      return run(query);
    } catch (error) {
      onError(error);
      throw error;
    }
  });
};

/**
 * Kysely in SQLite's words, asking by `executeQuery`. Beginning and ending transactions is not
 * Kysely's business here: see writer.ts and reader.ts.
 */
export const kyselyAsking = <T>(executeQuery: DatabaseConnection["executeQuery"]): Kysely<T> => {
  const connection: DatabaseConnection = {
    executeQuery,
    streamQuery() {
      throw new Error(
        "Large answers are read in pieces, never streamed: see docs/architecture.md.",
      );
    },
  };
  const dialect: Dialect = {
    createDriver: () => driverOf(connection),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createAdapter: () => new ImmediateAdapter(),
    createIntrospector: (kysely) => new SqliteIntrospector(kysely),
  };
  return new Kysely<T>({ dialect });
};

/** Every query runs to its end at once, so there is nothing to queue for. */
class ImmediateAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

const driverOf = (connection: DatabaseConnection): Driver => {
  const refuse = async (): Promise<never> => {
    throw new Error("Transactions are begun by Database.change only.");
  };
  const nothing = async (): Promise<void> => {};
  return {
    init: nothing,
    acquireConnection: async () => connection,
    releaseConnection: nothing,
    beginTransaction: refuse,
    commitTransaction: refuse,
    rollbackTransaction: refuse,
    destroy: nothing,
  };
};
