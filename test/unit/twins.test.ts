// Runs: always

import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { runInNewContext } from "node:vm";
import { standingLines } from "../twins/twin.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const read = (file: string): string => readFileSync(`${root}/${file}`, "utf8");

const text = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`/.source;
const replaced = new RegExp(
  `file:\\s*(${text}),\\s*(lines|export):\\s*(${text})(?:,\\s*by:\\s*(${text}))?`,
  "g",
);
/** The modules of the product that the text of a twin imports, with the imported names if they stand beside them. */
const imported = /import\("(\.[^"]+)"\)(?:\)\s*\.(\w+))?/g;
const exported = (name: string) =>
  new RegExp(`export (?:const|class|(?:async )?function) ${name}\\b`);

// Complete runs start the twins, short ones do not: this tells at once that a change has left one behind.
test("everything that a twin replaces or imports exists in the sources", () => {
  const gone: string[] = [];
  const sources = new Set(globSync("{contract,server}/**/*.ts", { cwd: root }));
  for (const file of globSync("test/**/*.ts", { cwd: root })) {
    const source = read(file);
    const found = [...source.matchAll(replaced)];
    assert.equal(found.length, source.match(/\b(?:lines|export):\s*["'`]/g)?.length ?? 0, file);
    for (const [, path = "", what = "", literal = "", by = ""] of found) {
      const [target, code]: [string, string] = runInNewContext(`[${path}, ${literal}]`);
      const standing = what === "lines" ? standingLines(code) : exported(code);
      if (!standing.test(read(`server/${target}`))) gone.push(`${file}: ${target}: ${code}`);
      for (const [, from = "", name = ""] of by.matchAll(imported)) {
        const module = posix.join("server", posix.dirname(target), from);
        const isThere = sources.has(module) && (name === "" || exported(name).test(read(module)));
        if (!isThere) gone.push(`${file}: ${target} imports ${name} of ${from}`);
      }
    }
  }
  assert.deepEqual(gone, []);
});

test("twins are started by testTwin, which leaves them to complete runs", () => {
  const others = globSync("test/**/*.test.ts", { cwd: root }).filter((file) =>
    [...read(file).matchAll(new RegExp(`\\btest\\(\\s*(${text})`, "g"))].some(([, name = ""]) =>
      /\ba (twin|filter) .*is detected/.test(name),
    ),
  );
  assert.deepEqual(others, []);
});
