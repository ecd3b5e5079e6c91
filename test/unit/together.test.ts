import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { endsLink, type TimeInside, wereTogether } from "../../server/meetings/state/link-end.ts";

const at = (minute: number): string => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();
const stay = (
  person: string,
  from: number,
  to: number,
  device: string | null = null,
): TimeInside => ({
  person,
  device,
  joined_at: at(from),
  left_at: at(to),
});

test("two stays are a meeting if they overlap and are of two people", () => {
  const table: readonly (readonly [string, readonly TimeInside[], boolean])[] = [
    ["nobody came", [], false],
    ["one person", [stay("a", 0, 9)], false],
    ["one person in two windows", [stay("a", 0, 9), stay("a", 5, 9)], false],
    ["two who overlap", [stay("a", 0, 9), stay("b", 8, 20)], true],
    ["one after the other", [stay("a", 0, 9), stay("b", 9, 20)], false],
    ["one inside the other's time", [stay("a", 0, 30), stay("b", 8, 9)], true],
    [
      "after a long stay of the same person",
      [stay("a", 0, 30), stay("a", 1, 2), stay("b", 20, 40)],
      true,
    ],
    [
      "a guest who signs in in the same browser",
      [stay("guest:d", 0, 9), stay("user:1", 5, 20, "d")],
      false,
    ],
    [
      "an account in two browsers, in one of them as a guest too",
      [stay("user:1", 0, 9, "d"), stay("user:1", 3, 9, "e"), stay("guest:e", 5, 9)],
      false,
    ],
    ["two accounts in two browsers", [stay("user:1", 0, 9, "d"), stay("user:2", 5, 9, "e")], true],
    ["no length", [stay("a", 3, 3), stay("b", 3, 3)], false],
  ];
  for (const [name, stays, expected] of table) {
    assert.equal(wereTogether(stays), expected, name);
    assert.equal(wereTogether(stays.toReversed()), expected, `${name}, in another order`);
  }
});

test("a comparison of each pair of stays finds the same, also where two seats are one person's", () => {
  const moment = fc.nat(30);
  const one = fc.tuple(
    fc.constantFrom("guest:d", "guest:e", "user:1", "user:2"),
    moment,
    fc.nat(8),
    fc.constantFrom("d", "e", null),
  );
  fc.assert(
    fc.property(fc.array(one, { maxLength: 7 }), (some) => {
      const stays = some.map(([person, from, long, device]) =>
        stay(person, from, from + 1 + long, person.startsWith("guest:") ? null : device),
      );
      const group = new Map(stays.map(({ person }) => [person, person]));
      for (const guest of ["guest:d", "guest:e"]) group.set(guest, guest);
      const join = (a: string, b: string) => {
        const [from, to] = [group.get(a), group.get(b)];
        for (const [name, of] of group) if (of === from && to !== undefined) group.set(name, to);
      };
      for (const { person, device } of stays) if (device !== null) join(`guest:${device}`, person);
      const expected = stays.some((a) =>
        stays.some(
          (b) =>
            group.get(a.person) !== group.get(b.person) &&
            a.joined_at < b.left_at &&
            b.joined_at < a.left_at,
        ),
      );
      assert.equal(wereTogether(stays), expected);
    }),
    { numRuns: 1_000 },
  );
});

test("the end of a meeting ends a link that is not permanent, and not before the room's date or the last of its dates", () => {
  const met = [stay("a", 0, 9), stay("b", 0, 9)];
  const now = at(30);
  for (const [roomPermaLink, scheduledDateTime, stays, seriesEnd, ends] of [
    [false, null, met, null, true],
    [true, null, met, null, false],
    [false, null, [stay("a", 0, 9)], null, false],
    [false, at(29), met, null, true],
    [false, at(30), met, null, true],
    [false, at(31), met, null, false],
    [false, at(1), met, at(60), false],
    [false, at(60), met, at(1), true],
  ] as const) {
    const room = { roomPermaLink, scheduledDateTime };
    assert.equal(endsLink(room, stays, now, seriesEnd), ends, JSON.stringify([room, seriesEnd]));
  }
});
