import { Registry } from "prom-client";
import { describeMetrics, makeMetrics } from "../server/http/metric-list.ts";

/** The table of every metric, for docs/metrics.md. */
export const metricsTable = (): string => {
  const registry = new Registry();
  makeMetrics(registry, false);
  const rows = describeMetrics(registry).map(({ name, type, labels, help }) => {
    const by = labels.map((label) => `\`${label}\``).join(", ");
    return `| \`${name}\` | ${type} | ${by} | ${help} |`;
  });
  return ["| Metric | Type | Labels | Meaning |", "|---|---|---|---|", ...rows].join("\n");
};
