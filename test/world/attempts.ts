import { setTimeout as sleep } from "node:timers/promises";

/**
 * Makes a check until it succeeds once. For what a busy machine makes fail now and then, and a broken service
 * every time.
 */
export const succeedOnce = async (check: () => Promise<unknown>, tries = 5): Promise<void> => {
  try {
    await check();
  } catch (error) {
    if (tries === 1) throw error;
    // A service that is overloaded finds out in less time that it no longer is.
    await sleep(1_000);
    await succeedOnce(check, tries - 1);
  }
};
