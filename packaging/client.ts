import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
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

/**
 * Makes the package of the typed client: two modules and their types, without dependencies.
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
    sideEffects: false,
    engines: { node: ">=20" },
    exports: { ".": { types: "./client.d.ts", default: "./client.js" } },
    files: ["*.js", "*.d.ts"],
  });
  folder.copy("LICENSE");
  folder.copy("packaging/client-readme.md", "README.md");
  folder.copy("contract/client.ts", "client.ts");
  folder.write("calls.ts", clientCalls());
  folder.write("tsconfig.json", { compilerOptions, files: ["client.ts"] });
  const compiler = join(root, "node_modules/typescript/bin/tsc");
  execFileSync(process.execPath, [compiler, "-p", path], { stdio: "inherit" });
  for (const source of ["client.ts", "calls.ts", "tsconfig.json"]) rmSync(join(path, source));
};
