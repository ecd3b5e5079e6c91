import assert from "node:assert/strict";
import { test } from "node:test";
import type { Measured, Run } from "../../bench/results.ts";
import type { Figure } from "../../bench/target.ts";
import { docsWith } from "../../bench/write-docs.ts";

const mark = (name: string, ...lines: readonly string[]): string =>
  [
    `<!-- ${name}: written by npm run bench -- --write -->`,
    lines.join("\n"),
    `<!-- /${name} -->`,
  ].join("\n\n");

const head = ["| # | What | SQLite | PostgreSQL | Target | Missed |", "| --- | --- | --- |"];

const docs = {
  page: `Above\n${mark(
    "first",
    "|  | SQLite | PostgreSQL |",
    "| --- | --- | --- |",
    "| Fetched | 5 a second | 4 a second |",
    "| Created | 3 a second |  |",
  )}\nBelow`,
  figures: ["ratios", "limits", "meetings", "owners"]
    .map((name) => {
      const rows = [`| 1 | ${name} of one | 7.00 |  |  |  |`, "| 2 | of two | 8.00 |  |  |  |"];
      return mark(name, ...(name === "ratios" ? [] : ["Seen long ago.", ""]), ...head, ...rows);
    })
    .join("\n"),
};

const measured = (number: number, ...figures: readonly Figure[]): Measured => ({
  number,
  section: undefined,
  title: "",
  figures,
});

const run = (...of: readonly Measured[]): Run => ({
  at: "2030-01-02T03:04:05.000Z",
  quick: false,
  minutes: 1,
  generator: "wrk",
  machine: {
    cores: 2,
    model: "Test",
    memoryGb: 4,
    system: "linux",
    node: "26",
    sqlite: "3",
    postgres: "18",
  },
  measured: of,
});

const perSecond = (database: "SQLite" | "PostgreSQL", rounds: readonly number[]): Figure => ({
  what: "fetches",
  database,
  rounds,
  unit: "a second",
  first: "Fetched",
});

test("a run replaces the rows that it has measured, dates them, and keeps all others", () => {
  const { page, figures } = docsWith(run(measured(1, perSecond("SQLite", [90, 70, 80]))), docs);
  assert.equal(page, docs.page.replace("5 a second", "80 a second"));
  assert.match(figures, /Seen long ago\.\n\nRows 1: seen on 2 cores .* 2030-01-02\./);
  assert.match(
    figures,
    /\| 1 \| fetches \| 80 a second \| {2}\| {2}\| {2}\|\n\| 2 \| of two \| 8\.00/,
  );
  assert.doesNotMatch(figures, /limits of one/);
  assert.match(figures, /ratios of one[\s\S]*meetings of one[\s\S]*owners of one/);
});

test("a run of a whole table gives it one date, and both databases share a row", () => {
  const one = measured(1, perSecond("SQLite", [80]), perSecond("PostgreSQL", [40]));
  const { figures } = docsWith(run(one, measured(2, perSecond("SQLite", [5]))), docs);
  const limits = figures.slice(figures.indexOf("<!-- limits"), figures.indexOf("<!-- /limits"));
  assert.doesNotMatch(limits, /long ago|Rows/);
  assert.match(limits, /\| 1 \| fetches \| 80 a second \| 40 a second \|/);
});

test("a missed target names the databases that miss it", () => {
  const goal = { atLeast: 0.5 };
  const ratio = (database: "SQLite" | "PostgreSQL", value: number): Figure => ({
    what: "of the constant",
    database,
    unit: "ratio",
    rounds: [value],
    goal,
  });
  const with_ = (sqlite: number, postgres: number): string =>
    docsWith(run(measured(1, ratio("SQLite", sqlite), ratio("PostgreSQL", postgres))), docs)
      .figures;
  assert.match(with_(0.6, 0.4), /\| 0\.60 \| 0\.40 \| at least 0\.5 \| PostgreSQL \|/);
  assert.match(with_(0.3, 0.4), /\| at least 0\.5 \| both \|/);
  assert.match(with_(0.5, 0.5), /\| at least 0\.5 \| {2}\|/);
});

test("a document without a place for a table is refused, instead of losing the figures", () => {
  const figures = docs.figures.replace("<!-- /limits -->", "");
  const lost = () => docsWith(run(measured(1, perSecond("SQLite", [1]))), { ...docs, figures });
  assert.throws(lost, /no place for limits/);
});
