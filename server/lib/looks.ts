import { AsyncLocalStorage } from "node:async_hooks";

/** Looks for work repeatedly, one look at a time. */
export interface Looks {
  /**
   * Looks now, or again after the current look. Called after commits that made work. Never throws.
   */
  wake(): void;
  /** Stops, and waits for the current look, which should end soon once `stopping` returns true. */
  stop(): Promise<void>;
}

export interface LooksOptions {
  /** The interval between looks. */
  readonly everyMs: number;
  readonly look: (stopping: () => boolean) => Promise<void>;
  /** Logs a failed look; the next one tries again. */
  readonly onError: (error: unknown) => void;
}

/** Starts looking, at once and then every `everyMs`. */
export const startLooks = ({ everyMs, look, onError }: LooksOptions): Looks => {
  // The work does not belong to the request or transaction that wakes it.
  const apart = AsyncLocalStorage.snapshot();
  let stopping = false;
  let awake = false;
  let looking: Promise<void> | undefined;

  const wake = (): void => {
    awake = true;
    if (stopping || looking !== undefined) return;
    awake = false;
    looking = apart(look, () => stopping)
      .catch(onError)
      .finally(() => {
        looking = undefined;
        if (awake) wake();
      });
  };

  const timer = setInterval(wake, everyMs).unref();
  wake();
  return {
    wake,
    async stop() {
      stopping = true;
      clearInterval(timer);
      await looking;
    },
  };
};
