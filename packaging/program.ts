import { globSync, readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { join } from "node:path";
import { buildConsole } from "../console/build.ts";
import packageJson from "../package.json" with { type: "json" };
import { emptyFolder, root } from "./folder.ts";

/** A path of a module of ours, in an import or beside `import.meta.url`. */
const MODULE_PATH = /(["'])([\w./-]+)\.ts\1/g;

/**
 * A source file as Node runs it below `node_modules`, where it strips no types: the types become
 * blanks, as Node itself makes them, so that lines and columns stay what they are.
 */
const compile = (source: string): string =>
  stripTypeScriptTypes(source, { mode: "strip" }).replaceAll(MODULE_PATH, "$1$2.js$1");

interface Lock {
  readonly packages: Readonly<Record<string, { readonly dev?: boolean }>>;
}

const read = (name: string): string => readFileSync(join(root, name), "utf8");

/**
 * What was locked, without the tools. npm gives a package with a lock of its own a `node_modules`
 * of its own: exactly the tested packages, and its Node links no `node` into the folder of others.
 */
const lockOf = (description: object) => {
  const { packages, ...lock } = JSON.parse(read("package-lock.json")) as Lock;
  const kept = Object.entries(packages).filter(([path, { dev }]) => path !== "" && dev !== true);
  return { ...lock, packages: { "": description, ...Object.fromEntries(kept) } };
};

/**
 * Makes the package of the program: the server compiled, the console built.
 *
 * @param path the folder, made anew
 */
export const makeProgramPackage = async (path: string): Promise<void> => {
  await buildConsole();
  const folder = emptyFolder(path);
  const { name, version, description, license, type, bin, dependencies, optionalDependencies } =
    packageJson;
  const facts = { name, version, license, type, bin, dependencies, optionalDependencies };
  // Any Node from 20 on opens the door, which goes on with the Node that the package brings.
  const manifest = { ...facts, description, engines: { node: ">=20" } };
  folder.write("package.json", manifest);
  folder.write("npm-shrinkwrap.json", lockOf(manifest));
  for (const file of globSync(["contract/**/*.ts", "server/**/*.ts"], { cwd: root })) {
    folder.write(file.replace(/\.ts$/, ".js"), compile(read(file)));
  }
  for (const file of globSync(["parley.js", "pinned-node.js", "server/**/*.js"], { cwd: root })) {
    folder.write(file, read(file).replaceAll(MODULE_PATH, "$1$2.js$1"));
  }
  for (const file of globSync("console/dist/**/*.*", { cwd: root })) folder.copy(file);
  for (const file of ["LICENSE", "CHANGELOG.md", "docs/operating.md"]) folder.copy(file);
  folder.copy("packaging/program-readme.md", "README.md");
};
