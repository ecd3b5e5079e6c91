import assert from "node:assert/strict";
import { test } from "node:test";
import { pauseAfter } from "../../server/socket/watch.ts";

test("the pause after a look is short in a small meeting, and grows with the seats up to half a second", () => {
  assert.equal(pauseAfter(0), 40);
  assert.ok(pauseAfter(10) < 50);
  assert.equal(pauseAfter(1_000), 290);
  assert.equal(pauseAfter(10_000), 500);
});
