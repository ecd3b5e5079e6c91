import { setTimeout as sleep } from "node:timers/promises";
import { Kysely, PostgresDialect } from "kysely";
import { Pool, type PoolConfig, types } from "pg";
import { pendingMigrations } from "../applied.ts";
import { insideChange, refuseInsideChange } from "../inside-change.ts";
import type { Database } from "../open.ts";
import type { Tables } from "../tables.ts";
import { checkServer } from "./check.ts";
import { finderOn } from "./find.ts";
import { leasing } from "./lease.ts";
import { pipelining } from "./pipeline.ts";
import { schemaOf } from "./schema.ts";

/** Wide integers and the sums of them: PostgreSQL would send them as text. */
const numeric: ReadonlySet<number> = new Set([types.builtins.INT8, types.builtins.NUMERIC]);

const typeParsers: NonNullable<PoolConfig["types"]> = {
  getTypeParser: ((oid: number, format: "text" | "binary") =>
    numeric.has(oid) ? Number : types.getTypeParser(oid, format)) as typeof types.getTypeParser,
};

/**
 * PostgreSQL behind a pool of connections, one of them for short questions. Whatever happens to the
 * server, answers come within 5 s.
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
  const limits: PoolConfig = { ...common, lock_timeout: 2_500, statement_timeout: 3_000 };
  const pool = quiet(
    new Pool({
      ...limits,
      max: poolSize - 1,
      idleTimeoutMillis: 60_000,
      idle_in_transaction_session_timeout: 5_000,
    }),
  );
  const single = quiet(new Pool({ ...limits, max: 1, pipeline: true }));
  const leased = leasing(pool);
  const pipelined = pipelining(single, leased);
  const kysely = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: leased }) });
  const read = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: pipelined }) });
  return {
    name: "postgres",
    read,
    scan: kysely,
    find: finderOn(read),
    async change(work) {
      refuseInsideChange();
      return await kysely.transaction().execute((tx) => insideChange(() => work(tx)));
    },
    schema: schemaOf(() => quiet(new Pool({ ...common, max: 2 }))),
    async ready() {
      const pending = await pendingMigrations(kysely).catch(() => undefined);
      return pending?.length === 0;
    },
    load: () => ({
      open: single.totalCount + pool.totalCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
    }),
    async close() {
      // The pools themselves: Kysely would end only what it was asked through. A frozen server would
      // never say goodbye.
      await Promise.race([
        Promise.all([pipelined.end(), leased.end()]),
        sleep(2_000, undefined, { ref: false }),
      ]);
    },
  };
};

/** A connection that breaks is told to whoever uses it; unheard, its event would end the process. */
const quiet = (pool: Pool): Pool => {
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  return pool;
};
