import { spawnSync } from "node:child_process";
import { globSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { findFakeClock } from "../run/programs.ts";
import type { Twin } from "../twins/twin.ts";
import type { House } from "../world/house.ts";
import { type Process, startProcess } from "../world/process.ts";

const library = findFakeClock();

const told = (library: string): Record<string, string> => ({
  LD_PRELOAD: library,
  // Timers continue unchanged: only the time of day jumps.
  FAKETIME_DONT_FAKE_MONOTONIC: "1",
  FAKETIME_NO_CACHE: "1",
  NO_FAKE_STAT: "1",
});

/** Why a test that needs another time is skipped; false if a process can be given one. */
export const noClock: string | false = (() => {
  if (library === undefined) return "libfaketime is not installed";
  const now = ["-e", "process.stdout.write(String(Date.now()))"];
  const { stdout } = spawnSync(process.execPath, now, {
    env: { ...told(library), FAKETIME: "+2h" },
  });
  return Number(stdout) > Date.now() + 3_600_000 ? false : "libfaketime has no effect here";
})();

/** A process with a wrong time of day. */
export interface Off {
  readonly service: Process;
  /** Sets the offset from now on: `+1h`, `-90s`. */
  set(offset: string): void;
}

/** Starts a service whose time of day has this offset. */
export const startOff = async (
  t: TestContext,
  { environment }: House,
  offset: string,
  twin?: Twin,
): Promise<Off> => {
  const file = join(environment.DATA_DIR ?? "", "clock");
  const set = (next: string): void => {
    // Replaced atomically: a half-written offset would be another time.
    writeFileSync(`${file}.new`, next);
    renameSync(`${file}.new`, file);
  };
  set(offset);
  const clock = { ...told(library ?? ""), FAKETIME_TIMESTAMP_FILE: file };
  const service = await startProcess(t, { ...environment, ...clock }, { twin });
  // When a process is killed, the library's files for it remain.
  t.after(() => {
    for (const kept of globSync(`/dev/shm/*faketime_*_${service.child.pid}`)) rmSync(kept);
  });
  return { service, set };
};
