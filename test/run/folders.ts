import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, statfsSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

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

const MEMORY = "/dev/shm";
/** More than the databases and files of a run use at a time. */
const ROOM = 4 * 2 ** 30;

/**
 * A folder in memory, if this machine has one with enough room in which programs run: nothing waits for a disk there.
 * A new database on PostgreSQL, which is some three hundred files, takes a tenth of the time.
 */
export const memoryFolder = (): string | undefined => {
  if (!existsSync(MEMORY) || !reachable(MEMORY)) return undefined;
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize > ROOM && runsPrograms(MEMORY) ? MEMORY : undefined;
};

/** Whether a folder may hold programs: containers often forbid it for memory. */
const runsPrograms = (folder: string): boolean => {
  const own = mkdtempSync(join(folder, "parley-program-"));
  const program = join(own, "program");
  try {
    writeFileSync(program, "#!/bin/sh\n", { mode: 0o700 });
    return spawnSync(program).status === 0;
  } finally {
    rmSync(own, { recursive: true });
  }
};

/** Whether the user of PostgreSQL may enter every folder on the path to this one. */
export const reachable = (path: string): boolean => {
  if (process.getuid?.() !== 0) return true;
  const passable = (statSync(path).mode & 0o001) !== 0;
  return passable && (dirname(path) === path || reachable(dirname(path)));
};
