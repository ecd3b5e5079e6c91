import { setTimeout as sleep } from "node:timers/promises";

/** How long a server has to confirm the end of connections, in milliseconds: a frozen one never does. */
const END_MS = 2_000;

/** Waits until connections have ended, as long as that makes sense. */
export const ended = async (ending: Promise<unknown>): Promise<void> => {
  await Promise.race([ending, sleep(END_MS, undefined, { ref: false })]);
};
