import { useEffect, useRef, useState } from "react";
import type { ImportSummary } from "../../contract/imports/imports.ts";
import { parley } from "../kit/client.ts";

/** Returns whether an import has more work on request. */
export const goesOn = ({ state }: ImportSummary): boolean =>
  state === "checking" || state === "running";

/** The sum of some counts. */
export const sumOf = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0);

/**
 * Asks the service to continue an import while the page is open: it does not continue by itself.
 *
 * @param onMoved receives the import after each piece
 */
export const useWork = (
  current: ImportSummary | undefined,
  onMoved: (moved: ImportSummary) => void,
): { readonly failure: unknown; readonly retry: () => void } => {
  const [failure, setFailure] = useState<unknown>();
  const moved = useRef(onMoved);
  moved.current = onMoved;
  const importId = current && goesOn(current) && failure === undefined ? current.id : undefined;
  useEffect(() => {
    if (importId === undefined) return;
    const abort = new AbortController();
    const work = async (): Promise<void> => {
      while (!abort.signal.aborted) {
        const answer = await parley.continueImport({ importId }, { signal: abort.signal });
        moved.current(answer.import);
        if (!goesOn(answer.import)) return;
      }
    };
    work().catch((failed: unknown) => {
      if (!abort.signal.aborted) setFailure(failed);
    });
    return () => abort.abort();
  }, [importId]);
  return { failure, retry: () => setFailure(undefined) };
};
