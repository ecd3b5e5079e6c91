// Runs: sqlite

import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { Watch } from "../../server/meetings/socket/watch.ts";
import { testTwin } from "../twins/test-twin.ts";
import { hurriesAlways, watchOf } from "../twins/watches.ts";
import type { Scope } from "../world/empty-database.ts";
import { startWorld } from "../world/world.ts";

const world = await startWorld(test);

/** How many looks people cause who come one after the other, before a pause is over. */
const looksAt = async (t: Scope, Made: typeof Watch): Promise<number> => {
  const timers: (() => void)[] = [];
  let pauses = 0;
  const { setTimeout: real } = globalThis;
  globalThis.setTimeout = ((work: () => void) => {
    pauses += 1;
    return timers.push(work);
  }) as never;
  t.after(() => {
    globalThis.setTimeout = real;
  });
  const { database } = world;
  const parts = {
    database,
    processId: "p",
    mediaOf: () => assert.fail(),
    onError: (error: unknown) => assert.fail(String(error)),
  };
  const watch = new Made("no-meeting", parts, () => {});
  let looks = 0;
  t.after(watch.follow(() => (looks += 1)));
  const looked = async (many: number) => {
    while (looks < many || pauses < many) await nextTurn();
  };
  /** Comes in; the look may be over before the next one comes. */
  const comesIn = async (): Promise<void> => {
    t.after(watch.follow(() => {}));
    for (let turn = 0; turn < 200; turn += 1) await nextTurn();
  };
  await looked(1);
  await comesIn();
  await looked(2);
  for (let n = 0; n < 5; n += 1) await comesIn();
  for (const end of timers.splice(0)) end();
  await looked(3);
  return looks;
};

test("many people who come in one after the other share their looks, and the first one waits for none", async (t) => {
  assert.equal(await looksAt(t, Watch), 3);
});

testTwin(
  "a twin that looks at once for everybody who comes in is detected",
  async (t) => {
    assert.notEqual(await looksAt(t, await watchOf(hurriesAlways)), 3);
  },
  { onSqlite: true },
);
