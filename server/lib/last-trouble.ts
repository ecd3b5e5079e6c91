import { type Reason, textOf } from "../../contract/kit/reasons.ts";

/* Why the last try of a letter or a delivery failed, as rows keep it. */

interface Kept {
  readonly last_error: string | null;
  readonly last_reason: string | null;
}

/** Why a try failed: another server's own words, or a reason with its text. */
export interface Trouble {
  readonly error: string;
  readonly reason?: Reason | undefined;
}

/** The trouble for a reason. */
export const ownTrouble = (reason: Reason): Trouble => ({ error: textOf(reason), reason });

/** The columns of a try; without trouble, of one that succeeded. */
export const lastTrouble = (trouble?: Trouble): Kept => ({
  last_error: trouble?.error ?? null,
  last_reason: trouble?.reason === undefined ? null : JSON.stringify(trouble.reason),
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
