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

/** Every query runs on the one connection that there is: nobody has to queue for it. */
class ImmediateAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

/**
 * No bare parameter as a limit: SQLite looks at the value of one when it prepares a statement, and
 * prepares it anew whenever another value is bound.
 */
class LimitCompiler extends SqliteQueryCompiler {
  protected override visitLimit(node: LimitNode): void {
    super.visitLimit(node);
    this.append(" + 0");
  }
}

/** How a database is spoken to. One adapter for each: by it, queries that are built are kept. */
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
 * Kysely on one connection, which is asked by `executeQuery`: each query at once, also while others
 * wait for their answers. Transactions are begun by `Database.change` only: see changes.ts.
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
