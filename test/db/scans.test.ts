import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { sql } from "kysely";
import type * as Open from "../../server/db/open.ts";
import { within } from "../../server/deadline.ts";
import { oneLane } from "../twins/shares.ts";
import { importFrom, type Twin } from "../twins/twin.ts";
import { emptyDatabase, emptyPlace, onPostgres } from "../world/empty-database.ts";

/** A walk over many rows: a fraction of a second. */
const walk = ({ scan }: Open.Database, organizationId = "o1") =>
  sql`with recursive many(n) as (select 1 union all select n + 1 from many where n < 200000)
      select count(*) from many`.execute(scan(organizationId));

test("a search that waits while its request's deadline passes is never made, and the next one is", async (t) => {
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

/** How many searches of an organization that has sixty are made before the one of another. */
const madeBefore = async (t: TestContext, twin?: Twin): Promise<number> => {
  const place = await emptyPlace(t);
  const { openDatabase } = await importFrom<typeof Open>(
    twin ?? { name: "as it is", replaced: [] },
    "db/open.ts",
  );
  const database = await openDatabase(place);
  try {
    const made: string[] = [];
    const search = (organizationId: string) =>
      walk(database, organizationId).then(() => made.push(organizationId));
    await Promise.all([...Array<string>(60).fill("busy"), "other"].map(search));
    return made.indexOf("other");
  } finally {
    await database.close();
  }
};

/** With turns it is a few; what runs beside it may still end first, most of all on a busy machine. */
const most = onPostgres ? 40 : 3;

test("the searches of organizations take turns: one that has many holds up no other for longer than a few", async (t) => {
  const before = await madeBefore(t);
  assert.ok(before <= most, `made after ${before} of the other organization`);
});

test("a search that waits for all of another organization is found in a twin with one lane", async (t) => {
  const before = await madeBefore(t, oneLane);
  assert.ok(before > most, `made after ${before} of the other organization`);
});
