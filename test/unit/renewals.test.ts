import assert from "node:assert/strict";
import { test } from "node:test";
import { Renewals } from "../../server/meetings/doors/renewals.ts";

/** The state after renewals at these seconds; `null` is one that failed. */
const after = (...seconds: readonly (number | null)[]): Renewals => {
  const renewals = new Renewals(0);
  for (const at of seconds) {
    if (at === null) renewals.failed();
    else renewals.succeeded(at * 1_000);
  }
  return renewals;
};

test("a row is renewed every five seconds", () => {
  assert.equal(after().isDue(4_999), false);
  assert.equal(after().isDue(5_000), true);
  assert.equal(after(5).isDue(9_999), false);
  assert.equal(after(5, null).isDue(10_000), true, "a failed renewal is due again");
});

test("a process judges others only after renewing its own row steadily for long enough", () => {
  assert.equal(after().mayJudge, false);
  assert.equal(after(5, 10, 15).mayJudge, false);
  assert.equal(after(5, 10, 15, 20).mayJudge, true);
  assert.equal(after(5, 10, 15, null, 20).mayJudge, false, "one failed");
  assert.equal(after(5, 10, 15, 20, 35).mayJudge, false, "one was late: this process stood still");
  assert.equal(after(5, 10, 15, 20, 35, 40, 45, 50, 55).mayJudge, true);
});
