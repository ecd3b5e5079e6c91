import type { Reception } from "./receive.ts";
import { follow, soundInto, sounds } from "./tracks.ts";

/** The sound of everybody in one track, which is silent while nobody is heard. */
export const openMix = (meeting: Reception): MediaStream => {
  const context = new AudioContext({ sampleRate: 48_000 });
  const out = context.createMediaStreamDestination();
  // Several people who speak at once must not be clipped.
  const limiter = new DynamicsCompressorNode(context, { threshold: -6, ratio: 12, attack: 0.002 });
  limiter.connect(out);
  const kept = follow(
    ({ attach }) => soundInto(context, attach, limiter),
    (end) => end(),
  );
  const settle = (): void => kept.settle(sounds(meeting.get()));
  meeting.subscribe(settle);
  settle();
  return out.stream;
};
