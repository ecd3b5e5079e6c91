import { cellsOf, heading, type Kind, linesOf, machineLine, type Run } from "./results.ts";

const table = (rows: readonly (readonly string[])[]): string => {
  const widths = heading.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
};

const part = (run: Run, kind: Kind): string => {
  const lines = linesOf(run, kind);
  const notes = lines.flatMap(([{ number }, { what, database, note }]) =>
    note === undefined ? [] : [`  ${number}, ${what}${database ? ` (${database})` : ""}: ${note}`],
  );
  const rows = lines.map(([measured, figure]) => cellsOf(measured, figure));
  return [table([heading, ...rows]), ...(notes.length > 0 ? ["", ...notes] : [])].join("\n");
};

/** A table under its heading; nothing if this run has no line for it. */
const titled = (run: Run, title: string, kind: Kind): string[] =>
  linesOf(run, kind).length === 0 ? [] : [title, part(run, kind)];

/** The run as text for a terminal. */
export const asText = (run: Run): string =>
  [
    run.measured.map(({ number, title }) => `${String(number).padStart(2)}  ${title}`).join("\n"),
    ...titled(
      run,
      "Ratios: taken within this run, in interleaved rounds; they hold on other machines too.",
      "ratios",
    ),
    ...titled(run, `Limits, which belong to this machine: ${machineLine(run)}.`, "limits"),
    ...titled(run, `Meetings, on this machine: ${machineLine(run)}.`, "meetings"),
    ...titled(run, `Owners of very many rooms, on this machine: ${machineLine(run)}.`, "owners"),
    run.quick ? "A quick run: small data and short rounds. Its figures mean nothing." : "",
    `${run.minutes} minutes in all.`,
  ]
    .filter((text) => text !== "")
    .join("\n\n");
