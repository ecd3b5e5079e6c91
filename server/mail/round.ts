import { setTimeout as sleep } from "node:timers/promises";
import type { Config } from "../config.ts";
import type { Database } from "../db/open.ts";
import type { Seal } from "../seal.ts";
import {
  type ClaimedLetter,
  markRefused,
  markSent,
  mayLeave,
  postpone,
  release,
} from "./claims.ts";
import type { Delivery } from "./delivery.ts";
import { growing, jittered, type Log } from "./gate.ts";
import { type LetterContent, writeLetter } from "./letters.ts";
import { composeMessage, type Message } from "./message.ts";
import { openContent } from "./outbox.ts";
import type { Outcome } from "./outcome.ts";

/** What a postman carries letters with. */
export interface Bag {
  database: Database;
  seal: Seal;
  config: Pick<Config, "mailFrom" | "mailRetrySeconds">;
  log: Log;
  delivery: Delivery;
}

/** How long a delivery may take by this process's clock; the lease in the database is longer. */
const DELIVERY_MS = 50_000;
/** Until when a mark that the database did not take is tried again. */
const MARK_MS = 55_000;
const LONGEST_PAUSE_MS = 60 * 60 * 1000;
const KEEP_TRYING_MS = 4 * 24 * 60 * 60 * 1000;

/**
 * Carries one claimed letter to its end: delivered, refused, postponed or given back.
 *
 * @param since performance.now() before the letter was claimed, when the lease had not yet begun.
 * @param stop aborted when the postman must end: what has not left is given back.
 */
export async function carry(
  bag: Bag,
  letter: ClaimedLetter,
  since: number,
  stop: AbortSignal,
): Promise<Outcome> {
  const outcome = await deliver(bag, letter, since, stop);
  const work = () => settle(bag, letter, outcome, stop.aborted);
  for (;;) {
    try {
      await work();
      return outcome;
    } catch (error) {
      // A letter that was sent and is not marked would be sent again.
      if (stop.aborted || performance.now() - since > MARK_MS) throw error;
      await sleep(500);
    }
  }
}

async function deliver(
  bag: Bag,
  letter: ClaimedLetter,
  since: number,
  stop: AbortSignal,
): Promise<Outcome> {
  let content: LetterContent;
  let message: Message;
  try {
    content = openContent(bag.seal, letter);
    message = await composeMessage(letter, bag.config.mailFrom, writeLetter(letter.kind, content));
  } catch (error) {
    const reason = error instanceof Error ? error.name : "unknown";
    return { kind: "refused", error: `The letter cannot be opened or written (${reason}).` };
  }
  // After a pause of the whole process the timer may come too late: the clock is asked as well.
  const inTime = () => performance.now() - since < DELIVERY_MS && !stop.aborted;
  if (!inTime()) return { kind: "held" };
  const timer = AbortSignal.timeout(
    Math.max(1, Math.round(DELIVERY_MS - (performance.now() - since))),
  );
  return await bag.delivery.deliver(message, {
    signal: AbortSignal.any([stop, timer]),
    mayLeave: async () => inTime() && (await mayLeave(bag.database, letter)) && inTime(),
    secrets: [content.password],
  });
}

async function settle(
  bag: Bag,
  letter: ClaimedLetter,
  outcome: Outcome,
  stopped: boolean,
): Promise<void> {
  const { database, log } = bag;
  const about = { letter: letter.id, attempt: letter.attempts };
  if (outcome.kind === "sent") {
    await markSent(database, letter);
    log.info(about, "Letter sent.");
  } else if (outcome.kind === "refused") {
    await markRefused(database, letter, outcome.error);
    log.warn({ ...about, error: outcome.error }, "Letter refused.");
  } else if (outcome.kind === "held" || stopped) {
    await release(database, letter);
  } else if (Date.now() - Date.parse(letter.createdAt) > KEEP_TRYING_MS) {
    await markRefused(database, letter, outcome.error);
    log.warn({ ...about, error: outcome.error }, "Letter given up after four days.");
  } else if (outcome.kind === "failed") {
    const pauseMs = jittered(
      growing(bag.config.mailRetrySeconds * 1000, letter.attempts, LONGEST_PAUSE_MS),
    );
    await postpone(database, letter, pauseMs, outcome.error);
    log.warn(
      { ...about, error: outcome.error, pauseSeconds: Math.round(pauseMs / 1000) },
      "Letter postponed.",
    );
  } else {
    // Due as before: it is the gate that waits, and opens for all letters at once.
    await postpone(database, letter, 0, outcome.error);
  }
}
