import { setImmediate as nextTurn } from "node:timers/promises";
import { Pool, type PoolConfig, types } from "pg";
import { parseIntoClientConfig } from "pg-connection-string";
import { leastRecentlyUsed } from "../../lib/lru.ts";
import { openBell } from "../bell.ts";
import { type Changes, type Limits, startChanges } from "../changes.ts";
import type { Database } from "../database.ts";
import { pendingMigrations } from "../migrate.ts";
import { asLibpq } from "../postgres-tls.ts";
import { changeTurns, scanTurns } from "../turns.ts";
import { announceByNotify, ended } from "./announcements.ts";
import { checkServer } from "./check-server.ts";
import { finderOn } from "./find.ts";
import { type ConnectionSource, readingOn, scanningOn, transactionsOn } from "./held-connection.ts";
import { PatientPool } from "./patient-pool.ts";
import { Pulse } from "./pulse.ts";
import { postgresSchema } from "./schema.ts";

/** Wide integers and their sums: pg would return them as text. */
const numeric: ReadonlySet<number> = new Set([types.builtins.INT8, types.builtins.NUMERIC]);

const typeParsers: NonNullable<PoolConfig["types"]> = {
  getTypeParser: ((oid: number, format: "text" | "binary") =>
    numeric.has(oid) ? Number : types.getTypeParser(oid, format)) as typeof types.getTypeParser,
};

/** Other processes wait for the same rows, and a change needs a part of the five seconds for itself. */
const limits: Limits = { batchMs: 100, patienceMs: 3_500, beginMs: 3_500 };
/** Not even the limits that an administrator gave the role. */
const noLimits =
  "set statement_timeout = 0; set lock_timeout = 0; set idle_in_transaction_session_timeout = 0; set idle_session_timeout = 0";
/** The most queues of organizations that are kept; a change in a queue of its own is only slower. */
const QUEUES = 1_000;

/**
 * PostgreSQL behind a pool of connections. Whatever happens to the server, answers come within 5 s.
 */
export const openPostgres = (url: string, poolSize: number): Database => {
  const common: PoolConfig = {
    application_name: "parley",
    // Once: the driver would read the files of TLS for each connection, and end the process if it could not.
    ...parseIntoClientConfig(asLibpq(url)),
    connectionTimeoutMillis: 3_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    types: typeParsers,
  };
  const { check, doubt } = checkServer(common);
  const pool = quiet(
    new PatientPool({
      ...common,
      onConnect: check,
      max: poolSize,
      lock_timeout: 2_500,
      statement_timeout: 3_000,
      idle_in_transaction_session_timeout: 5_000,
      idleTimeoutMillis: 60_000,
      pipeline: true,
    }),
  );
  const pulse = new Pulse();
  const source: ConnectionSource = {
    pool,
    pulse,
    distrust() {
      pool.distrustAll();
      doubt();
    },
  };
  const db = readingOn(source);
  const begin = transactionsOn(source);
  const newQueue = (): Changes => startChanges(begin, limits, () => pulse.lateness());
  const queues = leastRecentlyUsed<string, Changes>(QUEUES);
  const queueOf = (organizationId: string | undefined): Changes => {
    const known = organizationId === undefined ? undefined : queues.get(organizationId);
    const queue = known ?? newQueue();
    if (organizationId !== undefined && !known) queues.set(organizationId, queue);
    return queue;
  };
  // A quarter of the connections: beside half of them for scans, some are left for everything else.
  const inTurn = changeTurns(Math.ceil(poolSize / 4));
  return {
    name: "postgres",
    read: db,
    // Half of the connections, so that searches leave some for everything else.
    scan: scanningOn(source, scanTurns(Math.ceil(poolSize / 2))),
    find: finderOn(db),
    change: (work, organizationId) => queueOf(organizationId).change(work),
    changeInTurn: (key, work) => inTurn(key, () => newQueue().change(work)),
    forget: async () => {},
    rewrite: async () => {},
    announcements: announceByNotify(pool, common),
    leftWork: openBell(),
    schema: postgresSchema(() =>
      quiet(
        new Pool({
          ...common,
          max: 2,
          async onConnect(client) {
            await check(client);
            await client.query(noLimits);
          },
        }),
      ),
    ),
    async ready() {
      const pending = await pendingMigrations(db).catch(() => undefined);
      return pending?.length === 0;
    },
    isAnswering: () => pulse.isThere(),
    load: () => ({
      open: pool.totalCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
    }),
    leave() {},
    async close() {
      // Announcements of this turn leave first.
      await nextTurn();
      await ended(pool.end());
    },
  };
};

/** The user of a broken connection gets its error anyway; an unhandled event would end the process. */
const quiet = <Quiet extends Pool>(pool: Quiet): Quiet => {
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  return pool;
};
