// Runs: always

import assert from "node:assert/strict";
import { test } from "node:test";
import { isolatedParts } from "../../console/texts/isolated.ts";
import { isolated } from "../../contract/kit/plain.ts";
import { messagesOf } from "../../languages/compile.ts";
import { completeLanguages } from "../../languages/read.ts";

const hebrew = "\u05d0\u05d1 1";

test("a text that could turn others is isolated, and any other one stays as it is", () => {
  for (const text of ["Ann Lee", "Müller (Sales)", "会議", "👩‍👩‍👦", ""])
    assert.equal(isolated(text), text);
  for (const text of [hebrew, "\u0645\u062d\u0645\u062f", "\u{10a00}", "\u{1e900}"]) {
    assert.equal(isolated(text), `\u2068${text}\u2069`);
  }
  // A text from before names were checked cannot end its own isolation.
  assert.equal(isolated("a\u2069\u202eb"), "\u2068ab\u2069");
  const date = new Intl.DateTimeFormat("ar-EG", { dateStyle: "short" }).format(0);
  assert.match(date, /\u200f/);
  assert.equal(isolated(date), `\u2068${date}\u2069`);
});

test("a message of the pages isolates the texts that it is given, in each language", () => {
  for (const language of completeLanguages()) {
    const { rooms } = messagesOf(language, "rooms", isolated);
    assert.ok(rooms.saved(hebrew).includes(`\u2068${hebrew}\u2069`), language);
    assert.equal(rooms.saved("Ann").includes("\u2068"), false, language);
    assert.deepEqual(isolatedParts(rooms.saved(hebrew))[1], hebrew, language);
  }
});
