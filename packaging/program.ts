import { cpSync, existsSync, globSync, readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { join } from "node:path";
import { buildConsole } from "../console/build.ts";
import packageJson from "../package.json" with { type: "json" };
import { emptyFolder, type Folder, root } from "./folder.ts";

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

/** What no start reads: headers and manuals of Node, source maps. */
const IS_LEFT_OUT = /\/node-[\w-]+\/(?:include|share)$|\.map$/;

/**
 * Copies what was locked, without the tools and what belongs to other platforms, and says which
 * packages the program itself depends on. They are bundled: npm then takes nothing from elsewhere,
 * and links the commands of no package but this one, so that no `node` comes before the host's.
 */
const bundle = ({ path }: Folder): Readonly<Record<string, string>> => {
  const { packages } = JSON.parse(read("package-lock.json")) as Lock;
  for (const [place, { dev }] of Object.entries(packages)) {
    if (place === "" || dev === true || !existsSync(join(root, place))) continue;
    cpSync(join(root, place), join(path, place), {
      recursive: true,
      filter: (file) =>
        !IS_LEFT_OUT.test(file) && !file.slice(join(root, place).length).includes("node_modules"),
    });
  }
  const { dependencies, optionalDependencies } = packageJson;
  const here = Object.entries(optionalDependencies).filter(([name]) =>
    existsSync(join(root, "node_modules", name)),
  );
  return { ...dependencies, ...Object.fromEntries(here) };
};

/**
 * Makes the package of the program for this platform: the server compiled, the console built, and
 * everything that it needs, its Node included.
 *
 * @param path the folder, made anew
 */
export const makeProgramPackage = async (path: string): Promise<void> => {
  await buildConsole();
  const folder = emptyFolder(path);
  const { name, version, description, license, type, bin } = packageJson;
  const dependencies = bundle(folder);
  folder.write("package.json", {
    ...{ name, version, description, license, type, bin },
    // Any Node from 20 on opens the door, which goes on with the Node in the package.
    engines: { node: ">=20" },
    os: [process.platform],
    cpu: [process.arch],
    dependencies,
    bundleDependencies: Object.keys(dependencies),
  });
  for (const file of globSync(["contract/**/*.ts", "server/**/*.ts"], { cwd: root })) {
    folder.write(file.replace(/\.ts$/, ".js"), compile(read(file)));
  }
  for (const file of globSync(["parley.js", "pinned-node.js", "server/**/*.js"], { cwd: root })) {
    folder.write(file, read(file).replaceAll(MODULE_PATH, "$1$2.js$1"));
  }
  for (const pattern of ["console/dist/**/*.*", "deploy/*"]) {
    for (const file of globSync(pattern, { cwd: root })) folder.copy(file);
  }
  for (const file of ["LICENSE", "CHANGELOG.md", "docs/operating.md"]) folder.copy(file);
  folder.copy("packaging/program-readme.md", "README.md");
};
