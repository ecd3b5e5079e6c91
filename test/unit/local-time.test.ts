import assert from "node:assert/strict";
import { test } from "node:test";
import { dayOf, fromLocal, toLocal } from "../../console/data/show.ts";

/** While the year 2027 is typed, the field first holds the years 2, 20 and 202. */
const typed = ["0002", "0020", "0202", "2027"].map((year) => `${year}-01-05T10:00`);

/** Calls back in each of these time zones. */
const inZones = (zones: readonly string[], run: (zone: string) => void): void => {
  const { TZ } = process.env;
  try {
    for (const zone of zones) {
      process.env.TZ = zone;
      run(zone);
    }
  } finally {
    if (TZ === undefined) delete process.env.TZ;
    else process.env.TZ = TZ;
  }
};

test("a moment is shown in a field as it was typed, in time zones whose offset had seconds too", () => {
  inZones(["Europe/Berlin", "Asia/Kolkata", "UTC"], (zone) => {
    const shown = typed.map((local) => toLocal(fromLocal(local) ?? null));
    assert.deepEqual(shown, typed, zone);
  });
});

test("a file has the day of the person's own time zone", () => {
  const days: string[] = [];
  inZones(["America/Los_Angeles", "UTC", "Pacific/Auckland"], () => {
    for (const hour of ["03", "12"]) days.push(dayOf(`2027-01-06T${hour}:00:00.000Z`));
  });
  const [before, same, after] = ["2027-01-05", "2027-01-06", "2027-01-07"];
  assert.deepEqual(days, [before, same, same, same, same, after]);
});

test("an empty field holds no moment, and a year of five digits is not taken", () => {
  assert.deepEqual([fromLocal(""), toLocal(null)], [null, ""]);
  assert.equal(fromLocal("20271-01-05T10:00"), undefined);
});
