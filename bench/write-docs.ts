import { readFileSync, writeFileSync } from "node:fs";
import { cellsOf, isMet, type Kind, linesOf, machineLine, type Run } from "./results.ts";

const page = new URL("../docs/performance.md", import.meta.url);
const tables = new URL("figures.md", import.meta.url);

const row = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;

/** The rows of a table in the document, and the lines above it. */
const partsOf = (text: string): { readonly above: string[]; readonly rows: string[] } => {
  const lines = text.split("\n").filter((line) => line !== "");
  return {
    above: lines.filter((line) => !line.startsWith("|")),
    rows: lines.filter((line) => line.startsWith("|")).slice(2),
  };
};

const firstCell = (line: string): string => line.split(" | ")[0]?.slice(2) ?? "";

/** A new table with the old rows of what this run has not measured, each in its place. */
const merged = (made: string, old: readonly string[], isMeasured: (cell: string) => boolean) => {
  const [head = "", line = "", ...rows] = made.split("\n");
  const kept = old.filter((one) => !isMeasured(firstCell(one)));
  const all = [...kept, ...rows].toSorted((a, b) => Number(firstCell(a)) - Number(firstCell(b)));
  return [head, line, ...all].join("\n");
};

/** A table of the medians; figures of both databases with the same target share a row. */
const part = (run: Run, kind: Kind): string => {
  const lines = linesOf(run, kind).map(([measured, figure]) => {
    const [number = "", what = "", database = "", median = "", , target = ""] = cellsOf(
      measured,
      figure,
    );
    return { number, what, database, median, target, isMissed: isMet(figure) === false };
  });
  const rows = Map.groupBy(lines, ({ number, what, target }) => [number, what, target].join());
  return [
    row(["#", "What", "SQLite", "PostgreSQL", "Target", "Missed"]),
    row(Array(6).fill("---")),
    ...[...rows.values()].map((figures) => {
      const [{ number, what, target } = { number: "", what: "", target: "" }] = figures;
      const medianOf = (name: string): string =>
        figures.find(({ database }) => database === name)?.median ?? "";
      const missed = figures.filter(({ isMissed }) => isMissed).map(({ database }) => database);
      const cells = [number, what, medianOf("SQLite"), medianOf("PostgreSQL"), target];
      return row([...cells, missed.length > 1 ? "both" : (missed[0] ?? "")]);
    }),
  ].join("\n");
};

/** The table of the few figures that customers look for, by database; figures that were not measured stay. */
const firstTable = (run: Run, old: readonly string[]): string => {
  const figures = run.measured.flatMap((one) => one.figures.map((figure) => ({ one, figure })));
  const names = [...new Set(figures.flatMap(({ figure: { first } }) => first ?? []))];
  const cellOf = (name: string, database: string): string => {
    const found = figures.find(
      ({ figure }) => figure.first === name && figure.database === database,
    );
    return found === undefined ? "" : (cellsOf(found.one, found.figure)[3] ?? "");
  };
  const rowOf = (name: string): string => {
    const known = old.find((line) => firstCell(line) === name)?.split(" | ") ?? [];
    const cells = ["SQLite", "PostgreSQL"].map(
      (database, at) => cellOf(name, database) || (known[at + 1] ?? "").replace(/ \|$/, ""),
    );
    return row([name, ...cells]);
  };
  const before = old.map(firstCell);
  return [
    row(["", "SQLite", "PostgreSQL"]),
    row(["---", "---", "---"]),
    ...old.map((line) => (names.includes(firstCell(line)) ? rowOf(firstCell(line)) : line)),
    ...names.filter((name) => !before.includes(name)).map(rowOf),
  ].join("\n");
};

/** Replaces the text between the two marks with a name. */
const between = (document: string, name: string, change: (old: string) => string): string => {
  const [begin, end] = [
    `<!-- ${name}: written by npm run bench -- --write -->`,
    `<!-- /${name} -->`,
  ];
  const from = document.indexOf(begin);
  const to = document.indexOf(end);
  if (from === -1 || to === -1) throw new Error(`There is no place for ${name}.`);
  const old = document.slice(from + begin.length, to);
  return `${document.slice(0, from + begin.length)}\n\n${change(old)}\n\n${document.slice(to)}`;
};

/** The texts of docs/performance.md and bench/figures.md. */
interface Docs {
  readonly page: string;
  readonly figures: string;
}

/** The documents with the measurements of a run; the rest of both stays. */
export const docsWith = (run: Run, docs: Docs): Docs => {
  const first = between(docs.page, "first", (old) => firstTable(run, partsOf(old).rows));
  let document = docs.figures;
  const write = (name: Kind, { isDated = true } = {}): void => {
    const numbers = new Set(linesOf(run, name).map(([{ number }]) => `${number}`));
    if (numbers.size === 0) return;
    document = between(document, name, (old) => {
      const { above, rows } = partsOf(old);
      const isWhole = rows.every((line) => numbers.has(firstCell(line)));
      const seen = isWhole
        ? [`Seen on ${machineLine(run)}.`]
        : [
            ...above.filter((line) => !line.startsWith("Rows ")),
            `Rows ${[...numbers].join(", ")}: seen on ${machineLine(run)}.`,
          ];
      const table = merged(part(run, name), rows, (cell) => numbers.has(cell));
      return [...(isDated ? seen : []), table].join("\n\n");
    });
  };
  write("ratios", { isDated: false });
  for (const name of ["limits", "meetings", "owners"] as const) write(name);
  return { page: first, figures: document };
};

/** Writes the measurements of a run into the documents. */
export const writeDocs = (run: Run): void => {
  const docs = { page: readFileSync(page, "utf8"), figures: readFileSync(tables, "utf8") };
  const made = docsWith(run, docs);
  writeFileSync(page, made.page);
  writeFileSync(tables, made.figures);
};
