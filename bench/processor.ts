import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";

/** Linux counts the time of processes in hundredths of a second. */
const TICK_MS = 10;

/** The processor time that a process has used so far, in milliseconds. */
export const processorMsOf = (pid: number): number => {
  const file = `/proc/${pid}/stat`;
  if (existsSync(file)) {
    const stat = readFileSync(file, "utf8");
    // "pid (name) state ...": the fields after the name, where 12 and 13 are the times of the process itself.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
  }
  // [[days-]hours:]minutes:seconds
  const said = execFileSync("ps", ["-o", "cputime=", "-p", String(pid)], { encoding: "utf8" });
  return said.split(/[-:]/).reduce((sum, part) => sum * 60 + Number(part), 0) * 1000;
};
