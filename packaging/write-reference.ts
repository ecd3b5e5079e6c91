// `npm run reference`: makes the parts of docs/interface.md anew that the contract knows.
import { readFileSync, writeFileSync } from "node:fs";
import { refreshed } from "./reference.ts";

const file = new URL("../docs/interface.md", import.meta.url);
writeFileSync(file, refreshed(readFileSync(file, "utf8")));
