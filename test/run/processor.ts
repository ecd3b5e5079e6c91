import { readFileSync } from "node:fs";

/** Linux counts the time of processes in hundredths of a second. */
const TICKS = 100;

/**
 * Seconds of processor time that this process and the children that it waited for have used. Unlike
 * the time on the clock, it says what a test costs on a busy machine too.
 */
export const processorSeconds = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6 + childrenSeconds();
};

const childrenSeconds = (): number => {
  try {
    // "pid (name) state ...": the fields after the name, of which 14 and 15 count the children.
    const stat = readFileSync("/proc/self/stat", "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return (Number(fields[13]) + Number(fields[14])) / TICKS;
  } catch {
    // Only Linux tells it so.
    return 0;
  }
};
