import { type MailCause, mailTroubles } from "../../contract/kit/mail-causes.ts";
import { atLeast, growing, jittered } from "../lib/backoff.ts";
import { HOUR_MS } from "../lib/durations.ts";
import type { Log } from "../lib/worker.ts";
import type { LetterDelivery } from "./delivery.ts";
import type { Outcome, Unreachable } from "./outcome.ts";

/** How many letters may be sent at once; none while the mail server accepts none. */
export interface ConcurrencyLimit {
  width(): number;
  report(outcome: Outcome): void;
  close(): void;
}

const AT_ONCE = 4;
/** After this many letters without a failure, one more may be sent at the same time. */
const STEP = 10;
const FIRST_SHUT_MS = 500;
/**
 * Short enough that a backlog leaves soon after the server returns, long enough not to burden it.
 */
const LONGEST_SHUT_MS = 16_000;
/**
 * At a server that refuses letters each try is a letter, and may count against a quota or a
 * reputation.
 */
const LONGEST_REFUSED_MS = 60_000;
/** However long the server asks to be left alone. */
const LONGEST_TOLD_MS = HOUR_MS;
const PROBE_MS = 30_000;

/**
 * While the server accepts no letters, one connection without a letter probes it at intervals. Once
 * it answers, letters leave one at a time, later two, up to four, so a server that allows fewer
 * connections gets only those. If it refuses the letters themselves, the next letter is the probe:
 * each time another one, because the last one may be the only one that it refuses.
 *
 * @param opened called when letters may leave again
 */
export const openConcurrencyLimit = (
  delivery: LetterDelivery,
  log: Log,
  opened: () => void,
): ConcurrencyLimit => {
  let width = AT_ONCE;
  let row = 0;
  let failures = 0;
  /** True if it refused a letter, and accepted none since. */
  let isRefusing = false;
  /** The cause that was logged. */
  let logged: MailCause | undefined;
  let timer: NodeJS.Timeout | undefined;
  const closing = new AbortController();

  const shut = ({ cause, error, againMs }: Unreachable): void => {
    width = 0;
    failures += 1;
    // The first failure may be a short overload.
    if ((failures > 1 || isRefusing) && cause !== logged) {
      logged = cause;
      const { is, mend } = mailTroubles[cause];
      const server = delivery.target;
      log.warn({ server, cause, error, mend }, `${is} Emails wait.`);
    }
    const longest = isRefusing ? LONGEST_REFUSED_MS : LONGEST_SHUT_MS;
    const own = jittered(growing(FIRST_SHUT_MS, failures, longest));
    clearTimeout(timer);
    timer = setTimeout(probe, atLeast(own, againMs, LONGEST_TOLD_MS));
    timer.unref();
  };

  const probe = async (): Promise<void> => {
    const limit = AbortSignal.any([closing.signal, AbortSignal.timeout(PROBE_MS)]);
    const outcome = await delivery.probe(limit);
    if (closing.signal.aborted || width > 0) return;
    if (outcome.kind === "unreachable") return shut(outcome);
    width = 1;
    opened();
  };

  const succeed = (): void => {
    if (logged !== undefined)
      log.info({ server: delivery.target }, "The mail server accepts emails again.");
    failures = 0;
    isRefusing = false;
    logged = undefined;
    clearTimeout(timer);
    row += 1;
    if (width === 0) width = 1;
    else if (row % STEP === 0) width = Math.min(width + 1, AT_ONCE);
  };

  const fail = (outcome: Unreachable): void => {
    row = 0;
    // Letters being sent may still report, but nothing new.
    if (width === 0) return;
    isRefusing ||= outcome.isRefusal;
    if (width === 1 || outcome.isRefusal) shut(outcome);
    else width = Math.floor(width / 2);
  };

  return {
    width: () => width,
    report(outcome) {
      if (closing.signal.aborted || outcome.kind === "held") return;
      if (outcome.kind === "unreachable") fail(outcome);
      // A letter that fails for its own reason does not show that others are accepted again.
      else if (outcome.kind === "sent" || !isRefusing) succeed();
    },
    close() {
      clearTimeout(timer);
      closing.abort();
    },
  };
};
