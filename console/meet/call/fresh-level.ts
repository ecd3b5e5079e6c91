/** A level that is older than this is not one of now, in milliseconds: nothing has come since. */
const FRESH = 1_000;

/** How loud somebody was, and since when that is known. */
interface Heard {
  readonly timestamp: number;
  readonly at: number;
}

type Source = Pick<RTCRtpSynchronizationSource, "timestamp" | "audioLevel">;

/**
 * Reads how loud a receiver is now, 0 to 1. A browser repeats the last level for ten seconds after the last
 * sound has come.
 */
export const freshLevel = (
  clock = () => performance.now(),
): ((sources: readonly Source[]) => number) => {
  let heard: Heard | undefined;
  return ([source]) => {
    if (source === undefined) return 0;
    const { timestamp, audioLevel = 0 } = source;
    if (heard?.timestamp !== timestamp) heard = { timestamp, at: clock() };
    return clock() - heard.at < FRESH ? audioLevel : 0;
  };
};
