import { useRef } from "react";

/**
 * Runs one call at a time: a second click while the first call runs does nothing. The state of a
 * request is too late for that, because it changes after the next click may have come.
 */
export const useOnce = (run: () => Promise<unknown>): (() => Promise<void>) => {
  const running = useRef(false);
  return async () => {
    if (running.current) return;
    running.current = true;
    try {
      await run();
    } finally {
      running.current = false;
    }
  };
};
