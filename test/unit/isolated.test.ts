import assert from "node:assert/strict";
import { test } from "node:test";
import { isolatedParts, isolating } from "../../console/texts/isolated.ts";
import { isolated } from "../../contract/kit/plain.ts";

const hebrew = "\u05d0\u05d1 1";

test("a text that could turn others is isolated, and any other stays as it is", () => {
  for (const text of ["Ann Lee", "Müller (Sales)", "会議", "👩‍👩‍👦", ""])
    assert.equal(isolated(text), text);
  for (const text of [hebrew, "\u0645\u062d\u0645\u062f", "\u{10a00}", "\u{1e900}"]) {
    assert.equal(isolated(text), `\u2068${text}\u2069`);
  }
  // A text from before names were checked cannot end its own isolation.
  assert.equal(isolated("a\u2069\u202eb"), "\u2068ab\u2069");
});

test("every text isolates its parameters, lists included, and leaves other values alone", () => {
  const texts = isolating({
    plain: "Rooms",
    deep: { of: (name: string, count: number) => `${name}: ${count + 1}` },
    all: (names: readonly string[]) => names.join(", "),
    none: null,
  });
  assert.equal(texts.plain, "Rooms");
  assert.equal(texts.deep.of(hebrew, 1), `\u2068${hebrew}\u2069: 2`);
  assert.equal(texts.deep.of("Ann", 1), "Ann: 2");
  assert.equal(texts.all(["Ann", hebrew]), `Ann, \u2068${hebrew}\u2069`);
  assert.equal(texts.none, null);
  assert.deepEqual(isolatedParts(texts.deep.of(hebrew, 1)), ["", hebrew, ": 2"]);
});
