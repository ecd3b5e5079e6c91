// Runs: both

import assert from "node:assert/strict";
import { test } from "node:test";
import { texts } from "../../contract/kit/texts.ts";
import { within } from "../../server/db/deadline.ts";
import { enter } from "../meetings/inside.ts";
import { holdChanges, newPlace } from "../meetings/place.ts";
import { askOnce } from "../world/ask.ts";
import { emptyDatabase, onPostgres } from "../world/empty-database.ts";
import { startWorld } from "../world/world.ts";

test("a request that waits too long for other changes is late, and does not count the database as away", async (t) => {
  const database = await emptyDatabase(t);
  const begun = Promise.withResolvers<void>();
  const ends = Promise.withResolvers<void>();
  const first = database.change(async (tx) => {
    await tx.selectFrom("organizations").select("id").execute();
    begun.resolve();
    await ends.promise;
  }, "o1");
  await begun.promise;
  const budget = { leftMs: 100, isAnswering: () => database.isAnswering() };
  const late = within(budget, () => database.change(async () => {}, "o1"));
  await assert.rejects(late, { name: "TurnMissed" });
  ends.resolve();
  await first;
});

test("changes that wait too long for a row of another process are answered as overload, in meetings too; reads go on", {
  skip: onPostgres ? false : "SQLite has no rows to hold",
}, async (t) => {
  const world = await startWorld(t);
  const { tenant, code, asAdmin } = await newPlace(world);
  const moderator = await enter(t, { url: world.url, ask: asAdmin }, "r");
  const ask = askOnce(world.url, tenant.token);
  const letGo = await holdChanges(t, world);
  try {
    const [edited, joined, said] = await Promise.all([
      ask("editRoom", { room: "r", roomOwnerId: tenant.admin.id, name: "S" }),
      askOnce(world.url, undefined)("joinRoom", { roomId: code, peerName: "Gus" }),
      moderator.do("chat", { text: "hello" }),
    ]);
    for (const { status, body, headers } of [edited, joined]) {
      assert.deepEqual(
        [status, body.code, body.message],
        [503, "overloaded", texts.overloaded.text],
      );
      assert.match(headers.get("retry-after") ?? "", /^[1-9]\d*$/);
    }
    assert.equal(said, "overloaded");
    assert.equal((await ask("listRooms", {})).status, 200);
  } finally {
    await letGo();
  }
});
