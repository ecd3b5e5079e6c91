import type { Parley } from "../main.ts";

/** Signals this close together are one: npm repeats what the terminal has sent. */
const SAME_MS = 100;

/** Ends the process gracefully. */
export interface ProcessEnd {
  serves(parley: Parley): void;
  /** Ends the process gracefully, with the exit code of a failure. */
  fail(): void;
}

/** The signals that end a service; the last two are a closed terminal and Ctrl-\. */
const ENDING = ["SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT"] as const;

/**
 * Ends the process gracefully: after a signal running requests are answered (exit code 0); a second
 * one ends it at once (1). An uncaught fault is logged and drains the service too (1).
 *
 * @param beforeServing called first if the service does not serve yet
 */
export const endInOrder = (beforeServing: () => void): ProcessEnd => {
  let parley: Parley | undefined;
  let since: number | undefined;

  const end = async (code: number): Promise<void> => {
    if (since !== undefined) return;
    since = performance.now();
    try {
      if (parley === undefined) beforeServing();
      await parley?.stop();
      process.exit(code);
    } catch (error) {
      parley?.log.error({ err: error }, "the service did not end in order");
      process.exit(1);
    }
  };

  const onSignal = (): void => {
    if (since !== undefined && performance.now() - since > SAME_MS) process.exit(1);
    void end(0);
  };
  const onFault = (error: unknown): void => {
    if (parley) parley.log.fatal({ err: error }, "a fault that nobody caught");
    else process.stderr.write(`parley: ${error instanceof Error ? error.stack : error}\n`);
    void end(1);
  };

  for (const signal of ENDING) process.on(signal, onSignal);
  // npm's intermediate shell is gone (parley.js): not a second signal.
  process.on("parley:alone", () => void end(0));
  process.on("unhandledRejection", onFault);
  process.on("uncaughtException", onFault);
  return {
    serves(running) {
      parley = running;
    },
    fail: () => void end(1),
  };
};
