import { setTimeout as sleep } from "node:timers/promises";
import { CaptureFailed } from "../capture/capture.ts";
import type { Running } from "./runner.ts";

/** The pauses before a meeting is captured again; then it is given up. */
const PAUSES = [1_000, 5_000, 15_000] as const;
/** After this long without a break the pauses start over. */
const GOOD_MS = 120_000;

/** Why a capture broke off. */
export interface Broken {
  readonly error: string;
  /** True if a retry is useless. */
  readonly isFinal: boolean;
}

/** Nothing arrives any more; may be retried. */
export const broken: Broken = { error: "source", isFinal: false };

/** How a failed capture interrupts its run: without the programs it is not retried. */
export const breakOf = (failure: unknown): Broken =>
  failure instanceof CaptureFailed && failure.code === "recorder_missing"
    ? { error: failure.code, isFinal: true }
    : broken;

/**
 * Captures a meeting until the run's signal, again after a break.
 *
 * @param once captures it once; null: it ended as intended
 * @returns why it was given up; null: it ended as intended
 */
export const captureAgain = async (
  { signal, tell }: Pick<Running, "signal" | "tell">,
  once: () => Promise<Broken | null>,
): Promise<string | null> => {
  for (let breaks = 0; !signal.aborted; ) {
    const began = performance.now();
    const end = await once();
    if (signal.aborted || end === null) return null;
    if (performance.now() - began > GOOD_MS) breaks = 0;
    const pause = PAUSES[breaks];
    if (end.isFinal || pause === undefined) return end.error;
    breaks += 1;
    await tell("reconnecting", end.error);
    await sleep(pause, undefined, { signal }).catch(() => {});
  }
  return null;
};
