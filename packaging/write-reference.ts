// `npm run reference`: updates the parts of docs/interface.md that come from the contract.
import { readFileSync, writeFileSync } from "node:fs";
import { refreshed } from "./reference.ts";

const file = new URL("../docs/interface.md", import.meta.url);
writeFileSync(file, refreshed(readFileSync(file, "utf8")));
