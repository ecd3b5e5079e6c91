import assert from "node:assert/strict";
import { test } from "node:test";
import ICAL from "ical.js";
import type { Weekday } from "../../contract/kit/plain.ts";
import { calendarOf, googleLinkOf } from "../../server/records/calendar.ts";
import {
  datesOf,
  movedRepetition,
  nextOf,
  type Series,
} from "../../server/records/schedule-dates.ts";

const weekly = (startsAt: string, timeZone = "Europe/Berlin"): Series => ({
  startsAt,
  timeZone,
  minutes: 45,
  repetition: { every: "week", days: ["tuesday"], until: null, count: 4 },
});

/** The dates that a calendar program reads from the file, in UTC. */
const readDates = (series: Series): string[] => {
  const event = { ...series, uid: "u@parley", sequence: 0, name: "Lesson; 1, a\\b" };
  const organizer = { name: "School", address: "parley@example.org" };
  const { text } = calendarOf(event, { link: "https://example.org/m/x", organizer });
  const calendar = new ICAL.Component(ICAL.parse(text));
  for (const zone of calendar.getAllSubcomponents("vtimezone")) {
    ICAL.TimezoneService.register(new ICAL.Timezone(zone));
  }
  const read = new ICAL.Event(calendar.getFirstSubcomponent("vevent") ?? undefined);
  assert.equal(read.summary, event.name);
  assert.equal(read.duration.toSeconds(), series.minutes * 60);
  if (!read.isRecurring()) return [read.startDate.toJSDate().toISOString()];
  const all: string[] = [];
  const walk = read.iterator();
  for (let next = walk.next(); next; next = walk.next()) all.push(next.toJSDate().toISOString());
  return all;
};

test("a weekly 09:00 in Berlin stays 09:00 when summer time ends and when it begins", () => {
  const autumn = weekly("2026-10-20T07:00:00.000Z");
  const spring = weekly("2027-03-16T08:00:00.000Z");
  assert.deepEqual(datesOf(autumn), [
    "2026-10-20T07:00:00.000Z",
    "2026-10-27T08:00:00.000Z",
    "2026-11-03T08:00:00.000Z",
    "2026-11-10T08:00:00.000Z",
  ]);
  assert.deepEqual(datesOf(spring).slice(1, 3), [
    "2027-03-23T08:00:00.000Z",
    "2027-03-30T07:00:00.000Z",
  ]);
  for (const series of [autumn, spring]) assert.deepEqual(readDates(series), datesOf(series));
});

test("a time that the clocks skip moves by what they skip, and one that they show twice is the first", () => {
  const daily = { every: "day", days: [], until: null, count: 3 } as const;
  const skipped = { ...weekly("2027-03-27T01:30:00.000Z"), repetition: { ...daily, days: [] } };
  assert.deepEqual(datesOf(skipped), [
    "2027-03-27T01:30:00.000Z",
    "2027-03-28T01:30:00.000Z",
    "2027-03-29T00:30:00.000Z",
  ]);
  const doubled = { ...weekly("2026-10-24T00:30:00.000Z"), repetition: { ...daily, days: [] } };
  assert.deepEqual(datesOf(doubled), [
    "2026-10-24T00:30:00.000Z",
    "2026-10-25T00:30:00.000Z",
    "2026-10-26T01:30:00.000Z",
  ]);
});

test("series repeat on weekdays, on chosen days, and by month where it has the day, until a day", () => {
  const from = (startsAt: string, repetition: Series["repetition"]) =>
    datesOf({ startsAt, timeZone: "UTC", minutes: 60, repetition }).map((date) =>
      date.slice(0, 10),
    );
  const on = { days: [], until: null, count: null };
  assert.deepEqual(from("2026-01-02T09:00:00.000Z", { ...on, every: "weekday", count: 3 }), [
    "2026-01-02",
    "2026-01-05",
    "2026-01-06",
  ]);
  assert.deepEqual(from("2026-01-31T09:00:00.000Z", { ...on, every: "month", count: 3 }), [
    "2026-01-31",
    "2026-03-31",
    "2026-05-31",
  ]);
  assert.deepEqual(
    from("2026-01-05T09:00:00.000Z", {
      ...on,
      every: "week",
      days: ["monday", "thursday"],
      until: "2026-01-15",
    }),
    ["2026-01-05", "2026-01-08", "2026-01-12", "2026-01-15"],
  );
  assert.deepEqual(from("2026-01-05T09:00:00.000Z", null), ["2026-01-05"]);
});

test("every second week counts weeks from Monday, even where the first date is late in its week", () => {
  const series = (startsAt: string, days: readonly Weekday[]): Series => ({
    startsAt,
    timeZone: "Europe/Berlin",
    minutes: 45,
    repetition: { every: "twoWeeks", days, until: null, count: 4 } as Series["repetition"],
  });
  const midweek = series("2026-10-22T07:00:00.000Z", ["monday", "thursday"]);
  assert.deepEqual(
    datesOf(midweek).map((date) => date.slice(0, 13)),
    ["2026-10-22T07", "2026-11-02T08", "2026-11-05T08", "2026-11-16T08"],
  );
  const sunday = series("2026-10-18T07:00:00.000Z", ["monday", "sunday"]);
  assert.deepEqual(
    datesOf(sunday).map((date) => date.slice(0, 10)),
    ["2026-10-18", "2026-10-26", "2026-11-01", "2026-11-09"],
  );
  for (const one of [midweek, sunday]) assert.deepEqual(readDates(one), datesOf(one));
  assert.deepEqual(
    movedRepetition(series("2026-10-20T07:00:00.000Z", ["tuesday"]), "2026-10-22T07:00:00.000Z")
      ?.days,
    ["thursday"],
  );
  const google = googleLinkOf(
    { ...midweek, uid: "u", sequence: 0, name: "Lesson" },
    "https://example.org",
  );
  assert.match(new URL(google).searchParams.get("recur") ?? "", /INTERVAL=2/);
});

test("a calendar program reads the same dates in zones without summer time, old names and UTC", () => {
  for (const zone of ["Asia/Calcutta", "UTC", "America/New_York", "Australia/Lord_Howe"]) {
    const series = weekly("2026-10-20T05:00:00.000Z", zone);
    assert.deepEqual(readDates(series), datesOf(series), zone);
    const single = { ...series, repetition: null };
    assert.deepEqual(readDates(single), datesOf(single), zone);
  }
});

test("the list of next dates has a date until it is over", () => {
  const series = weekly("2026-10-20T07:00:00.000Z");
  assert.equal(nextOf(series, "2026-10-20T07:44:00.000Z"), "2026-10-20T07:00:00.000Z");
  assert.equal(nextOf(series, "2026-10-20T07:45:00.000Z"), "2026-10-27T08:00:00.000Z");
  assert.equal(nextOf(series, "2026-11-10T09:00:00.000Z"), null);
});

test("a single weekday moves with the date, and a repetition that does not fit the day goes", () => {
  const series = weekly("2026-10-20T07:00:00.000Z");
  assert.deepEqual(movedRepetition(series, "2026-10-22T07:00:00.000Z")?.days, ["thursday"]);
  const workdays = { ...series, repetition: { every: "weekday", days: [], until: null, count: 4 } };
  assert.equal(movedRepetition(workdays as Series, "2026-10-24T07:00:00.000Z"), null);
});
