import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";

/**
 * The memory of a process that is really there, in MB. Parts of files that are mapped into it (the
 * database, on SQLite) are not counted where the system tells them apart: they are the cache of the
 * system, which takes them back when it likes.
 */
export const memoryOf = (pid: number): number => {
  const file = `/proc/${pid}/status`;
  if (existsSync(file)) {
    return Number(/^RssAnon:\s+(\d+)/m.exec(readFileSync(file, "utf8"))?.[1]) / 1024;
  }
  return Number(execFileSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" })) / 1024;
};

const LOOK_MS = 20;

/** Watches a process; what it gives tells the most that was seen, and ends the watch. */
export const watchMemory = (pid: number): (() => number) => {
  let most = memoryOf(pid);
  const look = setInterval(() => {
    most = Math.max(most, memoryOf(pid));
  }, LOOK_MS);
  return () => {
    clearInterval(look);
    return most;
  };
};
