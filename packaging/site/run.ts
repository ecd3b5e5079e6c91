// `npm run site`: makes the site of docs/ in dist/site.
import { join } from "node:path";
import { root } from "../folder.ts";
import { makeSite } from "./site.ts";

const to = process.argv[2] ?? join(root, "dist", "site");
const { pages, bytes } = makeSite(to);
console.log(`${join(to, "index.html")}: ${pages} pages, ${(bytes / 1e6).toFixed(1)} MB`);
