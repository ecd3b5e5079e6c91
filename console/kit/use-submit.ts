import { type FormEvent, useState } from "react";
import { useOnce } from "./use-once.ts";

/**
 * The state of a small form: whether it is being sent, and why that failed. One call at a time.
 *
 * @param send sends it; a failure that it throws is shown
 * @param isReady checks the fields before; may mark what is missing
 */
export const useSubmit = (send: () => Promise<unknown>, isReady: () => boolean = () => true) => {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const submit = useOnce(async () => {
    setFailure(undefined);
    if (!isReady()) return;
    setBusy(true);
    try {
      await send();
    } catch (failed) {
      setFailure(failed);
    } finally {
      setBusy(false);
    }
  });
  return {
    busy,
    failure,
    /** Shows another failure, or none. */
    setFailure,
    submit,
    onSubmit: (event: FormEvent) => {
      event.preventDefault();
      // A dialog is over its page's form, and not a part of it.
      event.stopPropagation();
      void submit();
    },
  };
};
