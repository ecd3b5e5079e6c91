import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import fc from "fast-check";
import { openBucket } from "../../server/lib/bucket.ts";
import { leastRecentlyUsed } from "../../server/lib/lru.ts";
import { countComing, openAllowance } from "../../server/meetings/state/rate.ts";

/** A clock in milliseconds that moves only when a test moves it. */
const stopClock = (t: TestContext) => {
  const clock = { now: 1_000 };
  t.mock.method(performance, "now", () => clock.now);
  return clock;
};

test("a bucket passes its burst at once, then its rate, and never more than its burst", (t) => {
  const clock = stopClock(t);
  const may = openBucket({ perSecond: 2, burst: 3 });
  const many = () => {
    let passed = 0;
    while (may()) passed += 1;
    return passed;
  };
  assert.equal(many(), 3);
  clock.now += 499;
  assert.equal(many(), 0);
  clock.now += 1;
  assert.equal(many(), 1);
  clock.now += 1_000_000;
  assert.equal(many(), 3);
});

test("a refusal takes nothing from a bucket", (t) => {
  stopClock(t);
  const may = openBucket({ perSecond: 1, burst: 10 });
  assert.deepEqual([may(7), may(4), may(4), may(3), may(1)], [true, false, false, true, false]);
});

test("over any time, a bucket passes at most its burst and its rate", (t) => {
  const clock = stopClock(t);
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(2_000), fc.integer({ min: 1, max: 5 }))), (asked) => {
      const begun = clock.now;
      const may = openBucket({ perSecond: 3, burst: 8 });
      let passed = 0;
      for (const [pause, takes] of asked) {
        clock.now += pause;
        if (may(takes)) passed += takes;
        assert.ok(passed <= 8 + (3 * (clock.now - begun)) / 1_000 + 1e-6);
      }
    }),
  );
});

test("a full map drops the entry that was unused for longest", () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.boolean(), fc.constantFrom("a", "b", "c", "d", "e"))),
      (steps) => {
        const map = leastRecentlyUsed<string, number>(3);
        // The keys by their last use, the latest last.
        let used: string[] = [];
        for (const [n, [writes, key]] of steps.entries()) {
          const isKnown = used.includes(key);
          if (writes) map.set(key, n);
          else assert.equal(map.get(key) !== undefined, isKnown, key);
          if (writes || isKnown) used = [...used.filter((one) => one !== key), key].slice(-3);
        }
        for (const key of ["a", "b", "c", "d", "e"]) {
          assert.equal(map.get(key) !== undefined, used.includes(key), key);
        }
      },
    ),
  );
});

test("each person of a meeting has an allowance, and guests of one address share ten", (t) => {
  stopClock(t);
  const may = openAllowance({ perSecond: 1, burst: 2 });
  const passed = (person: string, from: string | null, meetingId = "m") => {
    let many = 0;
    while (many < 100 && may({ meetingId, person, from })) many += 1;
    return many;
  };
  assert.equal(passed("user:1", null), 2);
  assert.equal(passed("user:1", null), 0, "whichever seat");
  assert.equal(passed("user:1", null, "another meeting"), 2);
  const guests = Array.from({ length: 15 }, (_, n) => passed(`guest:${n}`, "address"));
  assert.equal(
    guests.reduce((sum, many) => sum + many, 0),
    20,
  );
  assert.equal(passed("guest:x", "another address"), 2);
  assert.equal(passed("user:2", null), 2);
});

test("a guest enters twenty times at once and then every five seconds, and an address's guests by the room's seats", (t) => {
  const clock = stopClock(t);
  const comes = (person: string, from: string, seats: number): boolean => {
    try {
      countComing({ roomId: `room of ${seats}`, person, from, seats });
      return true;
    } catch (error) {
      assert.equal((error as { readonly code?: string }).code, "too_many_requests");
      return false;
    }
  };
  const times = (most: number, come: (n: number) => boolean): number => {
    let many = 0;
    while (many < most && come(many)) many += 1;
    return many;
  };
  assert.equal(
    times(100, () => comes("guest:one", "one", 1)),
    20,
  );
  clock.now += 5_000;
  assert.equal(
    times(100, () => comes("guest:one", "one", 1)),
    1,
  );
  for (const seats of [2, 30]) {
    const many = times(1_000, (n) => comes(`guest:${seats}-${n}`, "class", seats));
    assert.ok(Math.abs(many - (60 + 4 * seats)) <= 1, `${many} with ${seats} seats`);
  }
});
