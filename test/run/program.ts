import { createHash } from "node:crypto";
import { existsSync, globSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Plugin } from "vite";

const root = fileURLToPath(new URL("../..", import.meta.url));
const cache = join(root, ".cache");

/** The sources of the program. */
const SOURCES = [
  "parley.js",
  "package-lock.json",
  "contract/**/*.ts",
  "languages/**/*.{ts,json}",
  "server/**/*.{ts,js}",
];

/** Other runs may still use a program compiled from sources that have changed since. */
const OLD_MS = 24 * 3_600_000;

/** A digest of the names and contents of all sources, or of these files, and of this file. */
export const digestOf = (sources: readonly string[] = SOURCES): string => {
  const digest = createHash("sha256").update(readFileSync(fileURLToPath(import.meta.url)));
  for (const name of globSync(sources, { cwd: root }).sort()) {
    digest.update(`${name}\0`).update(readFileSync(join(root, name)));
  }
  return digest.digest("hex").slice(0, 16);
};

/**
 * Modules remember the location of their source, relative to which they find the console, threads and
 * packages.
 */
const inPlace: Plugin = {
  name: "in-place",
  transform: (code, id) => ({
    code: code.replaceAll("import.meta.url", JSON.stringify(pathToFileURL(id).href)),
    map: null,
  }),
};

/** A twentieth of the cost of a password, as in services inside tests (world/world.ts). */
const cheapPasswords: Plugin = {
  name: "cheap-passwords",
  transform(code, id) {
    if (!id.replaceAll("\\", "/").endsWith("server/access/passwords.ts")) return null;
    const cheap = code.replace(/memoryCost: 19_?456\b/, "memoryCost: 1024");
    if (cheap === code) throw new Error("The cost of a password stands elsewhere now.");
    return { code: cheap, map: null };
  },
};

/**
 * Compiles parley.js and all that it loads into few files of plain JavaScript, once for these sources. A
 * process starts with it with two thirds of the processor time: the rest would go into finding and linking
 * some 600 modules. Source maps would cost most of that again, because the logger inspects its caller when it
 * starts; functions keep their names.
 *
 * @returns its path, for TEST_PROGRAM
 */
export const compileProgram = async (): Promise<string> => {
  const folder = join(cache, `program-${digestOf()}`);
  const file = join(folder, "parley.js");
  if (existsSync(file)) return file;
  const next = join(cache, `program-next-${process.pid}`);
  const { build } = await import("vite");
  await build({
    root,
    configFile: false,
    publicDir: false,
    logLevel: "error",
    plugins: [inPlace, cheapPasswords],
    // Native code stays where it is.
    ssr: { noExternal: true, external: ["@node-rs/argon2"] },
    build: { ssr: "parley.js", outDir: next, target: "esnext", minify: false },
  });
  for (const name of globSync("program-*", { cwd: cache })) {
    const old = join(cache, name);
    if (Date.now() - statSync(old).mtimeMs > OLD_MS) rmSync(old, { recursive: true, force: true });
  }
  try {
    renameSync(next, folder);
  } catch (error) {
    if (!existsSync(file)) throw error;
    // Another run was faster.
    rmSync(next, { recursive: true, force: true });
  }
  return file;
};
