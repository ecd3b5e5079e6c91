// Runs: sqlite

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { toCsv } from "../../contract/kit/csv.ts";
import { readSheet } from "../../server/imports/sheets/read.ts";

const SIGNS = [..."=+-@＝＋－＠"];
const isFormula = (cell: string): boolean => /^[\s\p{Z}\p{C}]*[=+\-@＝＋－＠]/u.test(cell);

/**
 * The cells as a spreadsheet with this separator reads them: quotes count only at the beginning of a cell,
 * and the text after the closing one belongs to the cell.
 */
const cellsOf = (csv: string, separator: string): readonly string[] => {
  const cells: string[] = [];
  let cell = "";
  let state: "start" | "plain" | "quoted" = "start";
  for (let at = 0; at < csv.length; at += 1) {
    const sign = csv[at] ?? "";
    if (state === "quoted") {
      if (sign !== '"') cell += sign;
      else if (csv[at + 1] === '"') {
        cell += sign;
        at += 1;
      } else state = "plain";
    } else if (sign === '"' && state === "start") state = "quoted";
    else if (sign === separator || sign === "\r" || sign === "\n") {
      cells.push(cell);
      cell = "";
      state = "start";
    } else {
      cell += sign;
      state = "plain";
    }
  }
  return [...cells, cell];
};

const csvOf = (...values: readonly unknown[]): string => {
  const columns = values.map((_, index) => `c${index}`);
  return toCsv(columns, [Object.fromEntries(values.map((value, index) => [`c${index}`, value]))]);
};

const assertNoFormula = (csv: string): void => {
  for (const separator of [",", ";", "\t"]) {
    assert.deepEqual(cellsOf(csv, separator).filter(isFormula), [], `${separator}: ${csv}`);
  }
  // OWASP names these characters by themselves, before any text.
  assert.deepEqual(
    cellsOf(csv, ",").filter((cell) => /^[\t\r\n]/.test(cell)),
    [],
  );
};

for (const sign of SIGNS) {
  test(`no cell of the export is a formula beginning with ${sign}`, () => {
    for (const value of [
      `${sign}1+1`,
      `  ${sign}1+1`,
      `\t${sign}1+1`,
      `\n${sign}1+1`,
      `\u00a0\u200b${sign}1+1`,
      `Hall;${sign}1+1`,
      `Hall; "${sign}1+1`,
      `Hall\n${sign}1+1`,
      `Hall\r\n ${sign}1+1`,
      [`${sign}1+1`],
      ["sales", `${sign}1+1`],
      ["sales; ", ` ${sign}1+1`],
    ]) {
      assertNoFormula(csvOf("first", value, "last"));
      assertNoFormula(csvOf(value));
    }
  });
}

test("no text becomes a formula, whatever separates the cells", () => {
  const part = fc.constantFrom(...SIGNS, ";", ",", "\t", "\r", "\n", '"', "'", " ", "a", "1");
  const text = fc.array(part, { maxLength: 12 }).map((parts) => parts.join(""));
  const value = fc.oneof(text, fc.array(text, { maxLength: 3 }));
  fc.assert(
    fc.property(fc.array(value, { minLength: 1, maxLength: 4 }), (values) =>
      assertNoFormula(csvOf(...values)),
    ),
    { numRuns: 2_000 },
  );
});

test("a text that is not a formula is exported unchanged, and read back the same", () => {
  const values = [
    "Board meeting",
    'the "big" hall, north',
    "two\nlines",
    "a-b",
    "x = y",
    "ann@b.c",
  ];
  assert.deepEqual(cellsOf(csvOf(...values), ",").slice(-values.length), values);
  assert.equal(csvOf(-4, true, null, undefined).split("\r\n")[1], "-4,true,,");
});

test("exported cells are imported unchanged, whatever their first character", async () => {
  const part = fc.constantFrom(...SIGNS, ";", ",", "\t", "\r", "\n", '"', "'", "''", " ", "a", "1");
  const text = fc.array(part, { maxLength: 8 }).map((parts) => parts.join(""));
  await fc.assert(
    fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 4 }), async (locations) => {
      const rows = locations.map((location) => ({ email: "x", name: `n${location}`, location }));
      const csv = toCsv(["email", "name", "location"], rows);
      const file = { kind: "users", format: "csv", form: "parley" } as const;
      const { lines } = await readSheet({ ...file, content: Buffer.from(`\uFEFF${csv}`) });
      const filled = rows.map(({ location, ...row }) =>
        location === "" ? row : { ...row, location },
      );
      assert.deepEqual(
        lines.map(({ given }) => given),
        filled,
      );
    }),
    { numRuns: 500 },
  );
});
