import type { Duplex } from "node:stream";
import { Kysely, PostgresDialect, type PostgresPool } from "kysely";
import type { Pool, PoolClient } from "pg";
import { refuseInsideChange, type Transaction } from "../changes.ts";
import {
  DatabaseUnreachable,
  isDatabaseError,
  isForeignStatement,
  losesConnection,
} from "../errors.ts";
import { statementName } from "../prepared.ts";
import type { Tables } from "../tables.ts";
import type { scanTurns } from "../turns.ts";
import { pooledByTransaction } from "./check-server.ts";
import type { PatientPool } from "./patient-pool.ts";
import type { Pulse } from "./pulse.ts";

/**
 * The timeout of a query in this process, from the answer to the query before it on its connection: longer than the server's own limits, so that a live server
 * reports first, and short enough that callers get an answer within five seconds even if the server is
 * frozen.
 */
const QUERY_MS = 3_300;
/** How long a connection may be held, including the wait for it. */
const CONNECTION_MS = 4_300;

/** For each connection, true if it plans kept texts now, as far as it is known. */
const planning = new WeakMap<PoolClient, boolean>();

/**
 * Has PostgreSQL keep one plan of each kept text (`prepared.ts`), whatever the values: by itself it makes
 * another one each time, because a list of one key or a short page looks cheaper. The plan goes by indexes: one made
 * while a table was small would read all of it, also in the minute in which thousands come. It is not compiled: a
 * table without an index seems so expensive to versions before 18 that they would. Any other text is planned for its
 * values. The settings travel with the query before which they change.
 */
const planFor = (client: PoolClient, isKept: boolean): void => {
  if (planning.get(client) === isKept) return;
  planning.set(client, isKept);
  const settings = isKept
    ? "set plan_cache_mode = force_generic_plan; set enable_seqscan = off; set jit = off"
    : "set plan_cache_mode = auto; reset enable_seqscan; reset jit";
  // It fails only where the query fails too: behind a failure, or without a connection.
  void client.query(settings, (error: Error | null) => {
    if (error) planning.delete(client);
  });
};

/**
 * Has the queries of one turn of the event loop leave in one write: pg makes one for each, which costs more than
 * the rest of sending it.
 */
const sendTogether = (client: PoolClient): void => {
  const { stream } = (client as unknown as { readonly connection: { readonly stream: Duplex } })
    .connection;
  stream.cork();
  process.nextTick(() => stream.uncork());
};

/** The server's answer to a query. */
interface Answer {
  readonly command: string;
}

/** Where connections come from. */
export interface ConnectionSource {
  readonly pool: PatientPool;
  readonly pulse: Pulse;
  /** Has every connection made again, and the server looked at again: it is not the one that was checked. */
  distrust(): void;
}

/** A connection that is held for a limited time. */
interface HeldConnection {
  query(text: string, values: readonly unknown[]): Promise<Answer>;
  release(destroy?: boolean): void;
}

const kyselyOver = ({ options }: Pool, connect: () => Promise<HeldConnection>): Kysely<Tables> => {
  const pool = { options, connect, end: async () => {} } as unknown as PostgresPool;
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
};

/** Queries outside a change: each holds a connection of the pool for a limited time. */
export const readingOn = (source: ConnectionSource): Kysely<Tables> =>
  kyselyOver(source.pool, () => {
    refuseInsideChange();
    return holdConnection(source);
  });

/** Queries outside a change; each waits for its organization's turn, and holds a connection for it. */
export const scanningOn =
  (source: ConnectionSource, inTurn: ReturnType<typeof scanTurns>) =>
  (organizationId: string): Kysely<Tables> =>
    kyselyOver(source.pool, () => {
      const { promise: held, resolve, reject } = Promise.withResolvers<HeldConnection>();
      inTurn(organizationId, async () => {
        const { query, release } = await holdConnection(source);
        const { promise: done, resolve: end } = Promise.withResolvers<void>();
        resolve({
          query,
          release: (destroy) => {
            release(destroy);
            end();
          },
        });
        await done;
      }).catch(reject);
      return held;
    });

/**
 * Makes transactions for changes on the connections of a pool with `pipeline`: the statements that
 * begin one and set its savepoints travel with the next query, and concurrent queries of a change
 * travel together.
 */
export const transactionsOn =
  (source: ConnectionSource) =>
  async (since: number): Promise<Transaction> => {
    const { query, release } = await holdConnection(source, since);
    // One for all queries: Kysely keeps what it knows about a connection.
    const held = { query, release: () => {} };
    let begun = false;
    return {
      tx: kyselyOver(source.pool, async () => held),
      send: ({ sql, parameters }) => query(sql, parameters),
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
        // Where that fails, the connection is closed, and the server rolls back what it has not committed.
        const isBack = await query("rollback", []).then(
          () => true,
          () => false,
        );
        release(!isBack);
      },
    };
  };

/** @param since when the caller began to wait */
const holdConnection = async (
  { pool, pulse, distrust }: ConnectionSource,
  since = performance.now(),
): Promise<HeldConnection> => {
  const until = since + CONNECTION_MS;
  const client = await connect(pool, pulse, until).catch(fail);
  // Once true, the state of the connection is unknown: it is closed, never reused.
  let lost = false;
  // How queries that are not answered yet are refused, in the order in which the server answers them. Only the
  // first one is timed: it keeps the others waiting.
  const line: ((error: Error) => void)[] = [];
  let timer: NodeJS.Timeout | undefined;
  const leftMs = (): number => Math.min(QUERY_MS, until - performance.now());
  const giveUp = (): void => {
    lost = true;
    for (const reject of line.splice(0)) reject(pulse.lateness());
  };
  const timeFirst = (): void => {
    clearTimeout(timer);
    const [first] = line;
    if (first === undefined) return;
    // In a busy process the answer may have arrived, and be read only after the timers.
    const giveUpUnread = (): void => void setImmediate(() => line[0] === first && giveUp());
    timer = setTimeout(giveUpUnread, leftMs());
  };
  /**
   * Uses a callback and no `query_timeout`: for a promise or a timeout pg assigns functions to
   * properties. V8 moves such a function to the old generation at once, and everything that it reaches,
   * here every answer, stays until the next full garbage collection. So do answers whose query's timer
   * waits for the promise of another one.
   */
  const ask = (text: string, values: readonly unknown[]) =>
    new Promise<Answer>((resolve, reject) => {
      const askedAt = performance.now();
      line.push(reject);
      if (line.length === 1) timeFirst();
      const answer = (error: Error | null, result: Answer): void => {
        line.shift();
        timeFirst();
        if (!error || isDatabaseError(error)) pulse.beat(askedAt);
        if (error) reject(error);
        else resolve(result);
      };
      sendTogether(client);
      const name = statementName(text);
      if (name !== undefined || values.length > 0) planFor(client, name !== undefined);
      // A rollback takes settings back, too.
      if (text.startsWith("rollback")) planning.delete(client);
      void client.query({ text, values: [...values], name }, answer);
    });
  return {
    async query(text, values) {
      if (leftMs() <= 0) lost = true;
      try {
        if (lost) throw pulse.lateness();
        return await ask(text, values);
      } catch (error) {
        if (isForeignStatement(error)) {
          lost = true;
          distrust();
          throw pooledByTransaction();
        }
        lost ||= losesConnection(error);
        return fail(error);
      }
    },
    release: (destroy) => client.release(lost || destroy === true || !pool.trusts(client)),
  };
};

/** Returns whether somebody has waited too long for a place in a pool whose connections are all in use. */
const isWaitForPlace = (error: unknown): boolean =>
  error instanceof Error && error.message === "timeout exceeded when trying to connect";

/** A connection of the pool. A connection that comes too late goes back. */
const connect = async (pool: PatientPool, pulse: Pulse, until: number): Promise<PoolClient> => {
  const connecting = pool.connectBy(until).catch((error: unknown) => {
    throw isWaitForPlace(error) ? pulse.lateness(error) : error;
  });
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      connecting.then((client) => client.release()).catch(() => {});
      reject(pulse.lateness());
    }, until - performance.now());
  });
  return await Promise.race([connecting, late]).finally(() => clearTimeout(timer));
};

/** Throws an error that the rest of the program knows: the server's own, TurnMissed, UnsupportedDatabase or DatabaseUnreachable. */
const fail: (error: unknown) => never = (error) => {
  if (isDatabaseError(error)) throw error;
  // Not from the server: a socket error, a timeout or a closed connection.
  throw new DatabaseUnreachable(error);
};
