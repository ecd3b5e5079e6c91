import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ignoring } from "../durable.ts";
import { commandOf } from "../processes.ts";
import { mediaFolder } from "./key.ts";
import type { Ports } from "./livekit-config.ts";

/** What is known about a LiveKit that was started. */
export interface Running {
  readonly pid: number;
  readonly ports: Ports;
  /** A digest of program and settings: a LiveKit with another one is not taken over. */
  readonly made: string;
  /** The path of its program; undefined in a file of an earlier version. */
  readonly program?: string;
}

const pathOf = (dataDir: string): string => join(mediaFolder(dataDir), "running.json");

/** Records what runs, for the next start after a `kill -9`. */
export const writeRunning = (dataDir: string, running: Running): Promise<void> =>
  writeFile(pathOf(dataDir), JSON.stringify(running), { mode: 0o600 });

export const removeRunning = (dataDir: string): Promise<void> =>
  rm(pathOf(dataDir), { force: true });

/** What was recorded; undefined if there is nothing, or an incomplete file. */
export const readRunning = async (dataDir: string): Promise<Running | undefined> => {
  const text = await readFile(pathOf(dataDir), "utf8").catch(ignoring("ENOENT"));
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Whether a process runs this program: its ID may have been reused since. */
export const runsProgram = async (pid: number, program: string): Promise<boolean> =>
  (await commandOf(pid)).startsWith(program);
