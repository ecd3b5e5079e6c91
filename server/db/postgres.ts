import { setTimeout as sleep } from "node:timers/promises";
import { Kysely, PostgresDialect } from "kysely";
import { Pool, type PoolConfig, types } from "pg";
import { pendingMigrations } from "./applied.ts";
import { insideChange, refuseInsideChange } from "./inside-change.ts";
import type { Database } from "./open.ts";
import { checkServer } from "./postgres-check.ts";
import { finderOn } from "./postgres-find.ts";
import { leasing } from "./postgres-lease.ts";
import { schemaOf } from "./postgres-schema.ts";
import type { Tables } from "./tables.ts";

/** Wide integers and the sums of them: PostgreSQL would send them as text. */
const numeric: ReadonlySet<number> = new Set([types.builtins.INT8, types.builtins.NUMERIC]);

const typeParsers: NonNullable<PoolConfig["types"]> = {
  getTypeParser: ((oid: number, format: "text" | "binary") =>
    numeric.has(oid) ? Number : types.getTypeParser(oid, format)) as typeof types.getTypeParser,
};

/** PostgreSQL behind a pool of connections. Whatever happens to the server, answers come within 5 s. */
export function openPostgres(url: string, poolSize: number): Database {
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
      idleTimeoutMillis: 60_000,
      lock_timeout: 2_500,
      statement_timeout: 3_000,
      idle_in_transaction_session_timeout: 5_000,
    }),
  );
  const kysely = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: leasing(pool) }) });
  return {
    name: "postgres",
    read: kysely,
    scan: kysely,
    find: finderOn(kysely),
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
      open: pool.totalCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
    }),
    async close() {
      // A frozen server would never say goodbye.
      await Promise.race([kysely.destroy(), sleep(2_000, undefined, { ref: false })]);
    },
  };
}

/** A connection that breaks is told to whoever uses it; unheard, its event would end the process. */
function quiet(pool: Pool): Pool {
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  return pool;
}
