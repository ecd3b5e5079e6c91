import { keepsWords } from "../meetings/seats/allowed.ts";
import type { Followable } from "../meetings/state/snapshot.ts";

/** When something was said, in milliseconds since 1970. */
export interface Times {
  readonly startMs: number;
  readonly endMs: number;
}

/** Knows whose words are kept. */
export interface Keeping {
  /** Returns whether words stay in the transcript: settings and role allowed it the whole time. */
  keeps(seatId: string, said: Times): boolean;
  /** Stops following the meeting. */
  stop(): void;
}

/**
 * Tracks whose words a meeting keeps while they are said: they are recognized later, when settings
 * and roles may have changed. In doubt, words are not kept.
 */
export const followKeeping = (hub: Followable, meetingId: string): Keeping => {
  /**
   * The last span in which each seat's words are kept; its end is infinite while they still are.
   */
  const kept = new Map<string, Times>();
  const stop = hub.follow(meetingId, (snapshot) => {
    if (snapshot === undefined) return;
    for (const seat of snapshot.seats) {
      const last = kept.get(seat.id);
      const isOpen = last?.endMs === Number.POSITIVE_INFINITY;
      if (keepsWords(snapshot.room, seat) === isOpen) continue;
      if (last !== undefined && isOpen) kept.set(seat.id, { ...last, endMs: Date.now() });
      else kept.set(seat.id, { startMs: Date.now(), endMs: Number.POSITIVE_INFINITY });
    }
  });
  return {
    keeps(seatId, { startMs, endMs }) {
      const time = kept.get(seatId);
      return time !== undefined && time.startMs <= startMs && endMs <= time.endMs;
    },
    stop,
  };
};
