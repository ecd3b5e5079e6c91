import type { PostgresPool, PostgresPoolClient } from "kysely";
import type { Pool, PoolClient } from "pg";
import { DatabaseUnreachable, isDatabaseError, UnsupportedDatabase } from "../errors.ts";
import { refuseInsideChange } from "../inside-change.ts";
import { nameOf } from "../kept-texts.ts";
import { endsConnection } from "../sqlstate.ts";

/**
 * What a query may take as this process sees it: longer than the server's own limits, so that a
 * server which lives speaks first, and short enough that whoever asks hears within five seconds
 * also from one that is frozen.
 */
export const QUERY_MS = 3_300;
/** What a connection may be held for, the wait for it included. */
const LEASE_MS = 4_300;

/** The pool as Kysely knows it, each use of a connection limited in time. */
export const leasing = (pool: Pool): PostgresPool => ({
  options: pool.options,
  connect: () => lease(pool),
  end: () => pool.end(),
});

const lease = async (pool: Pool): Promise<PostgresPoolClient> => {
  refuseInsideChange();
  const until = performance.now() + LEASE_MS;
  const client = await pool.connect().catch(fail);
  // Its answer is not known, or it gives none any more: it is thrown away, never used again.
  let lost = false;

  const query = async (text: string, values: readonly unknown[]): Promise<unknown> => {
    const left = Math.min(QUERY_MS, until - performance.now());
    if (left <= 0) lost = true;
    try {
      if (lost) throw new DatabaseUnreachable();
      return await ask(client, text, values, left);
    } catch (error) {
      lost ||= losesConnection(error);
      if (text !== "rollback") return fail(error);
      // The server rolls back what it has of a connection that closes; the first error is what counts.
      lost = true;
      return { command: "ROLLBACK", rowCount: 0, rows: [] };
    }
  };

  return {
    query: query as PostgresPoolClient["query"],
    release: (destroy) => client.release(lost || destroy === true),
  };
};

/**
 * With a callback that is passed, and no `query_timeout`: pg assigns functions to properties for a
 * promise and for a time limit. V8 makes such a function old at once, and all that it reaches,
 * here every answer, stays until the next full collection of garbage.
 */
export const ask = (
  client: PoolClient,
  text: string,
  values: readonly unknown[],
  limitMs: number,
) =>
  new Promise<unknown>((resolve, reject) => {
    const timer = setTimeout(() => reject(new DatabaseUnreachable()), limitMs);
    const answer = (error: Error | null, result: unknown): void => {
      clearTimeout(timer);
      if (error) reject(error);
      else resolve(result);
    };
    void client.query({ text, values: [...values], name: nameOf(text) }, answer);
  });

/** Whether a connection that met this error is of no use any more. */
export const losesConnection = (error: unknown): boolean => {
  if (!isDatabaseError(error)) return true;
  return !(error instanceof Error && "code" in error) || endsConnection(String(error.code));
};

/** Throws what the rest of the program knows: an error of the server's, or that it is not reached. */
export const fail: (error: unknown) => never = (error) => {
  if (isDatabaseError(error) || error instanceof UnsupportedDatabase) throw error;
  // No word of the server's: a socket, a time limit or a closed connection.
  throw new DatabaseUnreachable(error);
};
