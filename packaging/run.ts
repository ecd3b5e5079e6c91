// `npm run package`: makes the packages of the program and of the client, as npm installs them.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { makeClientPackage } from "./client.ts";
import { root } from "./folder.ts";
import { makeProgramPackage } from "./program.ts";

const to = process.argv[2] ?? join(root, "dist");
const folders = { "parley-client": makeClientPackage, parley: makeProgramPackage };
for (const [name, make] of Object.entries(folders)) {
  const folder = join(to, name);
  await make(folder);
  execFileSync("npm", ["pack", folder, "--pack-destination", to, "--silent"], { stdio: "inherit" });
}
