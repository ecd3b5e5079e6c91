import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const MEMORY = "/dev/shm";
/** More than the databases and files of a run use at a time. */
const ROOM = 4 * 2 ** 30;

/**
 * A folder in memory, if this machine has one with enough room in which programs run: nothing waits for a disk there.
 * A new database on PostgreSQL, which is some three hundred files, takes a tenth of the time.
 */
export const memoryFolder = (): string | undefined => {
  if (!existsSync(MEMORY)) return undefined;
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize > ROOM && runsPrograms(MEMORY) ? MEMORY : undefined;
};

/** Returns whether a folder may hold programs: containers often forbid it for memory. */
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
