import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";

const megabytes = (pid: number, line: "VmRSS" | "RssAnon"): number => {
  const file = `/proc/${pid}/status`;
  if (existsSync(file)) {
    const found = new RegExp(`^${line}:\\s+(\\d+)`, "m").exec(readFileSync(file, "utf8"));
    return Number(found?.[1]) / 1024;
  }
  return Number(execFileSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" })) / 1024;
};

/** The resident memory of a process, in MB. */
export const memoryOf = (pid: number): number => megabytes(pid, "VmRSS");

/**
 * The same without mapped files (the database, on SQLite), if the system reports them separately: they are
 * part of the system's cache, which can be reclaimed at any time.
 */
export const ownMemoryOf = (pid: number): number => megabytes(pid, "RssAnon");

/** The running processes that a process has started, directly or indirectly. */
export const descendantsOf = (pid: number): number[] => {
  const listed = execFileSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" });
  const all = listed
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number));
  const below = (parent: number): number[] =>
    all.filter(([, of]) => of === parent).flatMap(([one = 0]) => [one, ...below(one)]);
  return below(pid);
};

const LOOK_MS = 20;

/** Watches the memory of one process; the returned function ends the watch and returns the maximum. */
export const watchMemory = (pid: number): (() => number) => {
  let most = ownMemoryOf(pid);
  const look = setInterval(() => {
    most = Math.max(most, ownMemoryOf(pid));
  }, LOOK_MS);
  return () => {
    clearInterval(look);
    return most;
  };
};
