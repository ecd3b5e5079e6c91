// Runs: always

import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { fifthOf, isShorter } from "../run/fifth.ts";
import { headOf, needWords, runs, runWords } from "../run/head.ts";
import { queuesFor, type Run, runsOf } from "../run/queues.ts";

const cwd = fileURLToPath(new URL("../..", import.meta.url));
const files = globSync("test/**/*.test.ts", { cwd }).sort();
const databases = ["sqlite", "postgres"] as const;

/** The files that run on each database. */
const ranIn = (complete: boolean): readonly string[][] => {
  const groups = Object.values(queuesFor(runsOf({ databases, files, complete }))).flat();
  const ran = databases.map((name) =>
    groups.flatMap(({ database, files: some }) => (database === name ? some : [])),
  );
  const expected = files.filter((file) => complete || !runs(file, "complete"));
  assert.deepEqual([...new Set(ran.flat())].sort(), expected);
  for (const some of ran) assert.equal(new Set(some).size, some.length);
  return ran;
};

test("a complete run has every test file once on each database, or once on the one that it names", () => {
  const ran = ranIn(true);
  const once = files.filter((file) => !ran.every((some) => some.includes(file)));
  const onOne = (file: string) => databases.some((name) => runs(file, name));
  assert.ok(once.every((file) => onOne(file) || file.startsWith("test/unit/")));
});

test("every run has the test files that are not for complete runs, on the databases that they name if their tests differ there, on PostgreSQL if they start a second service", () => {
  const ran = ranIn(false);
  const [, postgres] = ran;
  for (const file of files.filter(
    (name) => ![...databases, "complete" as const].some((word) => runs(name, word)),
  )) {
    const source = readFileSync(`${cwd}/${file}`, "utf8");
    if (/\bonPostgres\b|\bname === "sqlite"/.test(source)) {
      const says = (["both", "postgres-first", "sqlite-first"] as const).some((word) =>
        runs(file, word),
      );
      assert.ok(says, `${file} asks for its database: it says where it runs in a short run`);
    }
    if (/\.second\(\)/.test(source)) {
      assert.ok(
        postgres?.includes(file),
        `${file} starts a second service: it runs on "postgres-first"`,
      );
    }
  }
});

test("five fifths are all that a short run leaves out, except for unsteady files", () => {
  const [short, complete] = [false, true].map((all) => runsOf({ databases, files, complete: all }));
  assert.ok(short && complete);
  const names = (some: readonly Run[]) => some.map(({ database, file }) => `${database} ${file}`);
  const inShort = new Set(names(short));
  const fifths = new Map<string, readonly string[]>();
  for (let n = 0; n < 50; n += 1) {
    const { shortened, more } = fifthOf(`sources ${n}`, short, complete);
    assert.ok(names(shortened).every((name) => inShort.has(name)));
    fifths.set(names(more).join(), names(more));
  }
  assert.equal(fifths.size, 5);
  const left = complete.filter(({ file }) => !runs(file, "unsteady"));
  const expected = names(left).filter((name) => !inShort.has(name));
  assert.deepEqual([...fifths.values()].flat().sort(), expected.sort());
});

test("a file is shorter in a short run by its twins, by tests of complete runs, or by counts, in whichever form it imports them", () => {
  for (const text of [
    'testTwin("a twin", check);',
    'import { onlyComplete } from "../world/seed.ts";',
    'import { complete, rollDice } from "../world/seed.ts";',
    'import {\n  count,\n  rollDice,\n} from "../world/seed.ts";',
  ]) {
    assert.ok(isShorter(text), text);
  }
  for (const text of [
    'import { rollDice, soaking } from "../world/seed.ts";\nconst { count } = body;',
    'import { count } from "./rows.ts";\nimport { rollDice } from "../world/seed.ts";',
  ]) {
    assert.ok(!isShorter(text), text);
  }
});

test("the first lines of a test file are read, and what the runner does not know is refused", () => {
  const read = (text: string) => {
    const head = headOf("x.test.ts", text);
    return { runs: [...head.runs], needs: [...head.needs] };
  };
  assert.deepEqual(read("import assert;\n"), { runs: [], needs: [] });
  assert.deepEqual(read("// Runs: both, waits\n\n"), { runs: ["both", "waits"], needs: [] });
  assert.deepEqual(read("// Needs: nginx\n// A test.\n"), { runs: [], needs: ["nginx"] });
  assert.deepEqual(read("// Runs: pages\n// Needs: browser, ffmpeg\n"), {
    runs: ["pages"],
    needs: ["browser", "ffmpeg"],
  });
  for (const text of [
    "// Runs: twice\n",
    "// Runs: both,waits\n",
    "// Needs: both\n",
    "// Runs: sqlite, postgres\n",
    "// Runs: pages, waits\n",
    "// Needs: nginx\n// Runs: both\n",
    "\n// Runs: both\n",
    "// runs: both\n",
    "// Runs:\n",
  ]) {
    assert.throws(() => read(text), text);
  }
});

test("the page about the tests explains every word that a test file may say", () => {
  const page = readFileSync(`${cwd}/test/README.md`, "utf8");
  for (const [word, meaning] of Object.entries(runWords)) {
    assert.ok(page.includes(`| \`${word}\` | ${meaning} |`), word);
  }
  assert.ok(page.includes(needWords.map((need) => `\`${need}\``).join(", ")));
});
