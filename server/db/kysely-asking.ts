import {
  type DatabaseConnection,
  type Dialect,
  type DialectAdapter,
  type Driver,
  Kysely,
  type LimitNode,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";

/** Every query runs on the only connection, without a queue. */
class ImmediateAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

/**
 * Avoids a bare parameter as a limit: SQLite looks at its value when it prepares a statement, and
 * prepares the statement again for every other value.
 */
class LimitCompiler extends SqliteQueryCompiler {
  protected override visitLimit(node: LimitNode): void {
    super.visitLimit(node);
    this.append(" + 0");
  }
}

/** Compiler and adapter of each database. There is one adapter each: built queries are cached by it. */
const sqliteAdapter = new ImmediateAdapter();
const postgresAdapter = new PostgresAdapter();
const dialects = {
  sqlite: {
    createQueryCompiler: () => new LimitCompiler(),
    createAdapter: (): DialectAdapter => sqliteAdapter,
    createIntrospector: (kysely) => new SqliteIntrospector(kysely),
  },
  postgres: {
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createAdapter: (): DialectAdapter => postgresAdapter,
    createIntrospector: (kysely) => new PostgresIntrospector(kysely),
  },
} satisfies Record<string, Omit<Dialect, "createDriver">>;

/**
 * Kysely on one connection, queried by `executeQuery`: each query at once, even while others wait for
 * their answers. Only `Database.change` begins transactions: see changes.ts.
 */
export const kyselyAsking = <T>(
  dialect: keyof typeof dialects,
  executeQuery: DatabaseConnection["executeQuery"],
): Kysely<T> => {
  const connection: DatabaseConnection = {
    executeQuery,
    streamQuery() {
      throw new Error(
        "Large answers are read in pieces, never streamed: see docs/architecture.md.",
      );
    },
  };
  return new Kysely<T>({
    dialect: { ...dialects[dialect], createDriver: () => driverOf(connection) },
  });
};

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
