import { randomInt } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";

/**
 * Waits for a random time, in which an answer leaves. Work that only an existing account or key causes would
 * otherwise show in the time of the answer: SQLite works on the event loop.
 */
export const answerLeft = (): Promise<void> => pause(randomInt(50, 250), undefined, { ref: false });
