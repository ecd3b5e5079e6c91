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
