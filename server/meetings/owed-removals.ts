import type { Logger } from "pino";
import { isOnNoNode, type MediaEngine } from "../media/engine.ts";
import type { Entry, Place } from "./gate-place.ts";

/** Removes people from the engine to whom it may still send what they may not see any more. */
export interface OwedRemovals {
  /**
   * Removes somebody where that is owed.
   *
   * @returns once the engine has agreed; where it did not, the removal is still owed
   */
  settle(place: Place, entry: Entry): Promise<void>;
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
        // Where the node has died, nothing is sent any more.
        if (isOnNoNode(err)) return;
        entry.owesRemoval = true;
        // Before the next connection of the seat, or once it was without signaling for a while.
        return log.warn({ err }, "somebody without signaling is removed later");
      }
    }
  },
});
