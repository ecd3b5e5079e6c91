import { setTimeout as sleep } from "node:timers/promises";
import { Kysely, PostgresDialect } from "kysely";
import { Pool, type PoolConfig, types } from "pg";
import { leastRecentlyUsed } from "../../lru.ts";
import { type Changes, type Limits, startChanges } from "../changes.ts";
import type { Database } from "../database.ts";
import { pendingMigrations } from "../migrate.ts";
import { scansIn } from "../scans.ts";
import type { Tables } from "../tables.ts";
import { checkServer } from "./check.ts";
import { finderOn } from "./find.ts";
import { leasing } from "./lease.ts";
import { schemaOf } from "./schema.ts";
import { transactionsOn } from "./transaction.ts";

/** Wide integers and their sums: pg would return them as text. */
const numeric: ReadonlySet<number> = new Set([types.builtins.INT8, types.builtins.NUMERIC]);

const typeParsers: NonNullable<PoolConfig["types"]> = {
  getTypeParser: ((oid: number, format: "text" | "binary") =>
    numeric.has(oid) ? Number : types.getTypeParser(oid, format)) as typeof types.getTypeParser,
};

/** Other processes wait for the same rows, and a change needs a part of the five seconds for itself. */
const limits: Limits = { batchMs: 100, patienceMs: 3_500, beginMs: 3_500 };
/** The most queues of organizations that are kept; a change in a queue of its own is only slower. */
const QUEUES = 1_000;

/**
 * PostgreSQL behind a pool of connections. Whatever happens to the server, answers come within 5 s.
 */
export const openPostgres = (url: string, poolSize: number): Database => {
  const common: PoolConfig = {
    connectionString: url,
    application_name: "parley",
    connectionTimeoutMillis: 3_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    types: typeParsers,
    onConnect: checkServer(),
  };
  const pool = quiet(
    new Pool({
      ...common,
      max: poolSize,
      lock_timeout: 2_500,
      statement_timeout: 3_000,
      idle_in_transaction_session_timeout: 5_000,
      idleTimeoutMillis: 60_000,
      pipeline: true,
    }),
  );
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: leasing(pool) }) });
  const begin = transactionsOn(pool);
  const queues = leastRecentlyUsed<string, Changes>(QUEUES);
  const queueOf = (organizationId: string | undefined): Changes => {
    const known = organizationId === undefined ? undefined : queues.get(organizationId);
    const queue = known ?? startChanges(begin, limits);
    if (organizationId !== undefined && !known) queues.set(organizationId, queue);
    return queue;
  };
  return {
    name: "postgres",
    read: db,
    // Half of the connections, so that searches leave some for everything else.
    scan: scansIn("postgres", Math.ceil(poolSize / 2), (query) => db.executeQuery<never>(query)),
    find: finderOn(db),
    change: (work, organizationId) => queueOf(organizationId).change(work),
    schema: schemaOf(() => quiet(new Pool({ ...common, max: 2 }))),
    async ready() {
      const pending = await pendingMigrations(db).catch(() => undefined);
      return pending?.length === 0;
    },
    load: () => ({
      open: pool.totalCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
    }),
    async close() {
      // A frozen server never confirms the end.
      await Promise.race([pool.end(), sleep(2_000, undefined, { ref: false })]);
    },
  };
};

/** The user of a broken connection gets its error anyway; an unhandled event would end the process. */
const quiet = (pool: Pool): Pool => {
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  return pool;
};
