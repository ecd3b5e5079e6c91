// Runs: always

import assert from "node:assert/strict";
import { globSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { choose, importsOf } from "../run/changed.ts";
import { runs } from "../run/head.ts";

const cwd = fileURLToPath(new URL("../..", import.meta.url));
const files = globSync("test/**/*.test.ts", { cwd }).sort();

/** The test files that a change of one file reaches, without those that always run. */
const reached = (file: string): readonly string[] =>
  choose([file], files).reached.filter((one) => !runs(one, "always"));

const folders = (some: readonly string[]) =>
  [...new Set(some.map((file) => file.split("/")[1]))].sort();

test("a file reaches what it imports dynamically, and what it names as a URL", () => {
  for (const [text, expected] of [
    ['import { a } from "./a.ts";', ["test/unit/a.ts"]],
    ['import {\n  type A,\n  b,\n} from "../world/b.ts";', ["test/world/b.ts"]],
    ['import "./a.ts";\nexport * from "./b.ts";', ["test/unit/b.ts", "test/unit/a.ts"]],
    ['await import("../../server/a.ts")', ["server/a.ts"]],
    ['new URL("./worker.js", import.meta.url)', ["test/unit/worker.js"]],
    [
      // biome-ignore lint/suspicious/noTemplateCurlyInString: this is the text of a file.
      'const at = new URL("../../console/", import.meta.url).href;\nawait import(`${at}kit/a.ts`);',
      ["console/kit/a.ts", "console"],
    ],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: this is the text of a file.
    ["new URL(`../../deploy/${name}`, import.meta.url)", ["deploy"]],
    ['import type { A } from "./a.ts";\nexport type { B } from "./b.ts";', []],
    ['import { test } from "node:test";\nimport zod from "zod";', []],
  ] as const) {
    const found = importsOf("test/unit/x.test.ts", text).map((file) => file.replace(/\/$/, ""));
    assert.deepEqual(found, expected, text);
  }
});

test("a change reaches the tests that import it, that run its program, or that open its pages", () => {
  const everywhere = reached("server/meetings/seats/allowed.ts");
  assert.ok(everywhere.includes("test/meetings/controls.test.ts"));
  assert.ok(everywhere.includes("test/console/rooms.test.ts"));
  const backups = reached("server/cli/backup.ts");
  assert.ok(backups.includes("test/moving/backup.test.ts"));
  assert.ok(!folders(backups).includes("rooms"));
  assert.deepEqual(folders(reached("console/rooms/rooms-page.tsx")), ["console", "recordings"]);
  assert.ok(reached("console/meet/call/chat.ts").includes("test/unit/chat.test.ts"));
  assert.ok(reached("console/meet/call/chat.ts").includes("test/meetings/browser.test.ts"));
  assert.deepEqual(folders(reached("test/imports/workbooks.test.ts")), []);
  assert.deepEqual(reached("docs/promises.md"), []);
  assert.deepEqual(reached("deploy/nginx.conf"), [
    "test/http/planned-stops.test.ts",
    "test/http/proxies.test.ts",
  ]);
  assert.deepEqual(
    reached("package-lock.json").length,
    files.filter((f) => !runs(f, "always")).length,
  );
});
