import assert from "node:assert/strict";
import { test } from "node:test";
import { dayOf, fromLocal, showIn, toLocal } from "../../console/kit/show.ts";

/** While the year 2027 is typed, the field first holds the years 2, 20 and 202. */
const typed = ["0002", "0020", "0202", "2027"].map((year) => `${year}-01-05T10:00`);

/** Calls back while dates are shown in each of these time zones. */
const inZones = (zones: readonly string[], run: (zone: string) => void): void => {
  try {
    for (const zone of zones) {
      showIn(zone);
      run(zone);
    }
  } finally {
    showIn(null);
  }
};

test("a field shows a moment as it was typed, even in time zones with offsets of seconds", () => {
  inZones(["Europe/Berlin", "Asia/Kolkata", "UTC"], (zone) => {
    const shown = typed.map((local) => toLocal(fromLocal(local) ?? null));
    assert.deepEqual(shown, typed, zone);
  });
});

test("a file is named by the day of the person's time zone", () => {
  const days: string[] = [];
  inZones(["America/Los_Angeles", "UTC", "Pacific/Auckland"], () => {
    for (const hour of ["03", "12"]) days.push(dayOf(`2027-01-06T${hour}:00:00.000Z`));
  });
  const [before, same, after] = ["2027-01-05", "2027-01-06", "2027-01-07"];
  assert.deepEqual(days, [before, same, same, same, same, after]);
});

test("an empty field has no moment, and a year of five digits is refused", () => {
  assert.deepEqual([fromLocal(""), toLocal(null)], [null, ""]);
  assert.equal(fromLocal("20271-01-05T10:00"), undefined);
});

test("a time that clocks skip is an hour later, and one that they show twice is the first", () => {
  inZones(["Europe/Berlin"], () => {
    assert.equal(fromLocal("2027-03-28T02:30"), "2027-03-28T01:30:00.000Z");
    assert.equal(fromLocal("2027-10-31T02:30"), "2027-10-31T00:30:00.000Z");
    assert.equal(toLocal("2027-10-31T00:30:00.000Z"), "2027-10-31T02:30");
    assert.equal(toLocal("2027-10-31T01:30:00.000Z"), "2027-10-31T02:30");
  });
  inZones(["America/New_York"], () => {
    assert.equal(fromLocal("2027-03-14T02:30"), "2027-03-14T07:30:00.000Z");
    assert.equal(fromLocal("2027-11-07T01:30"), "2027-11-07T05:30:00.000Z");
  });
});

test("an unknown time zone counts as the browser's", () => {
  inZones(["Mars/Olympus"], () => {
    assert.match(toLocal("2027-01-05T10:00:00.000Z"), /^2027-01-0[456]T/);
  });
});
