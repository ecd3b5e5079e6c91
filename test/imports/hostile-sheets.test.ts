// Runs: sqlite

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { csvFile } from "../../contract/kit/csv.ts";
import { FileFault } from "../../server/imports/sheets/fault.ts";
import { count } from "../world/seed.ts";
import { readFile, workbook } from "./sheet-files.ts";

/** Reads what may be no file; anything but an answer or a refusal fails. */
const survives = async (content: string | Uint8Array, kind: "users" | "rooms"): Promise<void> => {
  try {
    const { lines } = await readFile(content, { kind });
    for (const { given } of lines) {
      assert.doesNotMatch(JSON.stringify(given), /\ufffd/);
    }
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
  }
};

const kinds = fc.constantFrom("users", "rooms");
const part = fc.constantFrom(
  "Name",
  "Email",
  "Owner",
  "ann@example.org",
  "Ann <a@b.example>",
  "TRUE",
  "1,5",
  "=1+1",
  ",",
  ";",
  "\t",
  "|",
  "\r\n",
  "\n",
  "\r",
  '"',
  '""',
  "'",
  " ",
  "\u00a0",
  "\ufeff",
  "#",
  "sep=;\n",
  "Total",
  "{",
  "}",
  "[",
  "]",
  ":",
  '"users":[',
  "\0",
  "\ufffd",
  "é",
  "名前",
  "\u202e",
);

test("no text makes the reader fail", async () => {
  const text = fc.array(part, { maxLength: 60 }).map((parts) => parts.join(""));
  const read = fc.asyncProperty(text, kinds, survives);
  await fc.assert(read, { numRuns: count(400, 10_000, 150) });
});

test("no bytes make the reader fail", async () => {
  const bytes = fc.uint8Array({ maxLength: 300 });
  const read = fc.asyncProperty(bytes, kinds, survives);
  await fc.assert(read, { numRuns: count(300, 10_000, 120) });
});

test("no change of a workbook's bytes makes the reader fail", async () => {
  const whole = workbook([
    {
      name: "S",
      rows: [
        ["Name", "Email"],
        ["Ann", "ann@example.org"],
      ],
    },
  ]);
  const at = fc.nat({ max: whole.length - 1 });
  const changes = fc.array(fc.tuple(at, fc.nat({ max: 255 })), { minLength: 1, maxLength: 4 });
  const read = fc.asyncProperty(changes, async (all) => {
    const bytes = Uint8Array.from(whole);
    for (const [place, byte] of all) bytes[place] = byte;
    await survives(bytes, "users");
  });
  await fc.assert(read, { numRuns: count(15, 500, 6) });
});

test("a long cell of any signs is read in linear time, as a heading, an address, a name or a yes", async () => {
  const signs = ["a", "(", "!", "@", "a@", "<", "\u200b", "ﷺ", "«", ";", " ", "\t"];
  for (const sign of signs) {
    const long = `"x${sign.repeat(40_000)}x"`;
    const before = process.cpuUsage();
    for (const text of [
      `email,name,${long}\na@b.example,Ann,1\n`,
      `email,name,admin\n${long},Ann,${long}\na@b.example,${long},1\n`,
      `name,owner,record\n${long},${long},${long}\n`,
    ]) {
      for (const kind of ["users", "rooms"] as const) await survives(text, kind);
    }
    // Not the elapsed time, which other processes make longer. Quadratic time is ten seconds and more.
    const { user } = process.cpuUsage(before);
    assert.ok(user < 2_500_000, `${JSON.stringify(sign)}: ${user / 1_000_000} s`);
  }
});

test("a list of very many entries, with very many columns of one meaning, is read in linear time", async () => {
  const meanings = { users: "email", rooms: "starttime" } as const;
  for (const [kind, word] of Object.entries(meanings) as ["users" | "rooms", string][]) {
    const before = process.cpuUsage();
    const names = Array.from(
      { length: 1_000 },
      (_, n) => word + ".".repeat(n % 40) + "-".repeat(n / 40),
    );
    const first = Object.fromEntries(names.map((name) => [name, "a"]));
    const entry = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`c${n}`, n]));
    await survives(JSON.stringify([first, ...Array.from({ length: 5_000 }, () => entry)]), kind);
    await survives(JSON.stringify([first, ...Array.from({ length: 250_000 }, () => ({}))]), kind);
    const { user } = process.cpuUsage(before);
    assert.ok(user < 5_000_000, `${kind}: ${user / 1_000_000} s`);
  }
});

test("a written table reads back as it was, whatever it holds", async () => {
  const cell = fc.string({ unit: "grapheme", maxLength: 12 }).filter((text) => text.isWellFormed());
  const read = fc.asyncProperty(fc.array(cell, { minLength: 1, maxLength: 5 }), async (names) => {
    const rows = names.map((name, at) => ({ email: `p${at}@example.org`, name: `n${name}` }));
    const { lines } = await readFile(csvFile(["email", "name"], rows));
    const read = lines.map(({ given }) => given);
    const expected = rows.filter(({ name }) => !name.includes("\ufffd") && !name.includes("\0"));
    if (expected.length === rows.length) assert.deepEqual(read, rows);
  });
  await fc.assert(read, { numRuns: count(300, 10_000, 120) });
});
