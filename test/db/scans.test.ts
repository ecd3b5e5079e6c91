import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import type { Database } from "../../server/db/open.ts";
import { within } from "../../server/deadline.ts";
import { emptyDatabase } from "../world/empty-database.ts";

/** A walk over many rows: a fraction of a second. */
const walk = ({ scan }: Database) =>
  sql`with recursive many(n) as (select 1 union all select n + 1 from many where n < 300000)
      select count(*) from many`.execute(scan);

test("a search that waits while its request's deadline passes is never made, and the next one is", async (t) => {
  const database = await emptyDatabase(t);
  const results: Promise<PromiseSettledResult<unknown>[]>[] = [];
  await assert.rejects(
    within({ leftMs: 50 }, async () => {
      const walks = Array.from({ length: 200 }, () => walk(database));
      results.push(Promise.allSettled(walks));
      await Promise.all(walks);
    }),
    { name: "DatabaseUnreachable" },
  );
  await walk(database);
  const [settled = []] = await Promise.all(results);
  const made = settled.filter(({ status }) => status === "fulfilled").length;
  assert.ok(made < 150, `${made} of ${settled.length} walks were made`);
});
