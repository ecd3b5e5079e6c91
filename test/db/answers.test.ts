// Runs: both

import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type TestContext, test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { sql } from "kysely";
import { isUniqueViolation } from "../../server/db/errors.ts";
import { now } from "../../server/db/now.ts";
import type * as Open from "../../server/db/open.ts";
import { testTwin } from "../twins/test-twin.ts";
import { importFrom, type Twin } from "../twins/twin.ts";
import {
  emptyDatabase,
  emptyPlace,
  onPostgres,
  organization,
  user,
} from "../world/empty-database.ts";

test("booleans come back as booleans, even from a change that returns its row", async (t) => {
  const database = await emptyDatabase(t);
  const made = await database.change((tx) =>
    tx
      .insertInto("users")
      .values(user("u1"))
      .returning(["admin", "meet_now_enabled as meets"])
      .executeTakeFirst(),
  );
  assert.deepEqual({ ...made }, { admin: true, meets: false });
  const found = await database.read
    .selectFrom("users")
    .innerJoin("organizations", "organizations.id", "users.organization_id")
    .select(["users.admin", "users.account_deleted", "organizations.used_users"])
    .where("admin", "=", true)
    .executeTakeFirst();
  assert.deepEqual({ ...found }, { admin: true, account_deleted: false, used_users: 0 });
});

test("counts and sums are numbers", async (t) => {
  const database = await emptyDatabase(t);
  const row = await database.read
    .selectFrom("organizations")
    .select((eb) => [
      eb.fn.countAll<number>().as("count"),
      eb.fn.sum<number>("used_users").as("sum"),
    ])
    .executeTakeFirst();
  assert.deepEqual({ ...row }, { count: 1, sum: 0 });
});

test("the database's clock returns times in the stored format", async (t) => {
  const database = await emptyDatabase(t);
  const { rows } = await sql<{ readonly past: string; readonly current: string }>`
    select ${now(-3_600_000)} as past, ${now()} as current`.execute(database.read);
  const [row] = rows;
  assert.match(row?.current ?? "", /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  assert.ok(Math.abs(Date.parse(row?.current ?? "") - Date.now()) < 60_000);
  assert.ok(
    Math.abs(Date.parse(row?.current ?? "") - Date.parse(row?.past ?? "") - 3_600_000) < 1_000,
  );
});

test("a refused row names the columns that were taken", async (t) => {
  const database = await emptyDatabase(t);
  await database.change((tx) => tx.insertInto("users").values(user("u1")).execute());
  const refused = (changed: object) =>
    database
      .change((tx) =>
        tx
          .insertInto("users")
          .values({ ...user("u2"), ...changed })
          .execute(),
      )
      .then(
        () => undefined,
        (error: unknown) => error,
      );
  const email = await refused({ email_key: "u1" });
  assert.equal(isUniqueViolation(email, "users", "email_key"), true);
  assert.equal(isUniqueViolation(email, "users", "username"), false);
  assert.equal(isUniqueViolation(email, "rooms", "email_key"), false);
  assert.equal(isUniqueViolation(await refused({ id: "u1" }), "users", "id"), true);
  assert.equal(
    isUniqueViolation(await refused({ organization_id: "nowhere" }), "users", "id"),
    false,
  );
});

test("texts sort byte by byte", async (t) => {
  const database = await emptyDatabase(t);
  const names = ["a", "B", "_", "\u00e9", "z", "\u{10400}", "\uffee"];
  await database.change((tx) =>
    tx.insertInto("organizations").values(names.map(organization)).execute(),
  );
  const rows = await database.read
    .selectFrom("organizations")
    .select("name")
    .orderBy("name")
    .execute();
  const sorted = [...names, "o1"].toSorted((a, b) =>
    Buffer.compare(Buffer.from(a), Buffer.from(b)),
  );
  assert.deepEqual(
    rows.map(({ name }) => name),
    sorted,
  );
});

test("queries that follow each other see one state", {
  skip: onPostgres && "needs SQLite",
}, async (t) => {
  const place = await emptyPlace(t);
  const database = await emptyDatabase(t, place);
  const count = async () =>
    (await database.read.selectFrom("organizations").select("id").execute()).length;
  assert.equal(await count(), 1);
  const other = new DatabaseSync(join(place.dataDir, "parley.db"));
  other.exec("delete from organizations");
  other.close();
  assert.equal(await count(), 1);
  await nextTurn();
  assert.equal(await count(), 0);
});

const keepsForTurn: Twin = {
  name: "keeps a snapshot for a turn of the event loop",
  replaced: [
    {
      file: "db/sqlite/open-sqlite.ts",
      lines: "process.nextTick(refresh)",
      by: "setImmediate(refresh)",
    },
  ],
};

/** Two callbacks of one turn read; another process commits in between, as it may while this one is paused. */
const seesOthers = async (t: TestContext, twin?: Twin): Promise<void> => {
  const place = await emptyPlace(t);
  await emptyDatabase(t, place);
  const { openDatabase } = await importFrom<typeof Open>(twin, "db/open.ts");
  const database = await openDatabase(place);
  t.after(() => database.close());
  const other = new DatabaseSync(join(place.dataDir, "parley.db"));
  t.after(() => other.close());
  const count = async () =>
    (await database.read.selectFrom("organizations").select("id").execute()).length;
  const first = nextTurn().then(count);
  const second = nextTurn().then(() => {
    other.exec("delete from organizations");
    return count();
  });
  assert.deepEqual(await Promise.all([first, second]), [1, 0]);
};

test(
  "a read sees what another process committed before it",
  { skip: onPostgres && "needs SQLite" },
  (t) => seesOthers(t),
);

testTwin(
  "a twin whose reads of one turn see one state, however long it takes, is detected",
  async (t) => {
    await assert.rejects(seesOthers(t, keepsForTurn), { code: "ERR_ASSERTION" });
  },
  { skip: onPostgres && "needs SQLite", onSqlite: true },
);

test("a read right after a change sees it", async (t) => {
  const database = await emptyDatabase(t);
  const count = async () =>
    (await database.read.selectFrom("organizations").select("id").execute()).length;
  for (let n = 2; n < 50; n += 1) {
    const [, , after] = await Promise.all([
      count(),
      count(),
      database
        .change((tx) =>
          tx
            .insertInto("organizations")
            .values(organization(`x${n}`))
            .execute(),
        )
        .then(count),
    ]);
    assert.equal(after, n);
  }
});
