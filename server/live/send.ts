import { spawn } from "node:child_process";
import { constants } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { lowerPriority } from "../lib/processes.ts";
import { STILL_MS, Watchdog } from "../lib/watch.ts";
import { readTags } from "./flv.ts";
import { type Dialing, openRtmpPublisher, RtmpError, type RtmpFailure } from "./rtmp.ts";
import type { RtmpTarget } from "./target.ts";

/*
 * Sends a live stream to its receiver. ffmpeg only repacks the recording; the connection is made
 * here, so neither address nor key is among a process's arguments.
 */

/** The state of the connection to the receiver. */
export type SendState =
  | { readonly state: "live" }
  | { readonly state: "reconnecting"; readonly error: RtmpFailure | "source" };

export interface SendOptions extends Dialing {
  readonly target: RtmpTarget;
  /** The stream's playlist: HLS that is still being written. */
  readonly playlist: string;
  /** The path of ffmpeg. */
  readonly ffmpeg: string;
  /**
   * True if the stream has been live: then a receiver that refuses it may still hold the old
   * connection.
   */
  readonly wasLive: boolean;
  /** Ends it. */
  readonly signal: AbortSignal;
  readonly onState: (state: SendState) => void;
  readonly log: Pick<Logger, "info" | "warn">;
}

/** The pauses between tries; the last one repeats. */
const PAUSES = [1_000, 2_000, 4_000, 8_000, 15_000] as const;
/**
 * After a connection that lasted this long the pauses start over: a receiver that accepts and
 * closes each one counts as away.
 */
const GOOD_MS = 30_000;

/** Repacks a playlist from its newest part on, as fast as it plays. */
const repack = (ffmpeg: string, playlist: string, signal: AbortSignal) => {
  const child = spawn(
    ffmpeg,
    [
      ...["-nostdin", "-loglevel", "error", "-protocol_whitelist", "file,pipe", "-re"],
      ...["-live_start_index", "-2", "-i", playlist, "-c", "copy"],
      ...["-flvflags", "no_duration_filesize", "-f", "flv", "pipe:1"],
    ],
    { env: {}, stdio: ["ignore", "pipe", "ignore"], signal, killSignal: "SIGKILL" },
  );
  // However it ends, its output ends, which is all that is read.
  child.on("error", () => {});
  if (child.pid !== undefined) lowerPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  return child;
};

/** One connection, from its beginning to its end. */
const sendOnce = async (options: SendOptions) => {
  const { target, playlist, ffmpeg, signal, onState } = options;
  const over = new AbortController();
  const either = AbortSignal.any([signal, over.signal]);
  const publisher = await openRtmpPublisher(target, options, signal);
  const child = repack(ffmpeg, playlist, either);
  // The receiver has its own, shorter timeout.
  const watch = new Watchdog({ stillMs: STILL_MS.repacker, onStill: () => over.abort() });
  try {
    let isLive = false;
    for await (const tag of readTags(child.stdout)) {
      watch.goOn();
      await publisher.send(tag);
      watch.goOn();
      if (!isLive) onState({ state: "live" });
      isLive = true;
    }
  } finally {
    watch.stop();
    over.abort();
    await publisher.close();
  }
};

/**
 * Sends a stream until the signal, and reconnects after the receiver was away.
 *
 * @throws RtmpError if the receiver refuses the stream or has a wrong certificate before the stream
 * has been live
 */
export const sendStream = async (options: SendOptions): Promise<void> => {
  const { signal, log } = options;
  let tries = 0;
  let { wasLive } = options;
  const onState = (state: SendState): void => {
    wasLive ||= state.state === "live";
    options.onState(state);
  };
  while (!signal.aborted) {
    const began = performance.now();
    const error = await sendOnce({ ...options, onState }).then(
      () => "source" as const,
      (failure: unknown) => (failure instanceof RtmpError ? failure : ("source" as const)),
    );
    if (signal.aborted) return;
    const failure = error === "source" ? error : error.failure;
    if (!wasLive && error !== "source" && (failure === "refused" || failure === "certificate")) {
      throw error;
    }
    if (performance.now() - began > GOOD_MS) tries = 0;
    const pause = PAUSES[Math.min(tries, PAUSES.length - 1)];
    tries += 1;
    const reason = error === "source" ? undefined : error.message;
    log.warn({ failure, reason, pauseMs: pause }, "a live stream is not received; tried again");
    onState({ state: "reconnecting", error: failure });
    await sleep(pause, undefined, { signal }).catch(() => {});
  }
};
