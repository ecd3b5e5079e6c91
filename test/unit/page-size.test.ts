// Runs: always

import assert from "node:assert/strict";
import { globSync, readFileSync, statSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { buildConsole } from "../../console/build.ts";

/** The largest size of what the meeting page loads in addition to the console's files, in bytes. */
const MOST = 250_000;

const dist = fileURLToPath(new URL("../../console/dist", import.meta.url));
const LOADED = /(?:src|href)="\/(assets\/[^"]+\.(?:js|css))"/g;
const IMPORTED = /\bimport\("\.\/([^"]+\.js)"\)|\bimport\(`\.\/([^`]+\.js)`\)/g;

const read = (name: string): string => readFileSync(`${dist}/${name}`, "utf8");
/** The files that a page loads before it shows anything, according to its HTML: scripts, their imports and styles. */
const loadedBy = (page: string): ReadonlySet<string> =>
  new Set([...read(page).matchAll(LOADED)].map(([, name = ""]) => name));
/** The files that scripts load later, on demand. */
const laterOf = (names: Iterable<string>): readonly string[] =>
  [...names]
    .filter((name) => name.endsWith(".js"))
    .flatMap((name) => [...read(name).matchAll(IMPORTED)])
    .map(([, one, other]) => `assets/${one ?? other}`);
/** The size of files as a browser gets them. */
const sizeOf = (names: Iterable<string>): number =>
  [...names].reduce((sum, name) => sum + statSync(`${dist}/${name}.br`).size, 0);

const hasSchemas = (name: string): boolean => name.endsWith(".js") && read(name).includes("_zod");

test("the page of a meeting loads no schemas before it asks what its link opens", async () => {
  await buildConsole();
  assert.deepEqual([...loadedBy("meet.html")].filter(hasSchemas), []);
  const all = globSync("assets/*.js", { cwd: dist });
  assert.ok(all.some(hasSchemas), "the forms of the console are made of schemas");
});

test("a person who enters a meeting loads at most 250 kB besides React, Mantine and other files of the console", async (t) => {
  await buildConsole();
  const shared = loadedBy("index.html");
  const meet = loadedBy("meet.html");
  const own = [...meet].filter((name) => !shared.has(name));
  const engine = laterOf(own).filter((name) => name.startsWith("assets/livekit-"));
  assert.equal(engine.length, 1, "the client of the media engine is a file of its own");
  const sizes = { page: sizeOf(own), engine: sizeOf(engine), shared: sizeOf(shared) };
  t.diagnostic(JSON.stringify(sizes));
  assert.ok(sizes.page > 0 && sizes.engine > 0 && sizes.shared > 0);
  assert.ok(sizes.page + sizes.engine <= MOST, JSON.stringify(sizes));
});

test("a page loads one font file of at most 50 kB before other scripts need more", async () => {
  await buildConsole();
  const [, ...others] = globSync("assets/*.woff2", { cwd: dist });
  assert.ok(others.length > 0, "each script has a file");
  for (const page of ["index.html", "meet.html", "watch.html"]) {
    const fonts = [...read(page).matchAll(/href="\/(assets\/[^"]+\.woff2)"/g)];
    assert.equal(fonts.length, 1, page);
    const [, font = ""] = fonts[0] ?? [];
    assert.ok(statSync(`${dist}/${font}`).size <= 50_000, `${page} loads ${font}`);
  }
  assert.match(read("inter-license.txt"), /SIL OPEN FONT LICENSE/i);
});
