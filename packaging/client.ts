import { execFileSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import packageJson from "../package.json" with { type: "json" };
import { clientCalls } from "./client-calls.ts";
import { emptyFolder, root } from "./folder.ts";

const compilerOptions = {
  target: "es2022",
  module: "nodenext",
  lib: ["es2023", "dom", "dom.iterable", "dom.asynciterable"],
  types: [],
  strict: true,
  exactOptionalPropertyTypes: true,
  rewriteRelativeImportExtensions: true,
  declaration: true,
  rootDir: ".",
  outDir: ".",
};

const kilobytes = (bytes: number): string => `${Math.round(bytes / 1000)} kB`;

/** The modules of the package, which are those of contract/, except that `calls` is generated. */
const MODULES = ["client", "calls", "failure", "meeting-client"] as const;

/** The kit that shows a meeting in another page, which knows nothing of the client. */
const KIT = ["embed/kit", "embed/protocol"] as const;

/** The sizes of the client for a page and of its types. */
const sizesOf = (path: string): string => {
  const [code = [], types = []] = [
    MODULES.map((name) => `${name}.js`),
    MODULES.map((name) => `${name}.d.ts`),
  ].map((names) => names.map((name) => readFileSync(join(path, name))));
  const all = Buffer.concat(code);
  return `The code takes ${kilobytes(all.length)}, ${kilobytes(gzipSync(all).length)} compressed; the types take ${kilobytes(Buffer.concat(types).length)}.`;
};

/**
 * Makes the package of the typed client: a few modules and their types, without dependencies.
 *
 * @param path the folder, which is replaced
 */
export const makeClientPackage = (path: string): void => {
  const folder = emptyFolder(path);
  folder.write("package.json", {
    name: "parley-client",
    version: packageJson.version,
    description: "The typed client of Parley's interface, for Node and browsers.",
    license: packageJson.license,
    type: "module",
    // The kit defines its element.
    sideEffects: ["./embed/kit.js"],
    engines: { node: ">=20" },
    // For tools that do not read `exports`.
    main: "./client.js",
    types: "./client.d.ts",
    exports: {
      ".": { types: "./client.d.ts", default: "./client.js" },
      "./embed": { types: "./embed/kit.d.ts", default: "./embed/kit.js" },
    },
    files: ["*.js", "*.d.ts", "embed"],
  });
  folder.copy("LICENSE");
  for (const name of MODULES) {
    if (name === "calls") folder.write("calls.ts", clientCalls());
    else folder.copy(`contract/${name}.ts`, `${name}.ts`);
  }
  for (const name of KIT) folder.copy(`console/${name}.ts`, `${name}.ts`);
  folder.write("tsconfig.json", { compilerOptions, files: ["client.ts", "embed/kit.ts"] });
  const compiler = join(root, "node_modules/typescript/bin/tsc");
  execFileSync(process.execPath, [compiler, "-p", path], { stdio: "inherit" });
  for (const source of [...[...MODULES, ...KIT].map((name) => `${name}.ts`), "tsconfig.json"])
    rmSync(join(path, source));
  const readme = readFileSync(join(root, "packaging/client-readme.md"), "utf8");
  folder.write("README.md", readme.replace("SIZES", sizesOf(path)));
};
