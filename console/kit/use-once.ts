import { useRef } from "react";

/**
 * Runs one call at a time: a second click while the first call runs does nothing. A request's state in React
 * would change too late, because the second click may come before it.
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
