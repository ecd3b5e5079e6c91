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
