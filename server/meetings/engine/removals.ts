import type { Logger } from "pino";
import { isOnNoNode, type MediaEngine } from "../../media/engine.ts";
import type { Followed, FollowedSeat } from "./followed-seats.ts";

/** Removes somebody from the media engine. */
type Remove = (meetingId: string, seatId: string) => Promise<void>;

/** Sends each removal to the engine once, even if several parts of a process ask for it. */
export interface SharedRemovals {
  /** Removes somebody, or waits for the removal that is under way. */
  readonly remove: Remove;
  /** Called when somebody connects again: a removal that began before does not cover the new connection. */
  readonly outdate: (seatId: string) => void;
}

/** Shares the removals of one process, by seat. */
export const shareRemovals = (removeNow: Remove): SharedRemovals => {
  const current = new Map<string, Promise<void>>();
  return {
    remove: (meetingId, seatId) => {
      const shared = current.get(seatId);
      if (shared !== undefined) return shared;
      const removal = removeNow(meetingId, seatId).finally(() => {
        if (current.get(seatId) === removal) current.delete(seatId);
      });
      current.set(seatId, removal);
      return removal;
    },
    outdate: (seatId) => current.delete(seatId),
  };
};

/** Removes people from the engine if it may still send them media that they may no longer see. */
export interface OwedRemovals {
  /**
   * Removes somebody if their removal is owed.
   *
   * @returns once the engine has confirmed, or failed: then the removal is still owed
   */
  settle(followed: Followed, entry: FollowedSeat): Promise<void>;
}

/** Opens the removals of one process. */
export const openOwedRemovals = (
  engine: Pick<MediaEngine, "remove">,
  log: Pick<Logger, "warn">,
): OwedRemovals => ({
  async settle({ meetingId }, entry) {
    while (entry.owesRemoval) {
      entry.owesRemoval = false;
      try {
        await engine.remove(meetingId, entry.seatId);
      } catch (err) {
        // If the node has died, it sends nothing any more.
        if (isOnNoNode(err)) return;
        entry.owesRemoval = true;
        // Retried before the seat's next connection, or by `reconcile` once it has no signaling for a while.
        return log.warn({ err }, "somebody without signaling is removed later");
      }
    }
  },
});
