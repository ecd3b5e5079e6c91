import { spawnSync } from "node:child_process";

/** Why a test that needs strace is skipped; false if it can trace processes here. */
export const noStrace: string | false = (() => {
  if (process.platform !== "linux") return "needs Linux";
  // As the tests use it: tracing beside the process, not as its parent.
  const tried = spawnSync("strace", ["-D", "-o", "/dev/null", "-e", "trace=fdatasync", "true"]);
  if (tried.error) return "strace is not installed";
  return tried.status === 0 ? false : "strace may not watch processes here";
})();

/** Makes system calls fail, from the n-th call of a thread on: once, or always. */
export const failing = (calls: string, from: number, times: "once" | "always"): string[] => {
  const when = times === "once" ? `${from}` : `${from}+`;
  return [
    ...["strace", "-D", "-f", "--seccomp-bpf", "-qq", "-o", "/dev/null"],
    ...["-e", `trace=${calls}`, "-e", `inject=${calls}:error=EIO:when=${when}`],
  ];
};

/** Records system calls, with their files. */
export const watching = (calls: string, to: string): string[] => [
  ...["strace", "-D", "-f", "--seccomp-bpf", "-qq", "-y", "-s", "16", "-e", `trace=${calls}`],
  ...["-o", to],
];
