import assert from "node:assert/strict";
import { test } from "node:test";
import { calendarOf } from "../../console/meet/call/calendar-text.ts";

const room = {
  roomId: "board",
  name: "Board; second, with \\ and a long name in many letters: Übersicht über alles und noch viel mehr",
  roomType: "conferencing",
  roomAgenda: "Numbers,\nthen questions",
  scheduledDateTime: "2027-01-20T10:00:00.000Z",
};

test("a calendar file has the date in UTC, escaped texts, and lines of at most 75 octets", () => {
  const link = "https://meet.example.org/m/k3fm-8xqt-vw2p";
  const made = new Date("2026-11-27T15:00:00.000Z");
  const text = calendarOf(room, { date: "2027-01-20T11:00:00+01:00", link, made });
  const lines = text.split("\r\n");
  assert.equal(lines.at(-1), "");
  for (const line of lines) assert.ok(Buffer.byteLength(line) <= 75, line);
  const whole = text.replaceAll("\r\n ", "").split("\r\n");
  for (const line of [
    "DTSTAMP:20261127T150000Z",
    "DTSTART:20270120T100000Z",
    "UID:board@meet.example.org",
    `URL:${link}`,
    "SUMMARY:Board\\; second\\, with \\\\ and a long name in many letters: Übersicht über alles und noch viel mehr",
    `DESCRIPTION:Numbers\\,\\nthen questions\\n\\n${link}`,
  ]) {
    assert.ok(whole.includes(line), line);
  }
});
