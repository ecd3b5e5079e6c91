// Runs: sqlite

import assert from "node:assert/strict";
import { test } from "node:test";
import { uuid7 } from "../../server/lib/id.ts";
import { Hub } from "../../server/socket/hub.ts";
import { until } from "../world/process.ts";
import { startWorld } from "../world/world.ts";

const { database } = await startWorld(test);

test("a process looks at each meeting every three seconds, without an announcement", async (t) => {
  for (const many of [1, 2, 30]) {
    t.mock.timers.enable({ apis: ["setInterval"] });
    const hub = new Hub({
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
      t.mock.timers.tick(3_200);
      await until("each is seen again", areSeen);
    }
    await hub.stop();
    t.mock.timers.reset();
  }
});
