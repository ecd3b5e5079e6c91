import {
  type BinaryOperationNode,
  ColumnNode,
  type DatabaseConnection,
  type Driver,
  DummyDriver,
  Kysely,
  type LimitNode,
  type OperationNode,
  OperatorNode,
  ReferenceNode,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
  ValueNode,
} from "kysely";
import type { ColumnTypes } from "../migrations/migration.ts";
import type { statementRunner } from "./statements.ts";

/** Every query runs on the only connection, without a queue. */
class ImmediateAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

/** Returns whether this is the column `state`, on which the conditions of indexes depend. */
const isState = (node: OperationNode): boolean =>
  ReferenceNode.is(node) && ColumnNode.is(node.column) && node.column.column.name === "state";

/**
 * Avoids a bare parameter as a limit, as a pattern or as a state: SQLite looks at its value when it prepares a
 * statement, and prepares the statement again each time when one is given. For what somebody who joins is asked, that
 * takes longer than the answer.
 */
class SteadyCompiler extends SqliteQueryCompiler {
  protected override visitLimit(node: LimitNode): void {
    super.visitLimit(node);
    this.append(" + 0");
  }

  protected override visitBinaryOperation(node: BinaryOperationNode): void {
    const { leftOperand, operator, rightOperand } = node;
    const value = ValueNode.is(rightOperand) ? rightOperand.value : undefined;
    const isWord = typeof value === "string" && /^\w+$/.test(value);
    super.visitBinaryOperation(
      isWord && isState(leftOperand)
        ? { ...node, rightOperand: ValueNode.createImmediate(value) }
        : node,
    );
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
