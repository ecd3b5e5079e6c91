// `npm run release`: the packages, the chart, the SBOM, the notes, and the checksums of all of them.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import packageJson from "../package.json" with { type: "json" };
import { makeClientPackage } from "./client.ts";
import { emptyFolder, root } from "./folder.ts";
import { makeProgramPackage } from "./program.ts";
import { notesOf, releaseProblem } from "./release-notes.ts";

const { version } = packageJson;
const { values } = parseArgs({
  options: { tag: { type: "string" }, to: { type: "string", default: join(root, "dist") } },
});
const changelog = readFileSync(join(root, "CHANGELOG.md"), "utf8");
const problem = releaseProblem(changelog, version, values.tag);
if (problem !== undefined) {
  console.error(problem);
  process.exit(1);
}
const { path: to, write } = emptyFolder(resolve(values.to));
const run = (command: string, args: readonly string[]): string =>
  execFileSync(command, args, {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 64 * 1024 ** 2,
    stdio: ["ignore", "pipe", "inherit"],
  });

const pack = async (name: string, make: (folder: string) => unknown): Promise<string> => {
  const folder = join(to, name);
  await make(folder);
  run("npm", ["pack", folder, "--pack-destination", to, "--silent"]);
  return `${name}-${version}.tgz`;
};
const client = await pack("parley-client", makeClientPackage);
const program = await pack("parley", makeProgramPackage);
// The program's package is for one platform; those of all platforms are in one release.
const forPlatform = program.replace(".tgz", `-${process.platform}-${process.arch}.tgz`);
renameSync(join(to, program), join(to, forPlatform));

const chart = `parley-chart-${version}.tgz`;
run("tar", ["-czf", join(to, chart), "-C", join(root, "deploy/helm"), "parley"]);
const sbom = `parley-${version}.cdx.json`;
write(sbom, run("npm", ["run", "--silent", "sbom"]));
const released = [client, forPlatform, chart, sbom];
const digests = released.map(
  (file) =>
    `${createHash("sha256")
      .update(readFileSync(join(to, file)))
      .digest("hex")}  ${file}\n`,
);
writeFileSync(join(to, "SHA256SUMS"), digests.join(""));
write("NOTES.md", notesOf(changelog, version));
console.log(`${to}: ${[...released, "SHA256SUMS", "NOTES.md"].join(", ")}`);
