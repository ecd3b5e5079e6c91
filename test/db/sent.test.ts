// Runs: both

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { isUniqueViolation } from "../../server/db/errors.ts";
import type * as Open from "../../server/db/open.ts";
import type { Database } from "../../server/db/open.ts";
import { commitsWhatFailed, revivesWhatFailed } from "../twins/shares.ts";
import { testTwin } from "../twins/test-twin.ts";
import { importFrom, type Twin } from "../twins/twin.ts";
import {
  emptyDatabase,
  emptyPlace,
  onPostgres,
  organization,
  user,
} from "../world/empty-database.ts";

const isTaken = (error: unknown): boolean =>
  ["id", "name_key"].some((column) => isUniqueViolation(error, "organizations", column));

/** Returns whether an error says that the change may be tried again, or something else that is expected. */
const isRefusedFor = ({ name, message }: Error, other?: string): boolean =>
  name === "DatabaseUnreachable" || message === other;

const stored = async (database: Database): Promise<readonly string[]> => {
  const rows = await database.read.selectFrom("organizations").select("id").execute();
  return rows.map(({ id }) => id).toSorted();
};

test("statements that a change sends are stored with it before anything that follows, or not at all", async (t) => {
  const database = await emptyDatabase(t);
  const add = (id: string) =>
    database.change(async (tx, send) => {
      send(tx.insertInto("organizations").values(organization(id)).compile());
      const rows = await tx.selectFrom("organizations").select("id").where("id", "=", id).execute();
      assert.equal(rows.length, 1);
      if (id === "b") throw new Error("no");
      send(
        tx
          .insertInto("users")
          .values({ ...user(`u${id}`), organization_id: id })
          .compile(),
      );
    }, "o1");
  const outcomes = await Promise.allSettled([add("a"), add("b"), add("c")]);
  const taken = outcomes.map(({ status }) => status === "fulfilled");
  assert.deepEqual(taken, [true, false, true]);
  const rows = await database.read.selectFrom("users").select("id").orderBy("id").execute();
  assert.equal(rows.map(({ id }) => id).join(), "ua,uc");
});

test("a change that reads after a failed statement is refused with that error, and alone", async (t) => {
  const database = await emptyDatabase(t);
  const add = (id: string) =>
    database.change(async (tx, send) => {
      send(tx.insertInto("organizations").values(organization(id)).compile());
      await tx.selectFrom("organizations").select("id").execute();
    }, "o1");
  const [a, taken, c] = await Promise.allSettled([add("a"), add("o1"), add("c")]);
  assert.deepEqual([a?.status, c?.status], ["fulfilled", "fulfilled"]);
  assert(taken?.status === "rejected" && isTaken(taken.reason));
});

test("a change that refuses after a failed statement is refused for its own reason, and alone", async (t) => {
  const database = await emptyDatabase(t);
  const add = (id: string) =>
    database.change(async (tx, send) => {
      const statement = tx.insertInto("organizations").values(organization(id)).compile();
      await tx.selectFrom("organizations").select("id").execute();
      try {
        send(statement);
      } finally {
        // On SQLite the statement has failed already.
        if (id === "o1") await Promise.reject(new Error("no"));
      }
    }, "o1");
  const [a, refused, c] = await Promise.allSettled([add("a"), add("o1"), add("c")]);
  assert.deepEqual([a?.status, c?.status], ["fulfilled", "fulfilled"]);
  assert(refused?.status === "rejected" && refused.reason.message === "no");
  assert.deepEqual(await stored(database), ["a", "c", "o1"]);
});

/** Changes end with a statement that they send: those of `o1` with one that fails, `no` with none. */
const sendAndEnd = async (t: TestContext, twin?: Twin): Promise<void> => {
  const place = await emptyPlace(t);
  await emptyDatabase(t, place);
  const { openDatabase } = await importFrom<typeof Open>(twin, "db/open.ts");
  const database = await openDatabase(place);
  t.after(() => database.close());
  const add = (id: string) =>
    database.change(async (tx, send) => {
      if (id === "no") throw new Error(id);
      await tx.selectFrom("organizations").select("id").execute();
      send(tx.insertInto("organizations").values(organization(id)).compile());
    }, "o1");
  let before = await stored(database);
  for (const ids of [["a"], ["o1"], ["b", "o1"], ["c", "o1", "no", "d"], ["o1", "e"], ["f"]]) {
    const outcomes = await Promise.allSettled(ids.map(add));
    const done = ids.filter((_, n) => outcomes[n]?.status === "fulfilled");
    before = [...before, ...done].toSorted();
    assert.deepEqual(await stored(database), before, "what is answered as done, and nothing else");
    for (const [n, id] of ids.entries()) {
      const outcome = outcomes[n];
      if (outcome?.status !== "rejected") assert(id !== "o1" && id !== "no", id);
      else if (id === "o1") assert(isTaken(outcome.reason), "its own error");
      else if (id === "no") assert(isRefusedFor(outcome.reason, id));
      else assert(onPostgres && isRefusedFor(outcome.reason), "it may be tried again");
    }
  }
  assert.deepEqual([before[0], before.at(-2)], ["a", "f"]);
};

test("a statement that fails after its change refuses it, and nothing unanswered is stored", (t) =>
  sendAndEnd(t));

for (const twin of [commitsWhatFailed, revivesWhatFailed]) {
  testTwin(
    `a twin that ${twin.name} is detected`,
    async (t) => {
      await assert.rejects(sendAndEnd(t, twin), /nothing else|o1/);
    },
    { skip: !onPostgres && "needs PostgreSQL" },
  );
}

test("no statement is sent after the end of a change", async (t) => {
  const database = await emptyDatabase(t);
  const late = await database.change(async (tx, send) => {
    const statement = tx.insertInto("organizations").values(organization("late")).compile();
    return () => send(statement);
  });
  assert.throws(late, /after its end/);
  assert.deepEqual(await stored(database), ["o1"]);
});
