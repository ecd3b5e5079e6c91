import assert from "node:assert/strict";
import { test } from "node:test";
import { keptBy } from "../../server/backups/keep.ts";

/** The name of a backup at a time. */
const at = (time: string): string => `parley-${time.replace(/[-:.]/g, "")}`;

const names = [
  at("2026-11-28T15:00:00.000Z"),
  at("2026-11-28T03:15:00.000Z"),
  at("2026-11-27T03:15:00.000Z"),
  // Nothing was made on the 26th.
  at("2026-11-25T03:15:00.000Z"),
  // A Monday, and the Sunday before it.
  at("2026-11-23T03:15:00.000Z"),
  at("2026-11-22T03:15:00.000Z"),
  at("2026-10-31T23:59:59.999Z"),
  at("2025-11-28T03:15:00.000Z"),
] as const;

const kept = (rule: Parameters<typeof keptBy>[0]): number[] => {
  const found = keptBy(rule, names);
  return names.flatMap((name, n) => (found.has(name) ? [n] : []));
};

test("retention keeps the last backup of each day, week and month that has one", () => {
  assert.deepEqual(kept({}), [0], "the newest, whatever the rule says");
  assert.deepEqual(kept({ last: 2 }), [0, 1]);
  assert.deepEqual(kept({ daily: 3 }), [0, 2, 3], "days without one do not count");
  assert.deepEqual(kept({ weekly: 2 }), [0, 5], "weeks begin on Mondays");
  assert.deepEqual(kept({ monthly: 3 }), [0, 6, 7]);
  assert.deepEqual(kept({ last: 2, daily: 2, weekly: 3 }), [0, 1, 2, 5, 6]);
  assert.deepEqual(kept({ last: 100 }), [0, 1, 2, 3, 4, 5, 6, 7]);
  assert.deepEqual([...keptBy({ daily: 7 }, [])], []);
});
