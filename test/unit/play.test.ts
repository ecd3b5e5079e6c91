import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { play } from "../../console/recordings/play.ts";

test("a browser that refuses to play a recording causes no unhandled error", async () => {
  let asked = 0;
  play({
    play: async () => {
      asked += 1;
      throw new DOMException("play() needs a gesture", "NotAllowedError");
    },
  });
  await setImmediate();
  assert.equal(asked, 1);
});
