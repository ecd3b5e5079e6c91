import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { showRow, showSentences } from "../../console/kit/show.ts";
import { setTexts } from "../../console/texts/index.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

test("sentences and words follow each other as the page's language writes them", () => {
  const shown = ["en", "ja", "zh-CN", "ar"].map((language) => {
    setTexts(language);
    return [showSentences(["A.", "B."]), showRow(["a", "b"])];
  });
  assert.deepEqual(shown, [
    ["A. B.", "a, b"],
    ["A.B.", "a、b"],
    ["A.B.", "a、b"],
    ["A. B.", "a، b"],
  ]);
});

/** Parts of texts that a module joins by punctuation of its own, as English writes it. */
const joined = (source: string): readonly string[] =>
  source.match(
    /`[^`\n]*\}[.,:;!?] \$\{[^`\n]*`|`[^`\n]*\}[.!?]`|\)\}[.!?](?=<)|\}[,:] \{(?=\w)[^\n]*\}/g,
  ) ?? [];

test("no module of the pages joins texts by punctuation of its own, and one that does is found", () => {
  const files = globSync("console/**/*.{ts,tsx}", {
    cwd: root,
    exclude: ["console/dist/**", "console/vite.config.ts"],
  });
  const found = files.flatMap((file) =>
    joined(readFileSync(`${root}/${file}`, "utf8")).map((part) => `${file}: ${part}`),
  );
  assert.deepEqual(found, []);
  for (const one of [
    "`\u0024{t.actions.copied}. \u0024{life}`",
    "`\u0024{say(count)}.`",
    "<p>{say(count)}.</p>",
    "{texts.labels.events}: {count(events)}",
  ])
    assert.equal(joined(one).length, 1, one);
});
