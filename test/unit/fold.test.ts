import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { fold, foldCase, literally, naturalKey, termOf } from "../../server/lib/fold.ts";

const bytes = (text: string): number => new TextEncoder().encode(text).length;
const text = fc.string({ unit: "grapheme", maxLength: 400 });

/** The match of LIKE with a pattern that is escaped with backslashes. */
const isLike = (value: string, pattern: string): boolean => {
  const parts = [...pattern.matchAll(/\\(.)|(%)|(_)|([^%_\\])/gsu)].map(
    ([, escaped, any, one, plain]) => {
      if (any !== undefined) return ".*";
      if (one !== undefined) return ".";
      return RegExp.escape(escaped ?? plain ?? "");
    },
  );
  return new RegExp(`^${parts.join("")}$`, "su").test(value);
};

test("names that people consider the same have the same key, and others do not", () => {
  for (const some of [
    ["Straße 1", "straße 1", "STRAßE 1"],
    ["Zoë", "Zoe\u0308", "ZOË"],
    ["ΣΩΣ", "σως", "Σωσ"],
    ["ｆｕｌｌ", "full", "FULL"],
    ["\ufb01ne", "fine"],
  ]) {
    assert.equal(new Set(some.map(foldCase)).size, 1, some.join());
  }
  for (const [one, other] of [
    ["a", "b"],
    ["a", "aa"],
    ["a b", "ab"],
    ["zoe", "zoë"],
  ] as const) {
    assert.notEqual(fold(one), fold(other));
  }
});

test("a key fits into an index, ends with a whole character, and is stable when folded again", () => {
  fc.assert(
    fc.property(text, (name) => {
      const [key, once, natural] = [fold(name), foldCase(name), naturalKey(name)];
      assert.ok(bytes(key) <= 2_001);
      assert.ok(bytes(once) <= 1_000);
      assert.ok(bytes(natural) <= 200);
      if (name.isWellFormed())
        for (const one of [key, once, natural]) assert.ok(one.isWellFormed());
      assert.equal(foldCase(once), once);
    }),
  );
  const long = "\u{1f600}".repeat(1_000);
  assert.equal(bytes(foldCase(long)), 1_000);
});

test("keys sort like the folded names", () => {
  fc.assert(
    fc.property(text, text, (one, other) => {
      const [a, b] = [foldCase(one), foldCase(other)];
      // A name that begins with another one may have something below every letter behind it.
      if (a === b || a.startsWith(b) || b.startsWith(a)) return;
      assert.equal(fold(one) < fold(other), a < b);
    }),
  );
});

test("numbers in names sort by value, with or without leading zeros", () => {
  const names = ["Room 1", "room 2", "Room 010", "room 10 a", "Room 11", "Room 100", "Room a"];
  assert.deepEqual(
    names.toSorted((one, other) => (naturalKey(one) < naturalKey(other) ? -1 : 1)),
    names,
  );
  assert.equal(naturalKey("Room 7"), naturalKey("ROOM 007"));
  assert.equal(naturalKey("Room 0"), naturalKey("Room 000"));
});

test("a term finds exactly itself, anywhere, even with pattern characters in it", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom("a", "b", "%", "_", "\\", " ") }),
      fc.string({ unit: fc.constantFrom("a", "b", "%", "_", "\\", " ") }),
      (value, term) => {
        assert.equal(isLike(value, literally(term).pattern), value.includes(term));
      },
    ),
  );
});

test("a name is found by any part of it, in any case and without its accents", () => {
  for (const [name, search] of [
    ["Großer Saal", "SAAL"],
    ["Zoë Müller", "zoe mu"],
    ["Ærø", "ÆRØ"],
    ["100 % sure_1", "% sure_"],
    ["e\u0301tude", "etude"],
  ] as const) {
    assert.ok(isLike(fold(name), termOf(search).pattern), `${name}: ${search}`);
  }
  for (const [name, search] of [
    ["Board", "bored"],
    ["100 sure", "% sure"],
    ["ab", "a_b"],
  ] as const) {
    assert.ok(!isLike(fold(name), termOf(search).pattern), `${name}: ${search}`);
  }
});
