import assert from "node:assert/strict";
import { test } from "node:test";
import "../world/texts.ts";
import {
  faultsOf,
  newSchedule,
  type ScheduleValues,
} from "../../console/schedule/schedule-values.ts";

const DAY_MS = 86_400_000;
const local = (days: number): string =>
  new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 16);

const running: ScheduleValues = {
  ...newSchedule(),
  startsAt: local(-10),
  timeZone: "UTC",
  repetition: "week",
  ends: "count",
  count: 4,
};
const saved = `${running.startsAt}:00.000Z`;

test("a series that has begun is over only with its last date, whatever changes", () => {
  for (const change of [
    { timeZone: "Pacific/Auckland" },
    { startsAt: local(-9) },
    { repetition: "twoWeeks" },
    { ends: "until", until: local(30).slice(0, 10), timeZone: "America/Lima" },
  ] as const) {
    assert.deepEqual(faultsOf({ ...running, ...change }, false, saved), {}, JSON.stringify(change));
  }
  for (const change of [
    { timeZone: "Pacific/Auckland", count: 2, repetition: "day" },
    { startsAt: local(-9), repetition: "never" },
  ] as const) {
    const faults = faultsOf({ ...running, ...change }, false, saved);
    assert.deepEqual(Object.keys(faults), ["startsAt"], JSON.stringify(change));
  }
  // A new schedule begins with a date that comes.
  assert.deepEqual(Object.keys(faultsOf({ ...running, name: "Lesson" }, true)), ["startsAt"]);
});
