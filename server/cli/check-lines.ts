import { styleText } from "node:util";
import type { Check } from "./check.ts";
import { printable } from "./printable.ts";
import { columns } from "./table.ts";

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
