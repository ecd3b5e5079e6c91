// `npm run reference`: updates the parts of docs/ that come from the contract, from floors.json, and from the metrics.
import { readFileSync, writeFileSync } from "node:fs";
import { floorsTable } from "./floors.ts";
import { metricsTable } from "./metrics.ts";
import { refreshed } from "./reference.ts";

const write = (name: string, change: (text: string) => string): void => {
  const file = new URL(`../docs/${name}`, import.meta.url);
  writeFileSync(file, change(readFileSync(file, "utf8")));
};

/** Puts a table into its place. */
const put = (text: string, name: string, table: string): string =>
  text.replace(
    new RegExp(`(?<=<!-- made: ${name} -->\\n).*?(?=<!-- /made -->)`, "s"),
    () => `\n${table}\n\n`,
  );

write("interface.md", refreshed);
write("architecture.md", (text) => put(text, "floors", floorsTable()));
write("metrics.md", (text) => put(text, "metrics", metricsTable()));
