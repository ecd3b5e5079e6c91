import type { PostgresPool, PostgresPoolClient } from "kysely";
import type { Pool, PoolClient } from "pg";
import { refuseInsideChange } from "../changes.ts";
import { DatabaseUnreachable, isDatabaseError, UnsupportedDatabase } from "../errors.ts";
import { nameOf } from "../kept-texts.ts";
import { endsConnection } from "./sqlstate.ts";

/**
 * The timeout of a query in this process: longer than the server's own limits, so that a live server
 * reports first, and short enough that callers get an answer within five seconds even if the server is
 * frozen.
 */
const QUERY_MS = 3_300;
/** How long a connection may be held, including the wait for it. */
const LEASE_MS = 4_300;

/** The server's answer to a query. */
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

/** The pool for Kysely, with a time limit for each use of a connection. */
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
  // The connection gives no known answers any more: it is closed, never reused.
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
      // The server rolls back when the connection closes; the first error is the one that counts.
      lost = true;
      return { command: "ROLLBACK", rowCount: 0, rows: [] };
    }
  };

  return { query, release: (destroy) => client.release(lost || destroy === true) };
};

/** A connection of the pool. A connection that comes too late goes back. */
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
 * Uses a callback and no `query_timeout`: for a promise or a timeout pg assigns functions to
 * properties. V8 moves such a function to the old generation at once, and everything that it reaches,
 * here every answer, stays until the next full garbage collection.
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

/** Whether a connection cannot be used after this error. */
const losesConnection = (error: unknown): boolean => {
  if (!isDatabaseError(error)) return true;
  return !(error instanceof Error && "code" in error) || endsConnection(String(error.code));
};

/** Throws an error that the rest of the program knows: the server's own, or DatabaseUnreachable. */
const fail: (error: unknown) => never = (error) => {
  if (isDatabaseError(error) || error instanceof UnsupportedDatabase) throw error;
  // Not from the server: a socket error, a timeout or a closed connection.
  throw new DatabaseUnreachable(error);
};
