import { useRef } from "react";
import { sayFailure } from "./client.ts";
import { notify } from "./notices.tsx";
import { useOnce } from "./use-once.ts";

interface Closing {
  readonly onClose: () => void;
  /** Shows the failure in the dialog; nothing for a dialog that shows its mutation's. */
  readonly onFailure?: (failure: unknown) => void;
}

const isAborted = (failure: unknown): boolean =>
  failure instanceof DOMException && failure.name === "AbortError";

/**
 * `run` makes a dialog's change and closes the dialog; `close` is for a person who closes it
 * earlier. The change then continues: a failure is a notice, and a newer dialog stays open.
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
