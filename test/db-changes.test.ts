import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { conditionOf, isUnavailable, isUniqueViolation } from "../server/db/errors.ts";
import { now } from "../server/db/now.ts";
import { openDatabase } from "../server/db/open.ts";
import { emptyDatabase, emptyPlace, onPostgres, organization, user } from "./empty-database.ts";

test("a change that fails leaves no trace and leaves alone those made beside it", async (t) => {
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

test("what a change did is there for everybody once it is answered, and for nobody before", async (t) => {
  const place = await emptyPlace(t);
  const database = await emptyDatabase(t, place);
  const beside = await openDatabase(place);
  t.after(() => beside.close());
  const seen = async () =>
    (await beside.read.selectFrom("organizations").select("id").execute()).length;
  const change = database.change(async (tx) => {
    await tx.insertInto("organizations").values(organization("x")).execute();
    await sleep(100);
  });
  await sleep(50);
  assert.equal(await seen(), 1);
  await change;
  assert.equal(await seen(), 2);
});

test("no change of one commit is answered before the commit", { skip: onPostgres }, async (t) => {
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
      })
      .finally(() => answered.push(id));
  await Promise.allSettled([change("a"), change("b"), change("c")]);
  assert.deepEqual(order, ["a", "b", "c"]);
  assert.deepEqual(answered.toSorted(), ["a", "b", "c"]);
});

test("a commit that fails refuses every change in it, and the next one works", {
  skip: onPostgres,
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

test("a full disk refuses what it has no room for, and works on when there is room", {
  skip: onPostgres,
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

test("booleans come back as booleans, also from a change that returns its row", async (t) => {
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

test("the database's clock answers the texts that are stored", async (t) => {
  const database = await emptyDatabase(t);
  const { rows } = await sql<{ past: string; present: string }>`
    select ${now(-3_600_000)} as past, ${now()} as present`.execute(database.read);
  const [row] = rows;
  assert.match(row?.present ?? "", /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  assert.ok(Math.abs(Date.parse(row?.present ?? "") - Date.now()) < 60_000);
  assert.ok(
    Math.abs(Date.parse(row?.present ?? "") - Date.parse(row?.past ?? "") - 3_600_000) < 1_000,
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
  assert.equal(isUniqueViolation(email, "users"), true);
  assert.equal(isUniqueViolation(email, "rooms"), false);
  assert.equal(isUniqueViolation(await refused({ id: "u1" }), "users", "id"), true);
  assert.equal(isUniqueViolation(await refused({ organization_id: "nowhere" })), false);
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

test("the queries of one turn see one state", { skip: onPostgres }, async (t) => {
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
