import { readFileSync, writeFileSync } from "node:fs";
import { cellsOf, isMet, type Kind, linesOf, machineLine, type Run } from "./results.ts";

const file = new URL("../docs/performance.md", import.meta.url);

const row = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;

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

/** The table of the few figures that customers look for, by database. */
const firstTable = (run: Run): string => {
  const figures = run.measured.flatMap((one) => one.figures.map((figure) => ({ one, figure })));
  const names = [...new Set(figures.flatMap(({ figure: { first } }) => first ?? []))];
  const cellOf = (name: string, database: string): string => {
    const found = figures.find(
      ({ figure }) => figure.first === name && figure.database === database,
    );
    return found === undefined ? "" : (cellsOf(found.one, found.figure)[3] ?? "");
  };
  return [
    row(["", "SQLite", "PostgreSQL"]),
    row(["---", "---", "---"]),
    ...names.map((name) => row([name, cellOf(name, "SQLite"), cellOf(name, "PostgreSQL")])),
  ].join("\n");
};

/** Puts text between the two marks with a name. */
const between = (document: string, name: string, text: string): string => {
  const [begin, end] = [
    `<!-- ${name}: written by npm run bench -- --write -->`,
    `<!-- /${name} -->`,
  ];
  const from = document.indexOf(begin);
  const to = document.indexOf(end);
  if (from === -1 || to === -1) throw new Error(`docs/performance.md has no place for ${name}.`);
  return `${document.slice(0, from + begin.length)}\n\n${text}\n\n${document.slice(to)}`;
};

/** Writes the sections of a run into docs/performance.md; the rest of the page stays. */
export const writeDocs = (run: Run): void => {
  let document = readFileSync(file, "utf8");
  const machine = `Seen on ${machineLine(run)}.`;
  if (run.measured.some(({ section }) => section === undefined)) {
    document = between(document, "first", firstTable(run));
    document = between(document, "ratios", part(run, "ratios"));
    document = between(document, "limits", `${machine}\n\n${part(run, "limits")}`);
  }
  for (const section of ["meetings", "owners"] as const) {
    if (run.measured.every((one) => one.section !== section)) continue;
    document = between(document, section, `${machine}\n\n${part(run, section)}`);
  }
  writeFileSync(file, document);
};
