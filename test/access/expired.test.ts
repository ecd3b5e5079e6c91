// Runs: sqlite-first, waits

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { sql } from "kysely";
import { Client } from "pg";
import type { Database } from "../../server/db/open.ts";
import { expiresAtOnce, stopsAtFailure, waitsForHeld } from "../twins/keepers.ts";
import { testTwin } from "../twins/test-twin.ts";
import type { Twin } from "../twins/twin.ts";
import { onPostgres } from "../world/empty-database.ts";
import { openHouse } from "../world/house.ts";
import { startProcess, until } from "../world/process.ts";
import { startWorld } from "../world/world.ts";

/** The tables whose rows expire, and the column that identifies a row. */
const keys = { tokens: "digest", throttles: "key", kept_answers: "digest" } as const;
type Table = keyof typeof keys;

const MANY = 1_000;
const HOUR_MS = 3_600_000;
const LAST = "the last to expire";
const STANDING = "has not expired";

/**
 * Rows that expired days ago, one after the other; one of them expired last, and one has not expired. Tokens
 * are kept for half a day more, for the answers that they began.
 */
const namesAndTimes = (table: Table): (readonly [string, string])[] => {
  const standing = Date.now() + (table === "tokens" ? -HOUR_MS : HOUR_MS);
  const days = Date.now() - 72 * HOUR_MS;
  const expired = Array.from({ length: MANY }, (_, n): [string, number] => [`row ${n}`, days + n]);
  expired.push([LAST, days + MANY], [STANDING, standing]);
  return expired.map(([name, time]) => [name, new Date(time).toISOString()]);
};

const fill = async ({ change }: Database, table: Table, organization_id: string, user_id: string) =>
  change(async (tx) => {
    await tx.deleteFrom(table).execute();
    const rows = namesAndTimes(table);
    const holder = { organization_id, user_id, access_key_id: null };
    const claim = { request: "", claim: "", answer: null };
    if (table === "tokens") {
      const made = { purpose: "access" as const, ...holder };
      const values = rows.map(([digest, at]) => ({
        digest,
        ...made,
        created_at: at,
        expires_at: at,
      }));
      await tx.insertInto("tokens").values(values).execute();
    } else if (table === "throttles") {
      const values = rows.map(([key, used_until]) => ({ key, used_until }));
      await tx.insertInto("throttles").values(values).execute();
    } else {
      const values = rows.map(([digest, at]) => ({
        digest,
        organization_id,
        ...claim,
        lease_until: at,
        created_at: at,
      }));
      await tx.insertInto("kept_answers").values(values).execute();
    }
  });

/** Keeps the row that expired last from being deleted: a statement that tries to has no effect at all. */
const holdLast = async ({ change }: Database, table: Table): Promise<void> => {
  const when = `old.${keys[table]} = '${LAST}'`;
  const statements = onPostgres
    ? [
        "create function hold() returns trigger language plpgsql as $$ begin raise exception 'held'; end $$",
        `create trigger hold before delete on ${table} for each row when (${when}) execute function hold()`,
      ]
    : [
        `create trigger hold before delete on ${table} when ${when} begin select raise(abort, 'held'); end`,
      ];
  await change(async (tx) => {
    for (const statement of statements) await sql.raw(statement).execute(tx);
  });
};

const namesIn = async ({ read }: Database, table: Table): Promise<string[]> => {
  const name = sql<string>`${sql.ref(keys[table])}`.as("name");
  return (await read.selectFrom(table).select(name).execute()).map((row) => row.name);
};

/** Of very many expired rows, all are removed except those in one piece with a row that cannot be. */
const removesInPieces = async (t: TestContext, table: Table, twin?: Twin): Promise<void> => {
  const house = await openHouse(t);
  await house.beside(async ({ database, tenant }) => {
    const { id, admin } = await tenant();
    await fill(database, table, id, admin.id);
    await holdLast(database, table);
  });
  const { database, log } = await startWorld(t, { place: house.environment, twin });
  await until("it failed", () => log.some((line) => line.includes("what expired was not removed")));
  const left = await namesIn(database, table);
  assert.ok(left.length < MANY / 2, `${left.length} rows are left`);
  const order = namesAndTimes(table).map(([name]) => name);
  assert.deepEqual(
    order.filter((name) => left.includes(name)),
    order.slice(-left.length),
  );
};

for (const table of Object.keys(keys) as Table[]) {
  test(`expired rows of ${table} are removed in pieces, oldest first, and no others`, (t) =>
    removesInPieces(t, table));
}

/** A row that cannot be removed keeps no others from being removed. */
const goesOn = async (t: TestContext, twin?: Twin): Promise<void> => {
  const house = await openHouse(t);
  await house.beside(async ({ database, tenant }) => {
    const { id, admin } = await tenant();
    for (const table of Object.keys(keys) as Table[]) await fill(database, table, id, admin.id);
    await holdLast(database, "tokens");
  });
  const { database, log } = await startWorld(t, { place: house.environment, twin });
  const countOf = async (table: Table) => (await namesIn(database, table)).length;
  await until("it failed", () => log.some((line) => line.includes("what expired was not removed")));
  await until(
    "the others are removed",
    async () => (await countOf("kept_answers")) === 1,
    twin && 30_000,
  );
  assert.deepEqual([await countOf("throttles"), await countOf("kept_answers")], [1, 1]);
};

test("expired rows that cannot be removed do not block the others", (t) => goesOn(t));

testTwin("a twin that stops at the first failed removal is detected", (t) =>
  assert.rejects(goesOn(t, stopsAtFailure), /Waited in vain: the others/),
);

/** A request that holds one of the rows neither keeps others from being removed nor has to wait. */
const goesAroundHeld = async (t: TestContext, table: Table, twin?: Twin): Promise<void> => {
  const house = await openHouse(t);
  await house.beside(async ({ database, tenant }) => {
    const { id, admin } = await tenant();
    await fill(database, table, id, admin.id);
    // A separate connection: Parley's own connections may not be held this long.
    const holder = new Client({ connectionString: house.environment.DATABASE_URL });
    await holder.connect();
    try {
      await holder.query("begin");
      await holder.query(`select from ${table} where ${keys[table]} = 'row 0' for update`);
      await startProcess(t, house.environment, { twin });
      const waits = sql<{ readonly pid: number }>`
        select pid from pg_stat_activity where datname = current_database()
          and wait_event_type = 'Lock' and query like ${`%delete from "${table}"%`}`;
      await until("the others are removed, or the removal waits", async () => {
        const isWaiting = (await waits.execute(database.read)).rows.length > 0;
        return isWaiting || (await namesIn(database, table)).length === 2;
      });
      assert.deepEqual((await namesIn(database, table)).sort(), [STANDING, "row 0"]);
    } finally {
      await holder.end();
    }
  });
};

// SQLite carries out changes one after the other.
if (onPostgres) {
  for (const table of Object.keys(keys) as Table[]) {
    test(`expired rows of ${table} are removed around one that a request holds`, (t) =>
      goesAroundHeld(t, table));
  }
  testTwin("a twin that waits for rows that a request holds is detected", (t) =>
    assert.rejects(goesAroundHeld(t, "throttles", waitsForHeld), assert.AssertionError),
  );
}

testTwin("a twin that removes all expired rows at once is detected", (t) =>
  assert.rejects(removesInPieces(t, "tokens", expiresAtOnce), assert.AssertionError),
);
