import { useEffect, useRef } from "react";
import { Again } from "../call/again.ts";

/** Tries again by itself, as long as this is shown. */
export const useAgain = (isWorthIt: boolean, retry: () => Promise<unknown>): void => {
  const latest = useRef(retry);
  latest.current = retry;
  useEffect(() => {
    if (!isWorthIt) return;
    const again = new Again(async () => {
      await latest.current();
      return false;
    });
    again.start();
    return () => again.stop();
  }, [isWorthIt]);
};
