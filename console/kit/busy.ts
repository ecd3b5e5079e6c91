import { ParleyError } from "../../contract/client.ts";

/** How often a page asks while the service is busy: for about half a minute. */
const TRIES = 6;

/** The pause after an answer that names none, in seconds. */
const PAUSE = 2;

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** A pause of about this length, varied so that people do not return together. */
export const about = (ms: number): number => ms * (0.5 + Math.random());

/** Asks again, with growing pauses, while the service answers that it is busy. @throws its last failure */
export const whileBusy = async <T>(ask: () => Promise<T>, pause = sleep): Promise<T> => {
  for (let tries = 1; ; tries += 1) {
    try {
      return await ask();
    } catch (failure) {
      const isBusy = failure instanceof ParleyError && failure.code === "overloaded";
      if (!isBusy || tries === TRIES) throw failure;
      await pause(about((failure.retryAfter ?? PAUSE) * 1_000 * tries));
    }
  }
};
