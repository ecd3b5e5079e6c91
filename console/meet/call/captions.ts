import type { Spoken } from "../../../contract/meetings/transcripts.ts";

/** How many captions are shown at a time. */
const SHOWN = 3;

/** The newest captions, the latest last. */
export const latest = (spoken: readonly Spoken[]): readonly Spoken[] =>
  spoken.slice(-SHOWN).toSorted((a, b) => (a.startedAt < b.startedAt ? -1 : 1));
