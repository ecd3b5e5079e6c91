import assert from "node:assert/strict";
import { test } from "node:test";

// Imported by a computed address: only the console has a browser's types.
const { heard, quietAfter, silenceOf } = await import(
  new URL("../../console/meet/call/silence.ts", import.meta.url).href
);

/** The time of each look, and its result. */
type Looks = readonly (readonly [
  seconds: number,
  isMuted: boolean,
  isEmpty: boolean | undefined,
])[];

test("a silent microphone is reported after a moment, and no longer once something comes", async (t) => {
  const states = (looks: Looks): readonly (string | undefined)[] => {
    let quiet = heard;
    return looks.map(([seconds, isMuted, isEmpty]) => {
      quiet = quietAfter(quiet, { isMuted, isEmpty }, seconds * 1_000);
      return silenceOf(quiet, seconds * 1_000);
    });
  };
  await t.test("muted by the system", () => {
    const looks: Looks = [
      [0, true, true],
      [1, true, true],
      [9, true, true],
      [10, false, false],
      [11, true, undefined],
    ];
    assert.deepEqual(states(looks), [undefined, "muted", "muted", undefined, undefined]);
  });
  await t.test("nothing but zeros", () => {
    const looks: Looks = [
      [0, false, true],
      [4, false, true],
      [5, false, true],
      [6, false, false],
      [7, false, true],
      [11, false, true],
    ];
    const expected = [undefined, undefined, "empty", undefined, undefined, undefined];
    assert.deepEqual(states(looks), expected);
  });
  await t.test("a browser that does not measure", () => {
    const looks: Looks = [
      [0, false, true],
      [3, false, undefined],
      [60, false, undefined],
    ];
    assert.deepEqual(states(looks), [undefined, undefined, undefined]);
  });
});
