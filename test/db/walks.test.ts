// Runs: sqlite

import assert from "node:assert/strict";
import { test } from "node:test";
import { CompiledQuery } from "kysely";
import { listRooms } from "../../contract/rooms/rooms.ts";
import { openOrganization, operator, type Queries } from "../../server/change/organization.ts";
import type { Database } from "../../server/db/open.ts";
import type { Find } from "../../server/db/prepared.ts";
import { listHistory } from "../../server/history/list.ts";
import { byOrganization } from "../../server/records/room-counters.ts";
import { pageOfRooms } from "../../server/rooms/list.ts";
import { pageOfUsers } from "../../server/users/lists.ts";
import { emptyDatabase } from "../world/empty-database.ts";

/** A database whose queries are noted. */
const noting = (database: Database, noted: CompiledQuery[]): Database => {
  const watched = (db: Queries): Queries =>
    db.withPlugin({
      transformQuery: ({ node, queryId }) => {
        noted.push(db.getExecutor().compileQuery(node, queryId));
        return node;
      },
      transformResult: async ({ result }) => result,
    });
  const read = watched(database.read);
  return { ...database, read, scan: () => read };
};

/** How SQLite carries these queries out, whatever the values for which a prepared query keeps places. */
const plansOf = async (db: Queries, queries: readonly CompiledQuery[]) => {
  const plans = await Promise.all(
    queries.map(({ sql, parameters }) =>
      db.executeQuery<{ readonly detail: string }>(
        CompiledQuery.raw(
          `explain query plan ${sql}`,
          parameters.map((one) => (typeof one === "object" ? null : one)),
        ),
      ),
    ),
  );
  return plans.flatMap(({ rows }) => rows.map(({ detail }) => detail));
};

/** How SQLite walks over a table in these queries. */
const walksOver = async (db: Queries, table: string, queries: readonly CompiledQuery[]) =>
  (await plansOf(db, queries)).filter((detail) => detail.startsWith(`SEARCH ${table} `));

test("a search of people counts them without reading their rows", async (t) => {
  const database = await emptyDatabase(t);
  const noted: CompiledQuery[] = [];
  const organization = openOrganization(noting(database, noted), "o1", operator);
  const asked = { page: 1, limit: 25, sortBy: "name", sortOrder: "ASC" } as const;
  const found = await pageOfUsers(
    organization,
    { ...asked, role: ["agent", "admin"], search: "ann" },
    false,
  );
  assert.equal(found.total, 0);
  const walks = await walksOver(database.read, "users", noted);
  assert.equal(walks.length, 1);
  assert.match(walks.join(), /COVERING INDEX users_search_index/);
});

for (const kind of [["roomDeleted"], ["roomDeleted", "userRevoked"]] as const) {
  test(`a history of ${kind.length} kinds reads their entries only`, async (t) => {
    const database = await emptyDatabase(t);
    const noted: CompiledQuery[] = [];
    const organization = openOrganization(noting(database, noted), "o1", operator);
    const asked = { page: 1, limit: 25, search: "", kind: [...kind] };
    assert.equal((await listHistory(organization, asked)).total, 0);
    const walks = await walksOver(database.read, "history", noted);
    assert.ok(walks.length >= kind.length);
    for (const walk of walks)
      assert.match(walk, /_kind_number_index \(organization_id=\? AND kind=\?\)/);
  });
}

test("one of the first pages of rooms is read without asking first how many there are", async (t) => {
  const database = await emptyDatabase(t);
  let asked = 0;
  const find: Find = (lookup, key) => {
    if (lookup === (byOrganization as unknown)) asked += 1;
    return database.find(lookup, key);
  };
  const organization = openOrganization({ ...database, find }, "o1", operator);
  for (const [page, times] of [
    ["1", 0],
    ["4", 0],
    ["5", 1],
  ] as const) {
    asked = 0;
    await pageOfRooms(organization, listRooms.input.parse({ page, limit: "25" }));
    assert.equal(asked, times, `page ${page}`);
  }
});

for (const sortBy of ["name", "createdAt", "updatedAt", "naturalName", "status"]) {
  test(`a page of rooms by ${sortBy} finds each row from its index, and sorts nothing`, async (t) => {
    const database = await emptyDatabase(t);
    const noted: CompiledQuery[] = [];
    const organization = openOrganization(noting(database, noted), "o1", operator);
    const page = await pageOfRooms(
      organization,
      listRooms.input.parse({ sortBy, sortOrder: "DESC" }),
    );
    assert.equal(page.total, 0);
    const first = noted.find((one) => one.sql.includes('"record"'));
    assert.ok(first);
    const plan = await plansOf(database.read, [first]);
    const steps = plan.filter((detail) => /^SEARCH rooms |^USE TEMP B-TREE/.test(detail));
    assert.equal(steps.length, 1, plan.join("\n"));
    assert.match(steps.join(), /^SEARCH rooms USING INDEX rooms_organization_/);
  });
}
