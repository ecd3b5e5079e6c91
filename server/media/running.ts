import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ignoring } from "../lib/durable.ts";
import { commandOf } from "../lib/processes.ts";
import { mediaFolder } from "./key.ts";
import type { Ports } from "./livekit-config.ts";

/** The facts that are recorded about a LiveKit when it starts. */
export interface RunningEngine {
  readonly pid: number;
  readonly ports: Ports;
  /** A digest of program and settings: a LiveKit with another one is not taken over. */
  readonly made: string;
}

const pathOf = (dataDir: string): string => join(mediaFolder(dataDir), "running.json");

/** Records what runs, for the next start after a `kill -9`. */
export const writeRunning = (dataDir: string, running: RunningEngine): Promise<void> =>
  writeFile(pathOf(dataDir), JSON.stringify(running), { mode: 0o600 });

export const removeRunning = (dataDir: string): Promise<void> =>
  rm(pathOf(dataDir), { force: true });

/** Reads the record; undefined if there is none, or an incomplete file. */
export const readRunning = async (dataDir: string): Promise<RunningEngine | undefined> => {
  const text = await readFile(pathOf(dataDir), "utf8").catch(ignoring("ENOENT"));
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
};

/**
 * The name of a data folder's engine in the list of processes. Its process ID may have been reused since, also
 * by the engine of another installation with the same program.
 */
export const engineProcessName = (dataDir: string): string =>
  `livekit-server for ${mediaFolder(dataDir)}`;

/** Returns whether a process is an engine of this data folder. */
export const isEngineOf = async (dataDir: string, pid: number): Promise<boolean> =>
  (await commandOf(pid)).split("\0", 1)[0]?.trim() === engineProcessName(dataDir);
