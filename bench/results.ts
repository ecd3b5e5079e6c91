import type { Machine } from "./machine.ts";
import { median } from "./statistics.ts";
import type { Figure, Section } from "./target.ts";

/** A target with its figures. */
export interface Measured {
  readonly number: number;
  readonly section: Section | undefined;
  readonly title: string;
  readonly figures: readonly Figure[];
}

export interface Run {
  readonly at: string;
  readonly quick: boolean;
  readonly minutes: number;
  readonly generator: string;
  readonly machine: Machine;
  readonly measured: readonly Measured[];
}

/** Returns whether a figure meets its goal; undefined without a goal. */
export const isMet = ({ goal, rounds }: Figure): boolean | undefined => {
  if (goal === undefined) return undefined;
  const value = median(rounds);
  return "atLeast" in goal ? value >= goal.atLeast : value <= goal.atMost;
};

const digits = (value: number): string => value.toFixed(Math.abs(value) >= 20 ? 0 : 2);

/** The cells of a figure: number, what, database, median, range, target, whether it is met. */
export const cellsOf = ({ number }: Measured, figure: Figure): string[] => {
  const { goal, rounds, unit, what, database = "" } = figure;
  const suffix = unit === "ratio" ? "" : ` ${unit}`;
  const met = isMet(figure);
  return [
    String(number),
    what,
    database,
    digits(median(rounds)) + suffix,
    `${digits(Math.min(...rounds))} to ${digits(Math.max(...rounds))}`,
    goal === undefined
      ? ""
      : "atLeast" in goal
        ? `at least ${goal.atLeast}${suffix}`
        : `at most ${goal.atMost}${suffix}`,
    met === undefined ? "" : met ? "yes" : "NO",
  ];
};

export const heading = ["#", "What", "Database", "Median", "Range", "Target", "Met"];

/** The kind of a figure: a ratio within the run, a limit of the machine, or one of a section. */
export type Kind = "ratios" | "limits" | Section;

const kindOf = ({ section }: Measured, { unit }: Figure): Kind =>
  section ?? (unit === "ratio" ? "ratios" : "limits");

/** The lines of one kind. */
export const linesOf = (run: Run, kind: Kind): [Measured, Figure][] =>
  run.measured.flatMap((one) =>
    one.figures
      .filter((figure) => kindOf(one, figure) === kind)
      .map((figure): [Measured, Figure] => [one, figure]),
  );

export const machineLine = ({ machine, generator, at }: Run): string => {
  const { cores, model, memoryGb, system, node, sqlite, postgres } = machine;
  return [
    `${cores} cores (${model}), ${memoryGb} GB, ${system}`,
    `Node ${node}, SQLite ${sqlite}${postgres === undefined ? "" : `, PostgreSQL ${postgres}`}`,
    `load by ${generator}, ${at.slice(0, 10)}`,
  ].join("; ");
};
