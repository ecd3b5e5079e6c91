// Runs: both

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { sql } from "kysely";
import { within } from "../../server/db/deadline.ts";
import type * as Open from "../../server/db/open.ts";
import { oneLane } from "../twins/shares.ts";
import { testTwin } from "../twins/test-twin.ts";
import { importFrom, type Twin } from "../twins/twin.ts";
import { emptyDatabase, emptyPlace, onPostgres } from "../world/empty-database.ts";

/** When a query began: simultaneous queries end in any order. SQLite runs one at a time. */
const began = sql.raw(onPostgres ? "extract(epoch from statement_timestamp())::float8" : "0");

/** A query over many rows that takes some hundredths of a second. @returns when it began */
const walk = async ({ scan }: Open.Database, organizationId = "o1"): Promise<number> => {
  const { rows } = await sql<{ readonly began: number }>`
    with recursive many(n) as (select 1 union all select n + 1 from many where n < 60000)
    select count(*), ${began} as began from many`.execute(scan(organizationId));
  return rows[0]?.began ?? Number.NaN;
};

test("a search whose request's deadline passes while it waits is never run, and the next one is", async (t) => {
  const database = await emptyDatabase(t);
  const results: Promise<PromiseSettledResult<unknown>[]>[] = [];
  await assert.rejects(
    within({ leftMs: 50 }, async () => {
      const walks = Array.from({ length: 60 }, () => walk(database));
      results.push(Promise.allSettled(walks));
      await Promise.all(walks);
    }),
    { name: "DatabaseUnreachable" },
  );
  await walk(database);
  const [settled = []] = await Promise.all(results);
  const made = settled.filter(({ status }) => status === "fulfilled").length;
  assert.ok(made < 50, `${made} of ${settled.length} walks were made`);
});

/** How many searches run at a time. */
const atOnce = onPostgres ? 5 : 1;

/** One organization has sixty searches waiting, another has one. */
const takeTurns = async (t: TestContext, twin?: Twin): Promise<void> => {
  const place = await emptyPlace(t);
  const { openDatabase } = await importFrom<typeof Open>(twin, "db/open.ts");
  const database = await openDatabase(place);
  try {
    const made: { readonly organizationId: string; readonly began: number }[] = [];
    const search = async (organizationId: string) => {
      made.push({ began: await walk(database, organizationId), organizationId });
    };
    await Promise.all([...Array<string>(60).fill("busy"), "other"].map(search));
    const inOrder = made.toSorted((one, other) => one.began - other.began);
    const before = inOrder.findIndex(({ organizationId }) => organizationId === "other");
    assert.ok(before <= 3 * atOnce, `made after ${before} of the other organization`);
  } finally {
    await database.close();
  }
};

test("organizations' searches take turns: one with many delays another by only a few", (t) =>
  takeTurns(t));

testTwin(
  "a twin with one queue, where a search waits for all of another organization's, is detected",
  async (t) => {
    await assert.rejects(takeTurns(t, oneLane), /made after/);
  },
);
