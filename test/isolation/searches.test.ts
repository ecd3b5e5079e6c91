// Runs: complete

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { oneLane } from "../twins/shares.ts";
import { testTwin } from "../twins/test-twin.ts";
import type { Twin } from "../twins/twin.ts";
import { type Answer, askOnce } from "../world/ask.ts";
import { hold } from "../world/hold.ts";
import { addRooms } from "../world/many.ts";
import { startWorld, type World } from "../world/world.ts";

const MANY = 200;

/**
 * Holds up all searches until the returned function is called. A PostgreSQL on several processors would answer
 * them as fast as this process sends them; SQLite has one thread for them.
 */
const holdSearches = async ({ config: { databaseUrl } }: World): Promise<() => Promise<void>> =>
  databaseUrl === undefined
    ? async () => {}
    : hold(databaseUrl, "lock table rooms in access exclusive mode");

/** One organization sends more searches than can be made in time, and another sends one. */
const crowd = async (t: TestContext, twin?: Twin): Promise<void> => {
  const world = await startWorld(t, { twin });
  const [busy, other] = [await world.tenant(), await world.tenant()];
  await addRooms(busy, 30_000, ["Room"], [busy.admin.id]);
  await other.ask("createRoom", { name: "Mine", roomOwnerId: other.admin.id });
  const found: Answer[] = [];
  const release = await holdSearches(world);
  const full = Promise.withResolvers<void>();
  const search = async (token: string) => {
    const answer = await askOnce(world.url, token)("listRooms", { search: "mine" });
    if (answer.status === 200) found.push(answer);
    else if (answer.body.code === "overloaded") full.resolve();
    return answer;
  };
  const many = Array.from({ length: MANY }, () => search(busy.token));
  // Until the queue is full, or all are answered.
  await Promise.race([full.promise, Promise.all(many)]);
  const from = found.length;
  const answered = search(other.token).then((answer) => ({
    ...answer,
    before: found.length - from,
  }));
  // Their callers are looked up like that of the search, and after it: now it waits too.
  for (let asked = 0; asked < 3; asked += 1) await other.ask("whoAmI");
  await release();
  const { status, body, before } = await answered;
  assert.equal(status, 200);
  assert.equal(body.roomSettings.length, 1);
  assert.ok(before <= 40, `answered after ${before} of the other organization`);
  const answers = await Promise.all(many);
  const refused = answers.filter((one) => one.status === 503);
  assert.equal(found.length + refused.length, MANY + 1);
  // On a slow machine the lock outlasts the time that a query may wait for it.
  assert.ok(
    refused.some(({ body }) => body.code === "overloaded"),
    "nothing was refused",
  );
  for (const { headers } of refused) assert.ok(Number(headers.get("retry-after")) > 0);
  assert.equal((await search(busy.token)).status, 200);
};

test("an organization that searches too much is asked to come back later, and no other waits", (t) =>
  crowd(t));

testTwin(
  "a twin with one queue, which keeps an organization from searching, is detected",
  async (t) => {
    await assert.rejects(crowd(t, oneLane), { code: "ERR_ASSERTION" });
  },
);
