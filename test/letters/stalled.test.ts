import assert from "node:assert/strict";
import { after, test } from "node:test";
import { create } from "../users/people.ts";
import { until } from "../world/process.ts";
import { startSink } from "../world/sink.ts";
import { startWorld } from "../world/world.ts";

const sink = await startSink();
sink.fate = (stage) => (stage === "connect" ? "stall" : undefined);
after(() => sink.stop());
const { organization } = await startWorld(test, { environment: { SMTP_URL: sink.url } });
const { ask } = await organization("Stalled");

test("creations and resets do not wait for a silent mail server", async () => {
  const first = await create(ask);
  // From here on, the postman's first connection is open and waits for a greeting.
  await until("a connection is open", () => sink.connections.open > 0);
  const began = performance.now();
  const made = await Promise.all(Array.from({ length: 10 }, () => create(ask)));
  for (const { id } of [first, ...made]) {
    assert.equal((await ask("POST /api/user/adminPwdreset", { userId: id })).status, 200);
  }
  const lists = await ask("POST /api/user/fetchOrgUsers", {});
  assert.equal(lists.body.users.length, 11);
  const { letters } = (await ask("GET /api/organization")).body.organization;
  assert.deepEqual(letters, { waiting: 11, refused: 0 });
  // If requests waited for the greeting, 13 of them would take 20 seconds each, one after the other.
  assert.ok(performance.now() - began < 120_000);
  assert.equal(sink.letters.length, 0);
});
