// Runs: both, waits

import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type TestContext, test } from "node:test";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { type Kysely, sql } from "kysely";
import { conditionOf, isUnavailable, isUniqueViolation } from "../../server/db/errors.ts";
import type * as Open from "../../server/db/open.ts";
import { openDatabase } from "../../server/db/open.ts";
import type { Tables } from "../../server/db/tables.ts";
import { refusesAll } from "../twins/shares.ts";
import { testTwin } from "../twins/test-twin.ts";
import { importFrom, type Twin } from "../twins/twin.ts";
import {
  emptyDatabase,
  emptyPlace,
  onPostgres,
  organization,
  user,
} from "../world/empty-database.ts";

test("a change that fails leaves no trace and does not affect simultaneous changes", async (t) => {
  const database = await emptyDatabase(t);
  const outcomes = await Promise.allSettled(
    ["a", "b", "c", "d", "e"].map((id) =>
      database.change(async (tx) => {
        await tx.insertInto("organizations").values(organization(id)).execute();
        if (id === "c") throw new Error("no");
        return id;
      }),
    ),
  );
  const taken = outcomes.map(({ status }) => status === "fulfilled");
  assert.deepEqual(taken, [true, true, false, true, true]);
  const rows = await database.read.selectFrom("organizations").select("id").orderBy("id").execute();
  assert.equal(rows.map(({ id }) => id).join(), "a,b,d,e,o1");
});

test("a change is visible to everybody once it is answered, and to nobody before", async (t) => {
  const place = await emptyPlace(t);
  const database = await emptyDatabase(t, place);
  const beside = await openDatabase(place);
  t.after(() => beside.close());
  const seen = async () =>
    (await beside.read.selectFrom("organizations").select("id").execute()).length;
  const written = Promise.withResolvers<void>();
  const looked = Promise.withResolvers<void>();
  const change = database.change(async (tx) => {
    await tx.insertInto("organizations").values(organization("x")).execute();
    written.resolve();
    await looked.promise;
  });
  await written.promise;
  assert.equal(await seen(), 1);
  looked.resolve();
  await change;
  // Queries that follow each other see one state of the database.
  await nextTurn();
  assert.equal(await seen(), 2);
});

test("no change of one commit is answered before the commit", async (t) => {
  const database = await emptyDatabase(t);
  const answered: string[] = [];
  const order: string[] = [];
  const change = (id: string) =>
    database
      .change(async (tx) => {
        order.push(id);
        assert.deepEqual(answered, []);
        await tx.insertInto("organizations").values(organization(id)).execute();
        if (id === "b") throw new Error("refused");
      }, "o1")
      .finally(() => answered.push(id));
  await Promise.allSettled([change("a"), change("b"), change("c")]);
  assert.deepEqual(order, ["a", "b", "c"]);
  assert.deepEqual(answered.toSorted(), ["a", "b", "c"]);
});

test("a commit that fails refuses every change in it, and the next one works", {
  skip: onPostgres && "needs SQLite",
}, async (t) => {
  const database = await emptyDatabase(t);
  const good = database.change((tx) =>
    tx.insertInto("organizations").values(organization("a")).execute(),
  );
  const bad = database.change(async (tx) => {
    await sql`pragma defer_foreign_keys = on`.execute(tx);
    await tx
      .insertInto("users")
      .values({ ...user("u"), organization_id: "nowhere" })
      .execute();
  });
  const outcomes = await Promise.allSettled([good, bad]);
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ["rejected", "rejected"],
  );
  await database.change((tx) => tx.insertInto("organizations").values(organization("b")).execute());
  const rows = await database.read.selectFrom("organizations").select("id").orderBy("id").execute();
  assert.equal(rows.map(({ id }) => id).join(), "b,o1");
});

test("waiting changes of one organization share commits, and a refused one is rolled back alone", {
  skip: !onPostgres && "needs PostgreSQL",
}, async (t) => {
  const database = await emptyDatabase(t);
  const add = (id: string, organizationId = "o1") =>
    database.change(async (tx) => {
      await tx.insertInto("organizations").values(organization(id)).execute();
      // On PostgreSQL it would abort the whole transaction.
      if (id === "c") await tx.insertInto("organizations").values(organization("o1")).execute();
      const { rows } = await sql<{
        readonly xid: string;
      }>`select pg_current_xact_id()::text as xid`.execute(tx);
      return rows[0]?.xid;
    }, organizationId);
  const running = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const slow = database.change(async () => {
    running.resolve();
    await goOn.promise;
  }, "o1");
  await running.promise;
  const ids = Array.from({ length: 20 }, (_, n) => `b${n}`);
  const waiting = Promise.allSettled(["c", ...ids].map((id) => add(id)));
  // Changes of another organization do not wait.
  assert.ok(await add("e", "o2"));
  const before = await database.read.selectFrom("organizations").select("id").execute();
  assert.deepEqual(before.map(({ id }) => id).toSorted(), ["e", "o1"]);
  goOn.resolve();
  await slow;
  const [c, ...others] = await waiting;
  assert.ok(c?.status === "rejected" && isUniqueViolation(c.reason, "organizations", "id"));
  const commits = new Set(others.map((one) => one.status === "fulfilled" && one.value));
  // How many share one commit depends on the speed of the machine.
  assert.ok(!commits.has(false) && commits.size < ids.length);
  const rows = await database.read.selectFrom("organizations").select("id").execute();
  assert.deepEqual(rows.map(({ id }) => id).toSorted(), [...ids, "e", "o1"].toSorted());
});

test("changes that wait for a row locked by another process are refused, and later ones are not", {
  skip: !onPostgres && "needs PostgreSQL",
}, async (t) => {
  const place = await emptyPlace(t);
  const database = await emptyDatabase(t, place);
  const beside = await openDatabase(place);
  t.after(() => beside.close());
  const held = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const take = (tx: Kysely<Tables>) =>
    tx.updateTable("organizations").set({ plan: "taken" }).where("id", "=", "o1").execute();
  const holding = beside.change(async (tx) => {
    await take(tx);
    held.resolve();
    await goOn.promise;
  });
  await held.promise;
  const refused = await Promise.allSettled(
    Array.from({ length: 40 }, () => database.change(take, "o1")),
  );
  for (const one of refused) assert.ok(one.status === "rejected" && isUnavailable(one.reason));
  goOn.resolve();
  // Its own deadline may have passed by then.
  await Promise.allSettled([holding]);
  await database.change(take, "o1");
});

/**
 * A change waits for the only connection until its deadline passes; another change of the same organization
 * arrives later.
 */
const waitsInVain = async (t: TestContext, twin?: Twin) => {
  const place = await emptyPlace(t);
  await emptyDatabase(t, place);
  const { openDatabase } = await importFrom<typeof Open>(twin, "db/open.ts");
  const database = await openDatabase(place, { poolSize: 1 });
  t.after(() => database.close());
  const add = (id: string) =>
    database.change(async (tx) => {
      await tx.insertInto("organizations").values(organization(id)).execute();
    }, "o1");
  const goOn = Promise.withResolvers<void>();
  const holding = database.change(() => goOn.promise, "o2");
  const first = add("first");
  // So that its own deadline has not passed when that of the first one does.
  await sleep(2_500);
  const later = add("later");
  later.catch(() => {});
  await assert.rejects(first, { name: "DatabaseUnreachable" });
  goOn.resolve();
  // It held the connection for longer than allowed.
  await Promise.allSettled([holding]);
  await later;
};

test(
  "a change that waits for a connection is refused at its own deadline, not with an earlier one",
  {
    skip: !onPostgres && "needs PostgreSQL",
  },
  (t) => waitsInVain(t),
);

testTwin(
  "a twin that refuses all waiting changes together is detected",
  async (t) => {
    await assert.rejects(waitsInVain(t, refusesAll), { name: "DatabaseUnreachable" });
  },
  { skip: !onPostgres && "needs PostgreSQL" },
);

/** The same with a change that waits for a file which another process has locked. */
const waitsForFile = async (t: TestContext) => {
  const place = await emptyPlace(t);
  const database = await emptyDatabase(t, place);
  const other = new DatabaseSync(join(place.dataDir, "parley.db"));
  t.after(() => other.close());
  const add = (id: string) =>
    database.change((tx) => tx.insertInto("organizations").values(organization(id)).execute());
  other.exec("begin immediate");
  const first = add("first");
  // Half of the time for which a change waits.
  await sleep(2_500);
  const later = add("later");
  later.catch(() => {});
  await assert.rejects(first, isUnavailable);
  other.exec("rollback");
  await later;
};

test(
  "with the SQLite file locked by another process, a change waits until its own deadline, not that of an earlier one",
  { skip: onPostgres && "needs SQLite" },
  (t) => waitsForFile(t),
);

test("a full disk refuses changes that do not fit, and works again when there is room", {
  skip: onPostgres && "needs SQLite",
}, async (t) => {
  const database = await emptyDatabase(t);
  const limit = (pages: number) =>
    database.change((tx) => sql.raw(`pragma max_page_count = ${pages}`).execute(tx));
  const fill = () =>
    database.change((tx) =>
      tx
        .insertInto("organizations")
        .values({ ...organization("big"), plan: "x".repeat(4_000_000) })
        .execute(),
    );
  await limit(1);
  await assert.rejects(
    fill,
    (error) => isUnavailable(error) && conditionOf(error) === "database or disk is full",
  );
  assert.equal(await database.ready(), true);
  await limit(1_000_000);
  await fill();
});

test("a change inside a change and a query beside its transaction are refused", async (t) => {
  const database = await emptyDatabase(t);
  await assert.rejects(
    database.change(() => database.change(async () => {})),
    /Inside a change/,
  );
  await assert.rejects(
    database.change(() => database.read.selectFrom("service").selectAll().execute()),
    /Inside a change/,
  );
});
