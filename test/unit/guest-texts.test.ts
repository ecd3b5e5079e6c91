import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { test } from "node:test";

const folder = new URL("../../console/texts/en/", import.meta.url).pathname;
/** The texts that teachers and guests read, in a meeting and about it. */
const files = globSync(["meet.ts", "meet-*.ts", "waits.ts", "transcripts.ts"], { cwd: folder });

/** The texts in a source: what stands in double quotes or backquotes, without what is put into it. */
const textsIn = (source: string): readonly string[] =>
  [
    ...source
      .replace(/^import .*$|\/\*[\s\S]*?\*\/|\/\/.*$/gm, "")
      .matchAll(/"([^"\n]*)"|`([^`]*)`/g),
  ]
    .map(([, plain = "", made = ""]) => plain + made.replace(/\$\{[^}]*\}/g, "…"))
    // A text has blanks; a word of a program has none.
    .filter((text) => text.includes(" "));

/** What operators read, and names of fields of the interface. */
const foreign =
  /\b(?:operator|the log|server|database|Chromium|ffmpeg|LiveKit)\b|\b[a-z]+[A-Z_]\w*/;

test("texts of a meeting speak to teachers and guests, not to operators or programs", () => {
  assert.ok(files.length > 6, files.join());
  const found = files.flatMap((file) =>
    textsIn(readFileSync(folder + file, "utf8"))
      .filter((text) => foreign.test(text))
      .map((text) => `${file}: ${text}`),
  );
  assert.deepEqual(found, []);
  assert.deepEqual(textsIn('a: "Tell the operator.", b: "word"'), ["Tell the operator."]);
  assert.match("Tell the operator.", foreign);
  assert.match("The field roomId", foreign);
});
