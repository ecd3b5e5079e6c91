import { growing, jittered } from "../backoff.ts";
import type { Log } from "../worker.ts";
import type { Delivery } from "./delivery.ts";
import type { Outcome } from "./outcome.ts";

/** How many letters may be under way at once; none while the mail server accepts none. */
export interface ConcurrencyLimit {
  width(): number;
  report(outcome: Outcome): void;
  close(): void;
}

const AT_ONCE = 4;
/** After this many letters without a failure, one more may be under way at the same time. */
const STEP = 10;
const FIRST_SHUT_MS = 500;
/** Short enough that a backlog leaves soon after the server returns, long enough not to burden it. */
const LONGEST_SHUT_MS = 16_000;
const PROBE_MS = 30_000;

/**
 * While the server cannot be reached, no letter is tried: one connection without a letter probes it
 * from time to time. Once it answers, letters leave one at a time, later two, up to four, so a server
 * that allows fewer connections gets only those.
 *
 * @param opened called when letters may leave again.
 */
export const openConcurrencyLimit = (
  delivery: Delivery,
  log: Log,
  opened: () => void,
): ConcurrencyLimit => {
  let width = AT_ONCE;
  let row = 0;
  let failures = 0;
  let timer: NodeJS.Timeout | undefined;
  const closing = new AbortController();

  const shut = (error: string): void => {
    width = 0;
    failures += 1;
    // The first failure may be a short overload.
    if (failures === 2) {
      log.warn({ server: delivery.target, error }, "The mail server accepts no emails. They wait.");
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
    if (failures > 1)
      log.info({ server: delivery.target }, "The mail server accepts emails again.");
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
