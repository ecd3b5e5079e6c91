import { styleText } from "node:util";
import { printable } from "./printable.ts";
import { columns } from "./table.ts";
/**
 * The finding of one check of `parley doctor`. A note is worth knowing; a fault keeps Parley from
 * working.
 */
export interface Check {
  readonly name: string;
  readonly status: "ok" | "note" | "fault";
  readonly found: string;
  /** The remedy. */
  readonly advice: string | null;
}

/** A finding before the first start: not a fault, shown at the end. */
export const NO_DATABASE = "There is none yet.";

export const ok = (name: string, found: string): Check => ({
  name,
  status: "ok",
  found,
  advice: null,
});

export const note = (name: string, found: string, advice: string): Check => ({
  name,
  status: "note",
  found,
  advice,
});

export const fault = (name: string, found: string, advice: string): Check => ({
  name,
  status: "fault",
  found,
  advice,
});

const signs = { ok: ["ok", "green"], note: ["note", "yellow"], fault: ["FAULT", "red"] } as const;

/** Findings as lines for a terminal, each remedy below its finding. */
export const showChecks = (checks: readonly Check[]): string => {
  const lines = columns(checks.map(({ name, status, found }) => [signs[status][0], name, found]));
  return checks
    .flatMap(({ status, advice }, at) => {
      const [sign, colour] = signs[status];
      const rest = lines[at]?.slice(sign.length) ?? "";
      const line = styleText(colour, sign, { stream: process.stdout }) + rest;
      return advice ? [line, `       ${printable(advice)}`] : [line];
    })
    .join("\n");
};
