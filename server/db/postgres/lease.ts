import type { PostgresPool, PostgresPoolClient } from "kysely";
import type { Pool, PoolClient } from "pg";
import { refuseInsideChange } from "../changes.ts";
import { DatabaseUnreachable, isDatabaseError, UnsupportedDatabase } from "../errors.ts";
import { nameOf } from "../kept-texts.ts";
import { endsConnection } from "./sqlstate.ts";

/**
 * What a query may take as this process sees it: longer than the server's own limits, so that a
 * server which lives speaks first, and short enough that callers hear within five seconds also from
 * one that is frozen.
 */
const QUERY_MS = 3_300;
/** What a connection may be held for, the wait for it included. */
const LEASE_MS = 4_300;

/** What the server answers to a query. */
export interface Answer {
  readonly command: string;
  readonly rowCount: number | null;
  readonly rows: unknown[];
}

/** A connection that is held for a limited time. */
interface Lease {
  query(text: string, values: readonly unknown[]): Promise<Answer>;
  release(destroy?: boolean): void;
}

/** The pool as Kysely knows it, each use of a connection limited in time. */
export const leasing = (pool: Pool): PostgresPool => ({
  options: pool.options,
  connect: async () => {
    refuseInsideChange();
    const { query, release } = await lease(pool);
    return { query: query as PostgresPoolClient["query"], release };
  },
  end: () => pool.end(),
});

/** @param since when the caller began to wait */
export const lease = async (pool: Pool, since = performance.now()): Promise<Lease> => {
  const until = since + LEASE_MS;
  const client = await connect(pool, until).catch(fail);
  // Its answer is not known, or it gives none any more: it is thrown away, never used again.
  let lost = false;

  const query = async (text: string, values: readonly unknown[]): Promise<Answer> => {
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

  return { query, release: (destroy) => client.release(lost || destroy === true) };
};

/** A connection of the pool. One that comes too late goes back. */
const connect = async (pool: Pool, until: number): Promise<PoolClient> => {
  const connecting = pool.connect();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      connecting.then((client) => client.release()).catch(() => {});
      reject(new DatabaseUnreachable());
    }, until - performance.now());
  });
  return await Promise.race([connecting, late]).finally(() => clearTimeout(timer));
};

/**
 * With a callback that is passed, and no `query_timeout`: pg assigns functions to properties for a
 * promise and for a time limit. V8 makes such a function old at once, and all that it reaches,
 * here every answer, stays until the next full collection of garbage.
 */
const ask = (client: PoolClient, text: string, values: readonly unknown[], limitMs: number) =>
  new Promise<Answer>((resolve, reject) => {
    const timer = setTimeout(() => reject(new DatabaseUnreachable()), limitMs);
    const answer = (error: Error | null, result: Answer): void => {
      clearTimeout(timer);
      if (error) reject(error);
      else resolve(result);
    };
    void client.query({ text, values: [...values], name: nameOf(text) }, answer);
  });

/** Whether a connection that met this error is of no use any more. */
const losesConnection = (error: unknown): boolean => {
  if (!isDatabaseError(error)) return true;
  return !(error instanceof Error && "code" in error) || endsConnection(String(error.code));
};

/** Throws what the rest of the program knows: an error of the server's, or that it is not reached. */
const fail: (error: unknown) => never = (error) => {
  if (isDatabaseError(error) || error instanceof UnsupportedDatabase) throw error;
  // No word of the server's: a socket, a time limit or a closed connection.
  throw new DatabaseUnreachable(error);
};
