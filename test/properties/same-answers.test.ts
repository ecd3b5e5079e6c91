// Runs: postgres, waits

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import fc from "fast-check";
import { testTwin } from "../twins/test-twin.ts";
import type { Twin } from "../twins/twin.ts";
import { ownOrder } from "../twins/twins.ts";
import { type Answer, outcomeOf } from "../world/ask.ts";
import { count, rollDice } from "../world/seed.ts";
import { startWorld, type World } from "../world/world.ts";
import { type Command, command } from "./commands.ts";
import { checkCounters, startModel } from "./model.ts";
import { startSide } from "./side.ts";

/** The longest sequence; each has a separate organization. */
const LENGTH = 75;
const OPERATIONS = Number(process.env.PARLEY_OPERATIONS ?? count(300, 20_000));
const LIMITS = { users: 9, rooms: 8 };

/** The beginning of every sequence, so that there are accounts and rooms to work with. */
const opening: readonly Command[] = [
  ...["one", "two"].map((name): Command => {
    const input = { email: `${name}@§domain§`, name, loginUrl: "https://meet.example.org" };
    return { id: "createUser", input };
  }),
  { id: "createRoom", input: { name: "Straße", roomOwnerId: "§user:1§,§user:0§" } },
];

/** Runs sequences on both databases until the answers differ or all have run. */
const compare = async (t: TestContext, seed: number, operations: number, twin?: Twin) => {
  const worlds = [
    await startWorld(t, { on: "sqlite", twin }),
    await startWorld(t, { on: "postgres", twin }),
  ] as const;
  let runs = 0;
  const came = new Map<string, number>();
  const sequence = async (commands: readonly Command[]) => {
    runs += 1;
    const model = startModel(LIMITS.users);
    const [one, other] = await Promise.all(
      worlds.map(async (world) =>
        startSide(world, await world.tenant(LIMITS), `run${runs}.example.org`),
      ),
    );
    assert.ok(one && other);
    for (const next of [...opening, ...commands]) {
      const expected = model.expect(next);
      const answers: [Answer, Answer] = await Promise.all([one.run(next), other.run(next)]);
      const [outcome] = answers.map(outcomeOf);
      came.set(`${next.id}: ${outcome}`, (came.get(`${next.id}: ${outcome}`) ?? 0) + 1);
      assert.equal(other.masked(answers[1]), one.masked(answers[0]), JSON.stringify(next));
      if (expected !== undefined) assert.equal(outcome, expected, JSON.stringify(next));
      model.take(next, outcome ?? "");
      if (next.id === "reactivateUser") model.see(await activeOf(worlds[0], one.users));
    }
    for (const [index, side] of [one, other].entries()) {
      const there = await checkCounters(worlds[index as 0 | 1], side.tenant.id);
      assert.equal(there.users, model.counted());
      assert.ok(there.users <= LIMITS.users && there.rooms <= LIMITS.rooms);
    }
  };
  await fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: 1, maxLength: LENGTH, size: "max" }), sequence),
    { seed, numRuns: Math.ceil((2 * operations) / LENGTH), endOnFailure: twin !== undefined },
  );
  return came;
};

/** The accounts that are not revoked. */
const activeOf = async ({ database }: World, ids: readonly string[]): Promise<boolean[]> => {
  const rows = await database.read.selectFrom("users").select(["id", "account_deleted"]).execute();
  const byId = new Map(rows.map(({ id, account_deleted }) => [id, !account_deleted]));
  return ids.map((id) => byId.get(id) ?? false);
};

test("P-STA-6: the same requests get the same answers on SQLite and on PostgreSQL", async (t) => {
  const { seed } = rollDice(t);
  const came = await compare(t, seed, OPERATIONS);
  const asked = [...came.values()].reduce((sum, some) => sum + some, 0);
  t.diagnostic(`${asked} requests to each, ${came.size} kinds of answers`);
});

testTwin(
  "P-STA-6: a twin that leaves the order of texts to the databases is detected",
  async (t) => {
    await assert.rejects(compare(t, rollDice(t).seed, 1000, ownOrder), /Property failed/);
  },
);
