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
  // Timers go on as they are: only the time of day jumps.
  FAKETIME_DONT_FAKE_MONOTONIC: "1",
  FAKETIME_NO_CACHE: "1",
  NO_FAKE_STAT: "1",
});

/** Why a test that needs another time is skipped; false where a process may be told one. */
export const noClock: string | false = (() => {
  if (library === undefined) return "libfaketime is not installed";
  const now = ["-e", "process.stdout.write(String(Date.now()))"];
  const { stdout } = spawnSync(process.execPath, now, {
    env: { ...told(library), FAKETIME: "+2h" },
  });
  return Number(stdout) > Date.now() + 3_600_000 ? false : "libfaketime has no effect here";
})();

/** A process that gets a wrong time of day. */
export interface Off {
  readonly service: Process;
  /** So much off from now on: `+1h`, `-90s`. */
  set(offset: string): void;
}

/** Starts a service whose time of day is off by so much. */
export const startOff = async (
  t: TestContext,
  { environment }: House,
  offset: string,
  twin?: Twin,
): Promise<Off> => {
  const file = join(environment.DATA_DIR ?? "", "clock");
  const set = (next: string): void => {
    // At once: half of what is written would be another time.
    writeFileSync(`${file}.new`, next);
    renameSync(`${file}.new`, file);
  };
  set(offset);
  const clock = { ...told(library ?? ""), FAKETIME_TIMESTAMP_FILE: file };
  const service = await startProcess(t, { ...environment, ...clock }, { twin });
  // What the library keeps for a process stays where that one is killed.
  t.after(() => {
    for (const kept of globSync(`/dev/shm/*faketime_*_${service.child.pid}`)) rmSync(kept);
  });
  return { service, set };
};
