import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";

/** Linux counts the time of processes in hundredths of a second. */
const TICK_MS = 10;

/** The processor time that a process has used so far, in milliseconds. */
export const processorMsOf = (pid: number): number => msOf(pid, [11, 12]);

/** The same, with that of its children that have ended. */
export const processorMsWithChildrenOf = (pid: number): number => msOf(pid, [11, 12, 13, 14]);

/** @param fields those of /proc/PID/stat after the name */
const msOf = (pid: number, fields: readonly number[]): number => {
  const file = `/proc/${pid}/stat`;
  if (existsSync(file)) {
    const stat = readFileSync(file, "utf8");
    // "pid (name) state ...": 11 and 12 are the times of the process itself, 13 and 14 of children that have ended.
    const all = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return fields.reduce((sum, at) => sum + Number(all[at]), 0) * TICK_MS;
  }
  // [[days-]hours:]minutes:seconds
  const said = execFileSync("ps", ["-o", "cputime=", "-p", String(pid)], { encoding: "utf8" });
  return said.split(/[-:]/).reduce((sum, part) => sum * 60 + Number(part), 0) * 1000;
};
