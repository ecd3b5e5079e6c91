import assert from "node:assert/strict";
import { test } from "node:test";

// Imported by computed addresses: only the console has a browser's types.
const pages = new URL("../../console/meet/call/", import.meta.url).href;
const { newWay, stateOf, wayAfter } = await import(`${pages}way.ts`);
const { freshLevel } = await import(`${pages}fresh-level.ts`);

test("a way without a connection is slow after ten seconds, broken if there was one, and connected at once when it is back", () => {
  let way = newWay(0);
  const states: string[] = [];
  /** Each look: its time in seconds, and whether it finds a connection. */
  for (const [seconds, isUp] of [
    [0, false],
    [9, false],
    [10, false],
    [11, true],
    [12, false],
    // As while the browser keeps trying.
    [20, false],
    [22, false],
    [23, true],
  ] as const) {
    way = wayAfter(way, isUp, seconds * 1_000);
    states.push(stateOf(way, seconds * 1_000));
  }
  assert.deepEqual(states, [
    "connecting",
    "connecting",
    "slow",
    "connected",
    "connecting",
    "connecting",
    "broken",
    "connected",
  ]);
});

test("the last level of a voice does not stay when sound stops", () => {
  let time = 0;
  const read = freshLevel(() => time);
  const last = [{ timestamp: 5, audioLevel: 0.4 }];
  assert.equal(read([]), 0);
  assert.equal(read(last), 0.4);
  time = 900;
  assert.equal(read(last), 0.4, "between two portions of sound");
  time = 1_000;
  assert.equal(read(last), 0, "the browser repeats it");
  assert.equal(read([{ timestamp: 6, audioLevel: 0.3 }]), 0.3);
});
