import assert from "node:assert/strict";
import { test } from "node:test";
import { runGoesOn, type Stopped } from "../../server/live/runner.ts";

const stopped: Stopped = { isLost: false, isOver: false, isStopping: false, error: null };

test("a run goes on elsewhere only if nobody ended it, and this process cannot continue it", () => {
  const goesOnAfter = (what: Partial<Stopped>) => runGoesOn({ ...stopped, ...what });
  assert.equal(goesOnAfter({}), false, "it ended as meant");
  assert.equal(goesOnAfter({ error: "failed" }), false);
  assert.equal(goesOnAfter({ error: "recorder_missing" }), true, "until a process has a recorder");
  assert.equal(goesOnAfter({ isStopping: true }), true, "another process goes on");
  assert.equal(goesOnAfter({ isOver: true, isStopping: true }), false, "a moderator was faster");
  assert.equal(goesOnAfter({ isOver: true, error: "recorder_missing" }), false);
  assert.equal(goesOnAfter({ isLost: true, isOver: true }), true, "it may be somebody else's");
});
