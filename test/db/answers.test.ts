import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { sql } from "kysely";
import { isUniqueViolation } from "../../server/db/errors.ts";
import { now } from "../../server/db/now.ts";
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

test("the queries of one turn see one state", { skip: onPostgres && "needs SQLite" }, async (t) => {
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
