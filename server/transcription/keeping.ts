import { keepsWords } from "../meetings/allowed.ts";
import type { Hub } from "../meetings/hub.ts";

/** When something was said, in milliseconds since 1970. */
export interface Times {
  readonly startMs: number;
  readonly endMs: number;
}

/** Whose words are kept. */
export interface Keeping {
  /** Whether what somebody said stays in the transcript: the whole time, settings and role said so. */
  keeps(seatId: string, said: Times): boolean;
  /** Follows the meeting no longer. */
  stop(): void;
}

/**
 * Follows whose words a meeting keeps, as they are said: they are understood later, when the settings and
 * roles may be others. In doubt they are not kept.
 */
export const followKeeping = (hub: Pick<Hub, "follow">, meetingId: string): Keeping => {
  /** The last time for which each seat's words are kept; without an end where they are now. */
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
