import assert from "node:assert/strict";
import { test } from "node:test";
import { compareUtf8, concatenated } from "../../server/utf8.ts";

/** On both sides of each place where one more byte, or a pair of code units, is needed. */
const CHARACTERS = ["a", "z", "\u007f", "\u0080", "ß", "\u07ff", "\u0800", "会"].concat([
  "\ud7ff",
  "\ue000",
  "\uffff",
  "\u{10000}",
  "\u{1f600}",
  "\u{10ffff}",
]);

test("texts compare as their bytes in UTF-8 do", () => {
  const texts = ["", ...CHARACTERS].flatMap((one) => CHARACTERS.map((other) => one + other));
  for (const a of ["", ...texts]) {
    for (const b of texts) {
      const expected = Buffer.compare(Buffer.from(a), Buffer.from(b));
      assert.equal(Math.sign(compareUtf8(a, b)), expected, JSON.stringify([a, b]));
    }
  }
});

test("texts and bytes are put together in their order", () => {
  assert.equal(concatenated("a", "会", ""), "a会");
  const bytes = concatenated("[", new TextEncoder().encode("会"), "]");
  assert.equal(Buffer.from(bytes).toString(), "[会]");
});
