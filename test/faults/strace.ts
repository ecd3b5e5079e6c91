import { spawnSync } from "node:child_process";

/** Why a test that needs strace is skipped; false where it may watch processes here. */
export const noStrace: string | false = (() => {
  if (process.platform !== "linux") return "needs Linux";
  // As the tests use it: watching beside the process, not above it.
  const tried = spawnSync("strace", ["-D", "-o", "/dev/null", "-e", "trace=fdatasync", "true"]);
  if (tried.error) return "strace is not installed";
  return tried.status === 0 ? false : "strace may not watch processes here";
})();

/** Makes what a disk makes last fail, from the n-th time, so many times (of one thread). */
export const failing = (calls: string, from: number, times: "once" | "always"): string[] => {
  const when = times === "once" ? `${from}` : `${from}+`;
  return [
    ...["strace", "-D", "-f", "--seccomp-bpf", "-qq", "-o", "/dev/null"],
    ...["-e", `trace=${calls}`, "-e", `inject=${calls}:error=EIO:when=${when}`],
  ];
};

/** Writes down which system calls were made, with the files they are about. */
export const watching = (calls: string, to: string): string[] => [
  ...["strace", "-D", "-f", "--seccomp-bpf", "-qq", "-y", "-s", "16", "-e", `trace=${calls}`],
  ...["-o", to],
];
