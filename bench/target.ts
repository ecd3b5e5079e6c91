import type { Bench } from "./bench.ts";
import type { DatabaseName } from "./dataset.ts";

/** A line of the table. */
export interface Figure {
  readonly what: string;
  readonly database?: DatabaseName;
  /** A ratio within one run, or an absolute limit, which holds for one machine. */
  readonly unit: "ratio" | "ms" | "s" | "kB" | "MB" | "%" | "a second";
  /** One value per round. */
  readonly rounds: readonly number[];
  /** Undefined: shown without a judgment. */
  readonly goal?: { readonly atLeast: number } | { readonly atMost: number };
  readonly note?: string;
  /** The row of the page's first table in which it appears. */
  readonly first?: string;
}

/** A section of bench/figures.md. */
export type Section = "meetings" | "owners";

/** A target of the bench: one file in targets/. */
export interface Target {
  readonly number: number;
  /** The section of its figures; undefined: the tables of ratios and limits. */
  readonly section?: Section;
  readonly title: string;
  measure(bench: Bench): Promise<readonly Figure[]>;
}

/** Checks the type of a target in the target's own file. */
export const target = (definition: Target): Target => definition;
