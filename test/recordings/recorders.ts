import { globSync, readdirSync, readFileSync } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { RecordingRow } from "../../server/db/recording-tables.ts";
import { until } from "../world/process.ts";

const read = (path: string): string => {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
};

/** The processes of this machine, with their arguments (Linux). */
const processes = (): readonly { readonly pid: number; readonly command: readonly string[] }[] =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({ pid: Number(name), command: read(`/proc/${name}/cmdline`).split("\0") }));

/** The processes of this machine with a text in their command. */
export const runningWith = (text: string): readonly number[] =>
  processes()
    .filter(({ command }) => command.join(" ").includes(text))
    .map(({ pid }) => pid);

/** The processes of ffmpeg with a text among their arguments, no matter who started them. */
export const ffmpegsOf = (text: string): readonly number[] =>
  processes()
    .filter(({ command }) => command[0]?.endsWith("ffmpeg") && command.join(" ").includes(text))
    .map(({ pid }) => pid);

/** The names of the variables in a program's environment (Linux). */
export const variablesOf = (pid: number): readonly string[] =>
  read(`/proc/${pid}/environ`)
    .split("\0")
    .map((line) => line.split("=")[0] ?? "");

/** The child processes of a service whose command contains a text. */
const childrenOf = (service: number, text: string): readonly number[] =>
  processes()
    .filter(({ pid, command }) => {
      // After the name in parentheses: the state, then the parent.
      const parent = Number(
        read(`/proc/${pid}/stat`)
          .replace(/^.*\) /s, "")
          .split(" ")[1],
      );
      return parent === service && command.join(" ").includes(text);
    })
    .map(({ pid }) => pid);

/** The child process with which a service records. */
const recorderOf = (service: number, program: "chromium" | "ffmpeg"): number | undefined =>
  childrenOf(service, program === "ffmpeg" ? "index.m3u8" : "parley-capture-")[0];

/** Kills or stops the browser or the ffmpeg with which a service records. */
export const killRecorder = async (
  service: number,
  program: "chromium" | "ffmpeg",
  signal: "SIGKILL" | "SIGSTOP" = "SIGKILL",
): Promise<void> => {
  await until(`there is a ${program}`, () => recorderOf(service, program) !== undefined);
  const pid = recorderOf(service, program) ?? 0;
  // A browser is many processes, in a group of their own; the death of the first one ends all of them.
  process.kill(program === "chromium" && signal === "SIGSTOP" ? -pid : pid, signal);
};

/** The folder of a recording below a data folder. */
export const folderOf = (dataDir: string, row: RecordingRow): string =>
  join(dataDir, "recordings", row.organization_id, row.room_id, row.id);

/** How many segments of a running recording are complete. */
export const completeIn = (dataDir: string, row: RecordingRow): number =>
  globSync(`${folderOf(dataDir, row)}/capture/*.m4s`).length;

/** Waits until this many segments of a running recording are complete. */
export const segments = async (dataDir: string, row: RecordingRow, many: number): Promise<void> => {
  const last = join(folderOf(dataDir, row), "capture", `${many - 1}.m4s`);
  await until(`${many} segments are there`, () =>
    stat(last).then(
      () => true,
      () => false,
    ),
  );
};
