import { readFileSync } from "node:fs";

/** Linux counts the time of processes in hundredths of a second. */
const TICKS = 100;

/**
 * Seconds of processor time that this process and the children that it waited for have used. Unlike elapsed
 * time, it says what a test costs even on a busy machine.
 */
export const processorSeconds = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6 + childrenSeconds();
};

const childrenSeconds = (): number => {
  try {
    // "pid (name) state ...": the fields after the name, where 14 and 15 are the times of the children.
    const stat = readFileSync("/proc/self/stat", "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return (Number(fields[13]) + Number(fields[14])) / TICKS;
  } catch {
    // Only Linux reports it like this.
    return 0;
  }
};
