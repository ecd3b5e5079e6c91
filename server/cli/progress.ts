const PAUSE_MS = 2_000;

/**
 * Shows the progress of long work on standard error: a changing line in a terminal, otherwise a
 * line every two seconds. Short work shows nothing.
 */
export const showProgress = (what: string): ((done: number, of: number) => void) => {
  let next = performance.now() + (process.stderr.isTTY ? 0 : PAUSE_MS);
  return (done, of) => {
    const now = performance.now();
    const ended = done >= of;
    if (now < next && !(ended && process.stderr.isTTY)) return;
    next = now + (process.stderr.isTTY ? 100 : PAUSE_MS);
    const line = `${done.toLocaleString("en")} of ${of.toLocaleString("en")} ${what}`;
    process.stderr.write(process.stderr.isTTY ? `\r${line}${ended ? "\n" : ""}` : `${line}\n`);
  };
};

/** The parts of a progress line that has shares and the time that is left. */
const workLine = (done: number, of: number, unit: string, elapsedMs: number): string => {
  const share = `${Math.floor((100 * done) / Math.max(of, 1))} %`;
  const shown =
    unit === "bytes"
      ? `${megabytes(done)} of ${megabytes(of)} MB`
      : `${done.toLocaleString("en")} of ${of.toLocaleString("en")} ${unit}`;
  const leftMs = done === 0 ? 0 : (elapsedMs * (of - done)) / done;
  const left = leftMs < PAUSE_MS ? [] : [`${timeLeft(leftMs)} left`];
  return [share, shown, ...left].join(", ");
};

const megabytes = (bytes: number): string => (bytes / 1e6).toLocaleString("en", WHOLE);
const WHOLE = { maximumFractionDigits: 0 } as const;

const timeLeft = (ms: number): string => {
  const seconds = Math.round(ms / 1000);
  return seconds < 100 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
};

/**
 * Shows the progress of work with several stages on standard error: a changing line in a terminal,
 * with --json a line of JSON every two seconds, otherwise nothing.
 */
export const showStages = (json: boolean) => {
  const { isTTY } = process.stderr;
  let [stage, began, next] = ["", 0, 0];
  return (current: string, done: number, of: number, unit: string): void => {
    if (!isTTY && !json) return;
    const now = performance.now();
    if (current !== stage) {
      [stage, began] = [current, now];
      next = now + (json ? PAUSE_MS : 0);
    }
    const ended = done >= of;
    if (now < next && !(ended && !json)) return;
    next = now + (json ? PAUSE_MS : 100);
    if (json) process.stderr.write(`${JSON.stringify({ stage, done, of, unit })}\n`);
    else {
      const line = `${stage}: ${workLine(done, of, unit, now - began)}`;
      process.stderr.write(`\r\x1b[K${line}${ended ? "\n" : ""}`);
    }
  };
};
