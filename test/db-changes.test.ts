import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { conditionOf, isUnavailable } from "../server/db/errors.ts";
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

test("no change of one commit is answered before the commit", {
  skip: onPostgres && "needs SQLite",
}, async (t) => {
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

test("a full disk refuses what it has no room for, and works on when there is room", {
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
