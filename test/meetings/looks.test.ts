// Runs: sqlite

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { uuid7 } from "../../server/lib/id.ts";
import { Hub, type HubParts } from "../../server/socket/hub.ts";
import { emptyDatabase } from "../world/empty-database.ts";
import { until } from "../world/process.ts";

/** Opens a hub whose clock stands still. @returns it, and a function that lets so many milliseconds pass */
const openHub = (t: TestContext, parts: HubParts) => {
  const start = globalThis.setInterval;
  let work = () => {};
  let every = 0;
  const { mock } = t.mock.method(globalThis, "setInterval", (given: () => void, ms: number) => {
    [work, every] = [given, ms];
    return start(() => {}, ms);
  });
  const hub = new Hub(parts);
  mock.restore();
  const pass = (ms: number): void => {
    for (let passed = 0; passed < ms; passed += every) work();
  };
  return { hub, pass };
};

test("a process looks at each meeting every three seconds, without an announcement", async (t) => {
  const database = await emptyDatabase(t);
  for (const many of [1, 2, 30]) {
    const { hub, pass } = openHub(t, {
      database,
      processId: uuid7(),
      mediaOf: () => ({ type: "direct", url: null, iceServers: [] }),
      onError: (error) => assert.fail(String(error)),
    });
    const looks = Array.from({ length: many }, () => 0);
    for (const [n] of looks.entries())
      hub.follow(`meeting ${n}`, () => {
        looks[n] = (looks[n] ?? 0) + 1;
      });
    let before = looks.map(() => 0);
    const areSeen = () => looks.every((count, n) => count > (before[n] ?? 0));
    await until("each is seen first", areSeen);
    for (let round = 0; round < 3; round += 1) {
      before = [...looks];
      // A tick more, because looks that are due are counted in fractions.
      pass(3_200);
      await until("each is seen again", areSeen);
    }
    await hub.stop();
  }
});
