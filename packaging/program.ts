import { cpSync, existsSync, globSync, readFileSync, statSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { join } from "node:path";
import { buildConsole } from "../console/build.ts";
import packageJson from "../package.json" with { type: "json" };
import { emptyFolder, type Folder, root } from "./folder.ts";

/** The path of a module of this repository, in an import or beside `import.meta.url`. */
const MODULE_PATH = /(["'])([\w./-]+)\.ts\1/g;

/**
 * Compiles a source file for `node_modules`, where Node does not strip types. The types become blanks, as in
 * Node itself, so that lines and columns stay the same.
 */
const compile = (source: string): string =>
  stripTypeScriptTypes(source, { mode: "strip" }).replaceAll(MODULE_PATH, "$1$2.js$1");

interface Lock {
  readonly packages: Readonly<
    Record<string, { readonly dev?: boolean; readonly hasInstallScript?: boolean }>
  >;
}

const read = (name: string): string => readFileSync(join(root, name), "utf8");

/**
 * Files that the program never reads: Node's headers and manuals, tests and examples, types, source
 * maps, and what packages have for bundlers beside what they have for Node.
 */
const IS_SKIPPED =
  /\/node-[\w-]+\/(?:include|share)$|\/(?:tests?|benchmarks?|examples?|\.github|dist-es)$|\.(?:map|[cm]?ts)$/;

/**
 * Copies the locked packages, without development tools and other platforms, and returns the
 * program's direct dependencies. They are bundled, so npm downloads nothing and links only this
 * package's commands: no bundled `node` takes precedence over the host's.
 */
const bundle = ({ path, write }: Folder): Readonly<Record<string, string>> => {
  const { packages } = JSON.parse(read("package-lock.json")) as Lock;
  for (const [place, { dev, hasInstallScript }] of Object.entries(packages)) {
    if (place === "" || dev === true || !existsSync(join(root, place))) continue;
    cpSync(join(root, place), join(path, place), {
      recursive: true,
      filter: (file) =>
        !IS_SKIPPED.test(file) && !file.slice(join(root, place).length).includes("node_modules"),
    });
    if (hasInstallScript !== true) continue;
    // Nothing runs on install, as in a clone (.npmrc): one of the scripts reports to a third party.
    const { scripts: _, ...rest } = JSON.parse(read(join(place, "package.json")));
    write(join(place, "package.json"), rest);
  }
  const { dependencies, optionalDependencies } = packageJson;
  const here = Object.entries(optionalDependencies).filter(([name]) =>
    existsSync(join(root, "node_modules", name)),
  );
  return { ...dependencies, ...Object.fromEntries(here) };
};

/**
 * Makes the package of the program for this platform: the compiled server, the built console, and all
 * dependencies, including Node.
 *
 * @param path the folder, which is replaced
 */
export const makeProgramPackage = async (path: string): Promise<void> => {
  await buildConsole();
  const folder = emptyFolder(path);
  const { name, version, description, license, type, bin } = packageJson;
  const dependencies = bundle(folder);
  folder.write("package.json", {
    name,
    version,
    description,
    license,
    type,
    bin,
    // Any Node from 20 on can start it; it then continues on the packaged one.
    engines: { node: ">=20" },
    os: [process.platform],
    cpu: [process.arch],
    dependencies,
    bundleDependencies: Object.keys(dependencies),
  });
  for (const file of globSync(["contract/**/*.ts", "languages/*.ts", "server/**/*.ts"], {
    cwd: root,
  })) {
    folder.write(file.replace(/\.ts$/, ".js"), compile(read(file)));
  }
  for (const file of globSync(["parley.js", "pinned-node.js", "server/**/*.js"], { cwd: root })) {
    folder.write(file, read(file).replaceAll(MODULE_PATH, "$1$2.js$1"));
  }
  for (const pattern of [
    "console/dist/**/*.*",
    "languages/*/*.json",
    "deploy/**/*",
    "docs/**/*.*",
    "bench/figures.md",
    "{LICENSE,CHANGELOG.md}",
    "server/**/*.css",
  ]) {
    // None of the secrets that deploy/prepare.sh makes.
    for (const file of globSync(pattern, { cwd: root, exclude: ["deploy/secrets"] })) {
      if (statSync(join(root, file)).isFile()) folder.copy(file);
    }
  }
  folder.copy("packaging/program-readme.md", "README.md");
};
