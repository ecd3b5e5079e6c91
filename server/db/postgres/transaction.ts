import type { CompiledQuery, QueryResult } from "kysely";
import type { Pool } from "pg";
import type { Transaction } from "../changes.ts";
import { kyselyAsking } from "../kysely-asking.ts";
import type { Tables } from "../tables.ts";
import { type Answer, lease } from "./lease.ts";

/** As Kysely's own driver returns it. */
const resultOf = <R>({ command, rowCount, rows }: Answer): QueryResult<R> => ({
  ...(command !== "SELECT" && { numAffectedRows: BigInt(rowCount ?? 0) }),
  rows: rows as R[],
});

/**
 * Makes transactions for changes on the connections of a pool with `pipeline`: the statements that
 * begin one and set its savepoints are sent with the next query, and concurrent queries of a change
 * are sent together.
 */
export const transactionsOn =
  (pool: Pool) =>
  async (since: number): Promise<Transaction> => {
    const { query, release } = await lease(pool, since);
    let begun = false;
    return {
      tx: kyselyAsking<Tables>("postgres", async <R>({ sql, parameters }: CompiledQuery) =>
        resultOf<R>(await query(sql, parameters)),
      ),
      async save() {
        const text = begun ? "release savepoint one; savepoint one" : "begin; savepoint one";
        begun = true;
        await query(text, []);
      },
      async undo() {
        await query("rollback to savepoint one", []);
      },
      async commit() {
        const { command } = await query("commit", []);
        // After a failed query the server rolls back instead, without an error.
        if (command !== "COMMIT") throw new Error("A change went on after a query of it failed.");
        release();
      },
      async abandon() {
        await query("rollback", []);
        release();
      },
    };
  };
