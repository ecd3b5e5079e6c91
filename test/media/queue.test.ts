// Runs: sqlite

import assert from "node:assert/strict";
import { test } from "node:test";
import { openQueue } from "../../server/media/queue.ts";

test("simultaneous joins are limited and keep their order, and a failed one returns its place", async () => {
  const queue = openQueue(3);
  const begun: number[] = [];
  const finish: ((failed?: boolean) => void)[] = [];
  const all = Array.from({ length: 8 }, (_, at) =>
    queue(
      () =>
        new Promise<number>((resolve, reject) => {
          begun.push(at);
          finish.push((failed) => (failed ? reject(new Error(`failed ${at}`)) : resolve(at)));
        }),
    ).catch((error: Error) => error.message),
  );
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  await turn();
  assert.deepEqual(begun, [0, 1, 2]);
  finish[1]?.(true);
  await turn();
  assert.deepEqual(begun, [0, 1, 2, 3]);
  for (let at = 0; at < 8; at++) {
    finish[at]?.();
    await turn();
    assert.ok(begun.length <= Math.min(8, at + 5));
  }
  assert.deepEqual(await Promise.all(all), [0, "failed 1", 2, 3, 4, 5, 6, 7]);
});
