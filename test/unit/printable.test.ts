import assert from "node:assert/strict";
import { test } from "node:test";
import { printable, printableJson, printableLines } from "../../server/cli/printable.ts";
import { columns } from "../../server/cli/table.ts";

const controls = "\x1b]0;title\x07\x1b[2J\x9b31m\x08\r\u202e\u2066\u200f\u2028\x85\x7f";

test("text by others controls no terminal, ends no line and turns no text around", () => {
  const shown = printable(`Ann\n${controls}\u{1f469}\u200d\u{1f466}`);
  assert.doesNotMatch(shown, /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/u);
  assert.ok(
    shown.startsWith("Ann\\u000a\\u001b]0;title") && shown.endsWith("\u{1f469}\u200d\u{1f466}"),
  );
});

test("a table has as many lines as rows, whatever is in its cells", () => {
  const lines = columns([
    ["ID", "NAME"],
    ["1", `Acme\n2  Forged${controls}`],
    ["3", "Bo"],
  ]);
  assert.equal(lines.length, 3);
  for (const line of lines) assert.doesNotMatch(line, /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/u);
});

test("the output of a command has its own lines and styles, and no other control", () => {
  const styled = "\x1b[1mHEAD\x1b[22m\n\x1b[31mFAULT\x1b[39m";
  assert.equal(printableLines(styled), styled);
  const rest = printableLines(`a\n${controls}`).replace("\n", "");
  assert.doesNotMatch(rest, /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/u);
});

test("JSON for programs says the same without styles", () => {
  const value = { name: `Ann\n${controls}` };
  const text = printableJson(value, 2);
  assert.deepEqual(JSON.parse(text), value);
  assert.doesNotMatch(text.replaceAll("\n", ""), /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/u);
});
