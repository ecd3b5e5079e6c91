import { execFileSync } from "node:child_process";
import { existsSync, globSync, readFileSync, statSync } from "node:fs";
import { posix, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { runs } from "./head.ts";

/*
 * The reach of a change: test files import helpers, which import the service, start it as a process, or open the
 * pages of the console. A file is reached by what it imports, and by the files that it names as URLs.
 */

const root = fileURLToPath(new URL("../..", import.meta.url));

/** The sources of the pages, for tests whose files say that they drive such pages. */
const pages = {
  pages: ["console/vite.config.ts", "console/index.html"],
  pictures: [
    "console/vite.config.ts",
    "console/meet.html",
    "console/watch.html",
    "console/capture.html",
  ],
} as const;

/** The programs that helpers run as processes: the service alone, or every command. They start it by these files. */
const programs: Readonly<Record<string, string>> = {
  "test/world/process.ts": "server/cli/start.ts",
  "test/world/twin-process.ts": "server/cli/start.ts",
  "test/cli/run.ts": "server/cli/main.ts",
};
const DOORS = ["parley.js", "server/cli/main.ts"];

/** A change of one of these reaches every test file. */
const REACHES_ALL =
  /^(?:package(?:-lock)?\.json|parley\.js|pinned-node\.js|tsconfig\.json|test\/run(?:\/.*|\.ts))$/;

/** Imports at run time: a type is nothing that a test could see. */
const IMPORTS = [
  /\b(?:import|export)\s+(?!type\b)[^"';]*?\bfrom\s*"(\.[^"]+)"/g,
  /\bimport\s*\(?\s*["`](\.[^"`$]+)["`$]/g,
  /\bnew URL\(\s*["`](\.[^"`$]+)(?:["`]|\$[^`]*`),\s*import\.meta\.url/g,
];
/** A folder that is named once, and then in imports: `import(`${pages}kit/store.ts`)`. */
const FOLDER = /\bconst (\w+) = new URL\("(\.[^"]+\/)", import\.meta\.url\)/g;
const SCRIPTS = /\bsrc="(\/[^"]+)"/g;

/** The files, by their paths from the root, that a file imports or names. */
export const importsOf = (file: string, text: string): readonly string[] => {
  if (file.endsWith(".html")) {
    const folder = posix.dirname(file);
    return [...text.matchAll(SCRIPTS)].map(([, path = ""]) => posix.join(folder, path));
  }
  if (!/\.[jt]sx?$/.test(file)) return [];
  let said = text;
  for (const [, name, folder = ""] of text.matchAll(FOLDER)) {
    said = said.replaceAll(`\${${name}}`, folder);
  }
  return IMPORTS.flatMap((found) =>
    [...said.matchAll(found)].map(([, path = ""]) => posix.join(posix.dirname(file), path)),
  );
};

/** A file and how it was reached: the file that imports it, or none for a test file. */
type Way = ReadonlyMap<string, string | undefined>;

/** Folders whose files a test reads, as against those where it looks up one file. */
const FIXTURES = /^(?:test|deploy|docs)\//;

const isFile = (file: string): boolean =>
  existsSync(`${root}/${file}`) && statSync(`${root}/${file}`).isFile();

/** The files of a folder of fixtures that a test names. */
const filesIn = (folder: string): readonly string[] =>
  globSync(`${folder}/**/*`, { cwd: root, exclude: ["**/node_modules", "**/dist"] }).map((file) =>
    file.split(sep).join("/"),
  );

const neighbors = new Map<string, readonly string[]>();

const neighborsOf = (file: string): readonly string[] => {
  const known = neighbors.get(file);
  if (known !== undefined) return known;
  const program = programs[file];
  const imports = importsOf(file, readFileSync(`${root}/${file}`, "utf8"));
  const named =
    program === undefined
      ? imports
      : [...imports.filter((target) => !DOORS.includes(target)), program];
  const found = named.flatMap((target) => {
    if (isFile(target)) return [target];
    return file.startsWith("test/") && FIXTURES.test(target) ? filesIn(target).filter(isFile) : [];
  });
  neighbors.set(file, found);
  return found;
};

const reaches = new Map<string, Way>();

/** All that a test file reaches, and from where. */
const reachedBy = (test: string): Way => {
  const known = reaches.get(test);
  if (known !== undefined) return known;
  const ways = new Map<string, string | undefined>([[test, undefined]]);
  const queue = [test];
  for (const word of ["pages", "pictures"] as const) {
    if (!runs(test, word)) continue;
    for (const page of pages[word]) ways.set(page, test);
    queue.push(...pages[word]);
  }
  for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
    for (const next of neighborsOf(file)) {
      if (ways.has(next)) continue;
      ways.set(next, file);
      queue.push(next);
    }
  }
  reaches.set(test, ways);
  return ways;
};

/** The chain of imports from a test file to a file that it reaches. */
const chain = (ways: Way, to: string): string => {
  const files: string[] = [];
  for (let file: string | undefined = to; file !== undefined; file = ways.get(file)) {
    files.unshift(file);
  }
  return files.join(" → ");
};

/** The files chosen for a change, and why. */
export interface Chosen {
  /** Test files that have changed themselves: they run completely. */
  readonly changed: readonly string[];
  /** Test files that the change reaches. */
  readonly reached: readonly string[];
  /** A line for each changed file. */
  readonly why: readonly string[];
}

/** Chooses the test files that changed files can reach. */
export const choose = (changed: readonly string[], tests: readonly string[]): Chosen => {
  const reached = new Set(tests.filter((test) => runs(test, "always")));
  const always = reached.size;
  const why = changed.map((file) => {
    if (tests.includes(file)) return `${file}: itself, completely`;
    const mine = REACHES_ALL.test(file) ? tests : tests.filter((test) => reachedBy(test).has(file));
    for (const test of mine) reached.add(test);
    const [one] = mine;
    if (one === undefined) return `${file}: no test file imports it`;
    if (REACHES_ALL.test(file)) return `${file}: all test files`;
    return `${file}: ${mine.length} test files, as ${chain(reachedBy(one), file)}`;
  });
  why.push(`${always} test files read the sources as texts: always`);
  const own = changed.filter((file) => tests.includes(file));
  return {
    changed: own,
    reached: [...reached].filter((file) => !own.includes(file)).sort(),
    why,
  };
};

const git = (...args: readonly string[]): readonly string[] =>
  execFileSync("git", args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] })
    .split("\0")
    .flatMap((part) => part.split("\n"))
    .filter((line) => line !== "");

const exists = (ref: string): boolean => {
  try {
    return git("rev-parse", "--verify", "--quiet", `${ref}^{commit}`).length > 0;
  } catch {
    return false;
  }
};

/**
 * The files that differ from where this branch left another one, committed or not.
 *
 * @param since a branch or a commit; by default main, or origin/main
 * @throws Error if there is no such commit
 */
export const changedFiles = (since?: string): readonly string[] => {
  const ref = [since ?? "main", ...(since ? [] : ["origin/main"])].find(exists);
  if (ref === undefined)
    throw new Error(`No commit ${since ?? "main"} is known: name another by --since.`);
  const [base = ref] = git("merge-base", ref, "HEAD");
  return [
    ...new Set([
      ...git("diff", "--name-only", "--no-renames", "-z", base),
      ...git("ls-files", "--others", "--exclude-standard", "-z"),
    ]),
  ].sort();
};
