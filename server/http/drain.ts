import { setTimeout as sleep } from "node:timers/promises";

/**
 * Draining: closing a server at once would cut requests that are on their way on connections kept
 * alive.
 */
export interface Draining {
  /** Whether the service is leaving: it is not ready, and every answer closes its connection. */
  isDraining(): boolean;
  /** Begins to leave; ends after the time that a proxy needs to notice. Requests are still taken. */
  start(seconds: number): Promise<void>;
}

export const startDraining = (): Draining => {
  let draining = false;
  return {
    isDraining: () => draining,
    start: async (seconds) => {
      draining = true;
      if (seconds > 0) await sleep(seconds * 1000);
    },
  };
};
