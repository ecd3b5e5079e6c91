import { showSentences } from "../../kit/show.ts";
import { m } from "../../texts/meet.ts";

const captures = ["recording", "stream", "transcription"] as const;
type Capture = (typeof captures)[number];

/** The reason why something in a meeting waits for a recorder. */
export interface Waits {
  /** How many others are before it. */
  readonly before: number;
  /** True if no machine currently has a recorder. */
  readonly isMissing: boolean;
  /** The captures of the same meeting that have a recorder. */
  readonly holders: readonly Capture[];
}

/** The message about these holders: their names in order, as one word. */
const choiceOf = (holders: Waits["holders"]): string =>
  captures
    .filter((one) => holders.includes(one))
    .join(" ")
    .replace(/ (.)/g, (_, letter: string) => letter.toUpperCase());

/** When something begins, and what it waits for. */
export const sayWaits = (what: Capture, { before, isMissing, holders }: Waits): string => {
  const texts = m.waits[what];
  if (isMissing) return texts.missing;
  const when = before === 0 ? texts.soon : texts.behind(before);
  return holders.length === 0 ? when : showSentences([when, m.waits.holders(choiceOf(holders))]);
};
