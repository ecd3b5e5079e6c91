import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { root } from "../../packaging/folder.ts";
import { parts, partsIn, refreshed } from "../../packaging/reference.ts";

const read = (file: string): string => readFileSync(join(root, file), "utf8");
const document = read("docs/interface.md");

test("docs/interface.md says what the contract says: `npm run reference` writes it", () => {
  assert.equal(refreshed(document), document);
  assert.deepEqual([...partsIn(document)].sort(), Object.keys(parts).sort());
});

test("every section of docs/interface.md that a comment cites is a heading there", () => {
  const headings = new Set([...document.matchAll(/^#+ (.+)$/gm)].map(([, heading]) => heading));
  const files = globSync("{contract,server,console,test,packaging}/**/*.{ts,tsx}", { cwd: root });
  const cited = files
    .filter((file) => !file.includes("dist") && !file.endsWith("reference.test.ts"))
    .flatMap((file) =>
      [...read(file).matchAll(/interface\.md, ([A-Z][\w ]*)/g)].map(([, place]) => [file, place]),
    );
  assert.ok(cited.length > 10);
  for (const [file, place] of cited) assert.ok(headings.has(place), `${file}: ${place}`);
});
