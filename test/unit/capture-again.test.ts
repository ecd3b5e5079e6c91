import assert from "node:assert/strict";
import { test } from "node:test";
import { captureAgain } from "../../server/live/again.ts";

test("a capture that sometimes breaks off in a long meeting is not given up", async (t) => {
  let clock = 0;
  t.mock.method(performance, "now", () => clock);
  const states: string[] = [];
  const { signal } = new AbortController();
  const tell = async (state: string) => void states.push(state);
  const ended = await captureAgain({ signal, tell }, async () => {
    clock += 600_000;
    return states.length === 4 ? null : { error: "source", isFinal: false };
  });
  assert.equal(ended, null);
  assert.deepEqual(states, Array(4).fill("reconnecting"));
});

test("a capture that can never work is given up at once", async () => {
  const { signal } = new AbortController();
  const tell = async () => assert.fail("it does not go on");
  const broken = { error: "refused", isFinal: true };
  assert.equal(await captureAgain({ signal, tell }, async () => broken), "refused");
});
