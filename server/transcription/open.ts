import { homedir } from "node:os";
import type { Logger } from "pino";
import type { Captures } from "../capture/captures.ts";
import { findChromium, findFfmpeg } from "../capture/programs.ts";
import type { Config } from "../config/config.ts";
import type { Database } from "../db/open.ts";
import type { Seal } from "../db/seal.ts";
import { isAmong } from "../lib/networks.ts";
import { removeLeftStreams } from "../live/files.ts";
import { Runner } from "../live/runner.ts";
import { carryOutStream } from "../live/stream.ts";
import type { CaptureQueue } from "../meetings/captures/queue.ts";
import type { Followable } from "../meetings/state/snapshot.ts";
import { openRecognizer } from "./recognize.ts";
import { carryOutTranscription } from "./transcribe.ts";

export interface LiveParts {
  readonly database: Database;
  readonly hub: Followable;
  /** The ID of this process. */
  readonly processId: string;
  readonly captures: Pick<Captures, "start">;
  readonly queue: CaptureQueue;
  /** True if this process serves the page that captures open. */
  readonly hasPage: boolean;
  readonly config: Pick<Config, "dataDir" | "capture" | "speech" | "allowedNetworks">;
  readonly seal: Seal;
  readonly log: Pick<Logger, "info" | "warn" | "error">;
}

/** Starts streaming and transcribing meetings in this process. */
export const openLive = (parts: LiveParts): Pick<Runner, "stop"> => {
  const { database, captures, config, hasPage, seal, log } = parts;
  const { dataDir, capture, speech } = config;
  // The programs may come and go while it runs.
  const canRun = (): boolean =>
    hasPage && findChromium(capture) !== undefined && findFfmpeg(capture) !== undefined;
  const isRunning = async (id: string): Promise<boolean> => {
    const run = database.read.selectFrom("runs").select("id").where("id", "=", id);
    return (await run.where("ended_at", "is", null).executeTakeFirst()) !== undefined;
  };
  removeLeftStreams(dataDir, isRunning).catch((err: unknown) =>
    log.warn({ err }, "what a killed live stream left is still there"),
  );
  const runners = [
    new Runner(database, {
      ...parts,
      canRun,
      topic: "stream",
      carryOut: carryOutStream({
        dataDir,
        captures,
        seal,
        isAllowed: isAmong(config.allowedNetworks),
        log,
        findFfmpeg: () => findFfmpeg(capture),
      }),
    }),
  ];
  if (speech !== undefined) {
    const programs = { PATH: capture.path, HOME: homedir() };
    const recognize = openRecognizer(speech, programs);
    runners.push(
      new Runner(database, {
        ...parts,
        canRun,
        topic: "transcription",
        carryOut: carryOutTranscription({ database, hub: parts.hub, captures, recognize, log }),
      }),
    );
  }
  return {
    stop: async () => void (await Promise.all(runners.map((runner) => runner.stop()))),
  };
};
