import { useRef } from "react";
import { sayFailure } from "./client.ts";
import { notify } from "./notices.tsx";
import { useOnce } from "./use-once.ts";

interface Closing {
  readonly onClose: () => void;
  /** Shows the failure in the dialog; for a dialog that shows that of its mutation, nothing. */
  readonly onFailure?: (failure: unknown) => void;
}

const isAborted = (failure: unknown): boolean =>
  failure instanceof DOMException && failure.name === "AbortError";

/**
 * `run` makes the change that a dialog asks about, and closes the dialog; `close` is for a person who closes
 * it before. The change then goes on: a failure is a notice, and a dialog that was opened since stays open.
 */
export const useClosing = (change: () => Promise<unknown>, { onClose, onFailure }: Closing) => {
  const isClosed = useRef(false);
  const run = useOnce(async () => {
    try {
      await change();
      if (!isClosed.current) onClose();
    } catch (failure) {
      if (!isClosed.current) onFailure?.(failure);
      else if (!isAborted(failure)) notify({ text: sayFailure(failure), kind: "failed" });
    }
  });
  const close = (): void => {
    isClosed.current = true;
    onClose();
  };
  return { run, close };
};
