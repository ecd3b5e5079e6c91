// Runs: always

import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { test } from "node:test";
import packageJson from "../../package.json" with { type: "json" };

/** One package in the lock file. */
interface Locked {
  readonly integrity?: string;
  readonly resolved?: string;
  readonly license?: string;
  readonly dev?: boolean;
}

const read = (file: string): string =>
  readFileSync(new URL(`../../${file}`, import.meta.url), "utf8");
const lock: { readonly packages: Readonly<Record<string, Locked>> } = JSON.parse(
  read("package-lock.json"),
);
const locked = Object.entries(lock.packages).filter(([path]) => path !== "");

/** Licenses that permit use without further conditions, apart from the copyright notice. */
const PERMISSIVE = [
  "0BSD",
  "Apache-2.0",
  "BlueOak-1.0.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "ISC",
  "MIT",
  "MIT-0",
  "Unicode-DFS-2016",
  "Unlicense",
  "Zlib",
];
/** Licenses that require changes to be published: for tools that are not part of the product. */
const FOR_TOOLS = ["MPL-2.0", "PSF-2.0"];
/** The license of fonts, which the build puts beside them. */
const FOR_FONTS = ["OFL-1.1"];

/** Of `A OR B` one must be allowed, of `A AND B` both. */
const isAllowed = (license: string, allowed: readonly string[]): boolean =>
  license
    .replaceAll(/[()]/g, "")
    .split(" OR ")
    .some((one) => one.split(" AND ").every((name) => allowed.includes(name)));

test("P-OPS-14: every package is the one that was locked, whichever registry serves it", () => {
  assert.ok(locked.length > 100);
  for (const [path, { integrity, resolved }] of locked) {
    assert.match(integrity ?? "", /^sha512-/, path);
    assert.equal(resolved, undefined, path);
  }
});

test("P-OPS-14: no package runs code when it is installed", () => {
  assert.match(read(".npmrc"), /^ignore-scripts=true$/m);
});

test("npm does not warn about the Node version, because Parley runs on its packaged Node", () => {
  assert.equal(packageJson.engines.node, ">=20");
  assert.match(read(".npmrc"), /^loglevel=error$/m);
});

test("P-OPS-14: each direct dependency has one exact version", () => {
  const { dependencies, optionalDependencies, devDependencies } = packageJson;
  const direct = { ...dependencies, ...optionalDependencies, ...devDependencies };
  for (const [name, version] of Object.entries(direct)) {
    assert.match(version, /^\d+\.\d+\.\d+(-[\w.]+)?$/, name);
  }
});

test("P-OPS-14: every license allows the use of its package", () => {
  for (const [path, { license = "none", dev = false }] of locked) {
    const allowed = dev ? [...PERMISSIVE, ...FOR_TOOLS, ...FOR_FONTS] : PERMISSIVE;
    assert.ok(isAllowed(license, allowed), `${path} is licensed ${license}`);
  }
  // The installed packages report the same as the lock file.
  for (const file of globSync("node_modules/**/package.json")) {
    const entry = lock.packages[file.replaceAll("\\", "/").replace(/\/package\.json$/, "")];
    if (!entry) continue;
    assert.equal(JSON.parse(read(file)).license, entry.license, file);
  }
});
