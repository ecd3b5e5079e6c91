import {
  type BinaryOperationNode,
  type DatabaseConnection,
  type Driver,
  DummyDriver,
  Kysely,
  type LimitNode,
  OperatorNode,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from "kysely";
import type { ColumnTypes } from "../migrations/migration.ts";
import type { statementRunner } from "./statements.ts";

/** Every query runs on the only connection, without a queue. */
class ImmediateAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

/**
 * Avoids a bare parameter as a limit or as a pattern: SQLite looks at its value when it prepares a statement, and
 * prepares the statement again each time when one is given. For what somebody who joins is asked, that takes
 * longer than the answer.
 */
class SteadyCompiler extends SqliteQueryCompiler {
  protected override visitLimit(node: LimitNode): void {
    super.visitLimit(node);
    this.append(" + 0");
  }

  protected override visitBinaryOperation(node: BinaryOperationNode): void {
    super.visitBinaryOperation(node);
    const { operator } = node;
    if (OperatorNode.is(operator) && operator.operator === "like") this.append(" || ''");
  }
}

/**
 * Kysely on one SQLite connection, queried by `executeQuery`: each query at once, even while others
 * wait for their answers. Transactions are begun by `Database.change` only.
 */
export const kyselyAsking = <T>(executeQuery: DatabaseConnection["executeQuery"]): Kysely<T> => {
  const refuse = (): never => {
    throw new Error("Begin transactions with Database.change, and read large answers in pieces.");
  };
  const connection: DatabaseConnection = { executeQuery, streamQuery: refuse };
  const driver: Driver = Object.assign(new DummyDriver(), {
    acquireConnection: async () => connection,
    beginTransaction: refuse,
  });
  return new Kysely<T>({
    dialect: {
      createQueryCompiler: () => new SteadyCompiler(),
      createAdapter: () => new ImmediateAdapter(),
      createIntrospector: (kysely) => new SqliteIntrospector(kysely),
      createDriver: () => driver,
    },
  });
};

/** Kysely on one SQLite connection, whose statements `run` runs. */
export const kyselyOn = <T>(run: ReturnType<typeof statementRunner>): Kysely<T> =>
  kyselyAsking<T>(async (query) => run(query));

/** The names of column types on SQLite. */
export const sqliteTypes: ColumnTypes = {
  text: sql`text`,
  integer: sql`integer`,
  bigint: sql`bigint`,
  boolean: sql`boolean`,
  inKeyOrder: sql`without rowid`,
};
