import { randomInt } from "node:crypto";
import type { Delivery } from "./delivery.ts";
import type { Outcome } from "./outcome.ts";

/** What the postman logs with: pino's interface. */
export interface Log {
  info(fields: object, text: string): void;
  warn(fields: object, text: string): void;
  error(fields: object, text: string): void;
}

/** How many letters may be under way at once; none while the mail server takes none. */
export interface Gate {
  width(): number;
  report(outcome: Outcome): void;
  close(): void;
}

const AT_ONCE = 4;
/** So many letters in a row must have left before one more is tried at once. */
const STEP = 10;
const FIRST_SHUT_MS = 500;
/** So that a backlog starts to leave soon after the server's return, and an idle server is not bothered. */
const LONGEST_SHUT_MS = 16_000;
const PROBE_MS = 30_000;

/**
 * While the server cannot be reached no letter is tried, whatever their number: one connection
 * without a letter asks after it from time to time. Once it answers, letters leave one at a time,
 * later two, up to four; a server that allows fewer connections is thus met at what it allows.
 *
 * @param opened called when letters may leave again.
 */
export const openGate = (delivery: Delivery, log: Log, opened: () => void): Gate => {
  let width = AT_ONCE;
  let row = 0;
  let failures = 0;
  let timer: NodeJS.Timeout | undefined;
  const closing = new AbortController();

  const shut = (error: string): void => {
    width = 0;
    failures += 1;
    // The first time may be a server that was busy for a moment.
    if (failures === 2) {
      log.warn({ server: delivery.target, error }, "The mail server takes no letters. They wait.");
    }
    timer = setTimeout(probe, jittered(growing(FIRST_SHUT_MS, failures, LONGEST_SHUT_MS)));
    timer.unref();
  };

  const probe = async (): Promise<void> => {
    const limit = AbortSignal.any([closing.signal, AbortSignal.timeout(PROBE_MS)]);
    const outcome = await delivery.probe(limit);
    if (closing.signal.aborted || width > 0) return;
    if (outcome.kind === "unreachable") return shut(outcome.error);
    width = 1;
    opened();
  };

  const succeed = (): void => {
    if (failures > 1) log.info({ server: delivery.target }, "The mail server takes letters again.");
    failures = 0;
    clearTimeout(timer);
    row += 1;
    if (width === 0) width = 1;
    else if (row % STEP === 0) width = Math.min(width + 1, AT_ONCE);
  };

  const fail = (error: string): void => {
    row = 0;
    if (width === 1) shut(error);
    else width = Math.floor(width / 2);
  };

  return {
    width: () => width,
    report(outcome) {
      if (closing.signal.aborted || outcome.kind === "held") return;
      if (outcome.kind === "unreachable") fail(outcome.error);
      else succeed();
    },
    close() {
      clearTimeout(timer);
      closing.abort();
    },
  };
};

/** The n-th pause (from 1): each twice the one before, up to the longest. */
export const growing = (firstMs: number, n: number, longestMs: number): number =>
  Math.min(firstMs * 2 ** (n - 1), longestMs);

/** A fifth more or less, so that what failed together is not tried again together. */
export const jittered = (ms: number): number => (ms * randomInt(800, 1201)) / 1000;
