import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { Client } from "pg";
import { openDatabase } from "../server/db/open.ts";
import { emptyDatabase, emptyPlace, onPostgres } from "./empty-database.ts";

const skip = !onPostgres;

test("questions asked at once are each given their own answer, and their own error", {
  skip,
}, async (t) => {
  const { read } = await emptyDatabase(t);
  for (let round = 0; round < 5; round += 1) {
    const answers = await Promise.allSettled(
      Array.from({ length: 200 }, async (_, n) => {
        const { rows } = await sql<{
          readonly n: number;
        }>`select 100 / ${n % 10}::int + ${n}::int as n`.execute(read);
        return rows[0]?.n;
      }),
    );
    for (const [n, answer] of answers.entries()) {
      if (n % 10 === 0) assert.equal(answer.status === "rejected" && answer.reason.code, "22012");
      else
        assert.equal(answer.status === "fulfilled" && answer.value, Math.trunc(100 / (n % 10)) + n);
    }
  }
});

test("whoever asks behind a slow question is answered before it", { skip }, async (t) => {
  const { read } = await emptyDatabase(t);
  const order: string[] = [];
  const ask = async (name: string, seconds: number) => {
    await sql`select pg_sleep(${seconds})`.execute(read);
    order.push(name);
  };
  await ask("warm", 0);
  const slow = ask("slow", 1);
  await sleep(100);
  await ask("quick", 0);
  await slow;
  assert.deepEqual(order, ["warm", "quick", "slow"]);
});

test("a connection of many questions that breaks fails them all, once, and is opened anew", {
  skip,
}, async (t) => {
  const { read } = await emptyDatabase(t);
  const pid = sql<{ readonly pid: number }>`select pg_backend_pid() as pid`;
  const [before] = (await pid.execute(read)).rows;
  const asked = Array.from({ length: 50 }, (_, n) =>
    n === 0
      ? sql`select pg_terminate_backend(pg_backend_pid())`.execute(read)
      : sql`select pg_sleep(0.01)`.execute(read),
  );
  const answers = await Promise.allSettled(asked);
  assert.ok(answers.every(({ status }) => status === "rejected"));
  const [after] = (await pid.execute(read)).rows;
  assert.notEqual(after?.pid, before?.pid);
  // Until it is open, others lend theirs.
  for (let used = 20; used > 1; ) {
    await sleep(20);
    const answers = await Promise.all(Array.from({ length: 20 }, () => pid.execute(read)));
    used = new Set(answers.map(({ rows }) => rows[0]?.pid)).size;
  }
});

test("a database that is closed right after its first question leaves no connection", {
  skip,
}, async (t) => {
  const place = await emptyPlace(t);
  const watcher = new Client(place.databaseUrl);
  await watcher.connect();
  for (let round = 0; round < 10; round += 1) {
    const database = await openDatabase(place);
    await sql`select 1`.execute(database.read);
    await database.close();
  }
  const left =
    "select pid from pg_stat_activity where application_name = 'parley' and datname = current_database()";
  const until = performance.now() + 5_000;
  let rows = [];
  // The server takes a moment to notice.
  do {
    await sleep(20);
    ({ rows } = await watcher.query(left));
  } while (rows.length > 0 && performance.now() < until);
  await watcher.end();
  assert.deepEqual(rows, []);
});
