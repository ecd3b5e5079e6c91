// Runs: postgres, waits

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { conditionOf, isUnavailable } from "../../server/db/errors.ts";
import type { Database } from "../../server/db/open.ts";
import { emptyDatabase, emptyPlace, organization } from "../world/empty-database.ts";
import { type LatePostgres, startLatePostgres } from "../world/late-postgres.ts";
import { count } from "../world/seed.ts";

const behindWay = async (t: TestContext): Promise<[Database, LatePostgres]> => {
  const place = await emptyPlace(t);
  const way = await startLatePostgres(t, place.databaseUrl ?? "");
  const database = await emptyDatabase(t, { ...place, databaseUrl: way.url });
  return [database, way];
};

const read = (database: Database) => database.read.selectFrom("service").selectAll().execute();

const make = (database: Database, id: string, organizationId?: string) =>
  database.change(
    (tx) => tx.insertInto("organizations").values(organization(id)).execute(),
    organizationId,
  );

const refusedWithin = async (limitMs: number, work: Promise<unknown>): Promise<void> => {
  const began = performance.now();
  await assert.rejects(
    work,
    (error) => isUnavailable(error) && conditionOf(error) === "database unreachable",
  );
  // The deadline of the long run: a busy machine may be late itself.
  assert.ok(performance.now() - began < count(30_000, limitMs));
};

/** Cuts connections, and gives this process the time to hear of it, which no event tells. */
const cut = async (way: { cut(): void }): Promise<void> => {
  way.cut();
  await sleep(50);
};

test("requests to a frozen database are answered within five seconds, and it is used again when it is back", async (t) => {
  const [database, way] = await behindWay(t);
  way.frozen = true;
  const many = Array.from({ length: 30 }, (_, n) =>
    n % 2 === 0 ? read(database) : make(database, `o${n}`),
  );
  await Promise.all(many.map((work) => refusedWithin(5_000, work)));
  assert.equal(await database.ready(), false);
  way.frozen = false;
  way.cut();
  await read(database);
  assert.equal(await database.ready(), true);
});

test("a change whose database freezes after its statements is refused within five seconds", async (t) => {
  const [database, way] = await behindWay(t);
  const change = database.change(async (tx, send) => {
    await tx.selectFrom("service").selectAll().execute();
    way.frozen = true;
    send(tx.insertInto("organizations").values(organization("x")).compile());
  });
  await refusedWithin(5_000, change);
  way.frozen = false;
  way.cut();
  await make(database, "x");
});

test("statements that are sent together have the time of statements awaited one by one", async (t) => {
  const database = await emptyDatabase(t);
  const slow = () =>
    database.change(async (tx, send) => {
      await tx.selectFrom("service").selectAll().execute();
      for (let n = 0; n < 2; n += 1) send(sql`select pg_sleep(1.7)`.compile(tx));
    });
  await slow();
});

test("a request whose change meets a frozen database is answered within five seconds", async (t) => {
  const [database, way] = await behindWay(t);
  const change = database.change(async (tx) => {
    await tx.insertInto("organizations").values(organization("x")).execute();
    way.frozen = true;
    await tx.selectFrom("service").selectAll().execute();
  });
  await refusedWithin(5_000, change);
  way.frozen = false;
  await cut(way);
  assert.equal((await database.read.selectFrom("organizations").select("id").execute()).length, 1);
});

test("connections that break, in use or idle, do not end the process", async (t) => {
  const [database, way] = await behindWay(t);
  await Promise.all([read(database), read(database), read(database)]);
  await cut(way);
  await read(database);
  await refusedWithin(
    1_000,
    database.change(() => cut(way)),
  );
  await make(database, "after");
});

test("no change in a commit with an unknown outcome is reported as done", async (t) => {
  const [database, way] = await behindWay(t);
  way.cutAtCommit = true;
  const made = ["x", "y", "z"].map((id) => make(database, id, "o1"));
  await Promise.all(made.map((work) => refusedWithin(5_000, work)));
  way.cutAtCommit = false;
  await read(database);
});
