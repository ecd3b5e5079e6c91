import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Logger } from "pino";
import { CaptureFailed } from "../capture/capture.ts";
import type { Captures } from "../capture/captures.ts";
import type { Seal } from "../db/seal.ts";
import type { IsAllowed } from "../lib/dialing.ts";
import { makeFolder } from "../lib/folders.ts";
import { type Broken, breakOf, broken, captureAgain } from "./again.ts";
import { removeOldParts, STREAM_PLAYLIST, streamFolder, waitForFirst } from "./files.ts";
import { RtmpError } from "./rtmp.ts";
import { receiverOf } from "./rules.ts";
import type { Running } from "./runner.ts";
import { sendStream } from "./send.ts";

/** The parts of the service that a stream uses. */
export interface StreamParts {
  readonly dataDir: string;
  readonly captures: Pick<Captures, "start">;
  /** Where ffmpeg is now; undefined if there is none. */
  readonly findFfmpeg: () => string | undefined;
  readonly seal: Seal;
  readonly isAllowed: IsAllowed;
  readonly log: Pick<Logger, "info" | "warn">;
}

/** The format that most receivers expect and one core can make. */
const PICTURE = { width: 1280, height: 720 } as const;
const TIDY_MS = 10_000;

/** Why it breaks off. */
const streamBreakOf = (error: unknown, log: StreamParts["log"]): Broken => {
  if (error instanceof RtmpError) return { error: error.failure, isFinal: true };
  log.warn({ err: error }, "a live stream broke off");
  return breakOf(error);
};

/**
 * Captures a meeting once, and shows or sends it.
 *
 * @param wasLive whether the stream has been live before
 * @returns why it ended; null: as intended
 */
const streamOnce = async (
  { dataDir, captures, findFfmpeg, seal, isAllowed, log }: StreamParts,
  { run, signal, tell }: Running,
  wasLive: boolean,
): Promise<Broken | null> => {
  const ffmpeg = findFfmpeg();
  if (ffmpeg === undefined) throw new CaptureFailed("recorder_missing");
  const folder = streamFolder(dataDir, run.id);
  await rm(folder, { recursive: true, force: true });
  await makeFolder(folder);
  const capture = await captures.start({
    organizationId: run.organization_id,
    meetingId: run.meeting_id,
    purpose: "live",
    picture: PICTURE,
    folder,
  });
  const tidying = setInterval(() => {
    removeOldParts(folder).catch((err: unknown) =>
      log.warn({ err }, "a live stream is tidied later"),
    );
  }, TIDY_MS);
  const over = new AbortController();
  const either = AbortSignal.any([signal, over.signal]);
  const aborted = new Promise<"aborted">((resolve) => {
    either.addEventListener("abort", () => resolve("aborted"), { once: true });
    if (either.aborted) resolve("aborted");
  });
  try {
    const target = receiverOf(seal, run);
    const show = async (): Promise<unknown> => {
      await waitForFirst(folder, either);
      if (target === undefined) {
        await tell("live");
        return aborted;
      }
      return sendStream({
        target,
        organizationId: run.organization_id,
        isAllowed,
        ffmpeg,
        wasLive,
        signal: either,
        log,
        playlist: join(folder, STREAM_PLAYLIST),
        onState: (state) => {
          const error = state.state === "live" ? null : state.error;
          tell(state.state, error).catch((err: unknown) =>
            log.warn({ err }, "the state of a live stream is written later"),
          );
        },
      });
    };
    const first = await Promise.race([show().then(() => "shown"), capture.ended]);
    return first === "shown" ? null : broken;
  } finally {
    over.abort();
    clearInterval(tidying);
    await capture.stop();
  }
};

/**
 * Carries out a live stream until its signal, again after the capture broke off.
 *
 * @returns why it ended by itself; null: as intended
 */
export const carryOutStream =
  (parts: StreamParts) =>
  async (running: Running): Promise<string | null> => {
    let wasLive = running.run.live_at !== null;
    const tell: Running["tell"] = (state, error) => {
      wasLive ||= state === "live";
      return running.tell(state, error);
    };
    try {
      return await captureAgain(running, () =>
        streamOnce(parts, { ...running, tell }, wasLive).catch((error: unknown) =>
          streamBreakOf(error, parts.log),
        ),
      );
    } finally {
      await rm(streamFolder(parts.dataDir, running.run.id), { recursive: true, force: true });
    }
  };
