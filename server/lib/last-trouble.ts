import { type Reason, textOf } from "../../contract/kit/reasons.ts";

/* Why the last try of a letter or a delivery failed, as rows keep it. */

interface Kept {
  readonly last_error: string | null;
  readonly last_reason: string | null;
}

/** The columns of a failed try; of one that succeeded, `error` is null. */
export const lastTrouble = ({
  error,
  reason,
}: {
  readonly error: string | null;
  readonly reason?: Reason | undefined;
}): Kept => ({
  last_error: error,
  last_reason: reason === undefined ? null : JSON.stringify(reason),
});

/**
 * The reason of the last try; null where another server has spoken. A process of the version before writes
 * the text alone: then the reason is that of an earlier try.
 */
export const lastReasonOf = ({ last_error, last_reason }: Kept): Reason | null => {
  if (last_reason === null) return null;
  const reason: Reason = JSON.parse(last_reason);
  return textOf(reason) === last_error ? reason : null;
};
