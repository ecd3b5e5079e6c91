import assert from "node:assert/strict";
import { test } from "node:test";
import { fromLocal, toLocal } from "../../console/data/show.ts";

/** While the year 2027 is typed, the field first holds the years 2, 20 and 202. */
const typed = ["0002", "0020", "0202", "2027"].map((year) => `${year}-01-05T10:00`);

test("a moment is shown in a field as it was typed, in time zones whose offset had seconds too", () => {
  const { TZ } = process.env;
  try {
    for (const zone of ["Europe/Berlin", "Asia/Kolkata", "UTC"]) {
      process.env.TZ = zone;
      const shown = typed.map((local) => toLocal(fromLocal(local) ?? null));
      assert.deepEqual(shown, typed, zone);
    }
  } finally {
    if (TZ === undefined) delete process.env.TZ;
    else process.env.TZ = TZ;
  }
});

test("an empty field holds no moment, and a year of five digits is not taken", () => {
  assert.deepEqual([fromLocal(""), toLocal(null)], [null, ""]);
  assert.equal(fromLocal("20271-01-05T10:00"), undefined);
});
