// `npm run reference`: updates the parts of docs/ that come from the contract and from floors.json.
import { readFileSync, writeFileSync } from "node:fs";
import { floorsTable } from "./floors.ts";
import { refreshed } from "./reference.ts";

const write = (name: string, change: (text: string) => string): void => {
  const file = new URL(`../docs/${name}`, import.meta.url);
  writeFileSync(file, change(readFileSync(file, "utf8")));
};

write("interface.md", refreshed);
write("architecture.md", (text) =>
  text.replace(
    /(?<=<!-- made: floors -->\n).*?(?=<!-- \/made -->)/s,
    () => `\n${floorsTable()}\n\n`,
  ),
);
