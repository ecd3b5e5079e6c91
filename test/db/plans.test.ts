// Runs: postgres

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { type Kysely, sql } from "kysely";
import { type Database, openDatabase } from "../../server/db/open.ts";
import { prepared } from "../../server/db/prepared.ts";
import type { Tables } from "../../server/db/tables.ts";
import { findSeat } from "../../server/meetings/state/open-meeting.ts";
import { byOrganization } from "../../server/records/room-counters.ts";
import { emptyDatabase, emptyPlace } from "../world/empty-database.ts";

/** How often the texts that are kept on a connection were planned for their values, and once for all. */
const planned = async (db: Kysely<Tables>) => {
  const { rows } = await sql<{ readonly own: number; readonly kept: number }>`
    select sum(custom_plans)::int as own, sum(generic_plans)::int as kept
    from pg_prepared_statements where name like 'kept_%'`.execute(db);
  return rows[0];
};

/** How a query with values that is not kept is planned. */
const planningOf = async (db: Kysely<Tables>): Promise<unknown> => {
  const { rows } = await sql<{ readonly mode: string }>`
    select current_setting(${"plan_cache_mode"}) as mode`.execute(db);
  return rows[0]?.mode;
};

const withOneConnection = async (t: TestContext): Promise<Database> => {
  const place = await emptyPlace(t);
  await emptyDatabase(t, place);
  const database = await openDatabase(place, { poolSize: 1 });
  t.after(() => database.close());
  return database;
};

test("kept queries are planned once, and all others for their values", async (t) => {
  const database = await withOneConnection(t);
  const { read, find } = database;
  const look = () => find(byOrganization, ["o1"]);
  await look();
  assert.equal(await planningOf(read), "auto");
  await look();
  assert.deepEqual(await planned(read), { own: 0, kept: 2 });
});

test("queries after a rolled-back change are planned in the same way", async (t) => {
  const database = await withOneConnection(t);
  const { read, find } = database;
  await find(byOrganization, ["o1"]);
  const undone = new Error("Undone.");
  await assert.rejects(
    database.change(async (tx) => {
      assert.equal(await planningOf(tx), "auto");
      throw undone;
    }),
    undone,
  );
  await find(byOrganization, ["o1"]);
  await assert.rejects(
    database.change((tx) => sql`select 1 / ${0}::int`.execute(tx)),
    /division by zero/,
  );
  assert.equal(await planningOf(read), "auto");
  await find(byOrganization, ["o1"]);
  assert.deepEqual(await planned(read), { own: 0, kept: 3 });
});

test("a kept plan goes by an index, also if the table was empty when it was made", async (t) => {
  const { read } = await withOneConnection(t);
  await sql`vacuum (analyze) seats`.execute(read);
  await findSeat(read, "m", "p");
  const { rows } = await sql<{ readonly name: string }>`
    select name from pg_prepared_statements where name like 'kept_%'`.execute(read);
  assert.equal(rows.length, 1);
  const plan = await sql
    .raw<Record<string, string>>(`explain execute ${rows[0]?.name} ('m', 'p', false)`)
    .execute(read);
  const text = plan.rows.map((row) => row["QUERY PLAN"]).join("\n");
  assert.match(text, /Index Scan using seats_meeting_id_person_second_unique/);
});

test("a kept plan is not compiled: to PostgreSQL it may seem expensive", async (t) => {
  const { read } = await withOneConnection(t);
  const askSetting = prepared<null, Record<never, never>, { readonly jit: string }>((db) =>
    db.selectNoFrom(sql<string>`current_setting('jit')`.as("jit")),
  );
  assert.deepEqual(await askSetting(read, null, {}), [{ jit: "off" }]);
});
