import type { Peer } from "../../../contract/meetings/socket.ts";
import { type LevelMeter, measure } from "./levels.ts";
import type { MediaAdapter } from "./media.ts";
import { ownMedia } from "./own-media.ts";

/** Not a fraction of a second: a regularly repeated sound would otherwise be missed each time. */
const EVERY = 90;
const LOUD = 0.03;
/** A person who pauses for less than this is still speaking. */
const HOLD = 1_200;

interface Watched {
  readonly you: string;
  readonly peers: readonly Peer[];
  readonly adapter: MediaAdapter;
}

/**
 * Detects who speaks, by loudness.
 *
 * @param now who is inside at the moment
 * @param onChange called when somebody begins or stops
 */
export const watchSpeaking = (
  now: () => Watched | undefined,
  onChange: (speaking: ReadonlySet<string>) => void,
): (() => void) => {
  const heardAt = new Map<string, number>();
  let meter: LevelMeter | undefined;
  let measured: MediaStreamTrack | null = null;
  let reported = "";

  const ownLevel = (): number => {
    const { audio } = ownMedia.get();
    if (audio !== measured) {
      meter?.close();
      meter = audio === null ? undefined : measure(audio);
      measured = audio;
    }
    return meter?.level() ?? 0;
  };

  const look = (): void => {
    const watched = now();
    if (watched === undefined) return;
    const { you, peers, adapter } = watched;
    const time = performance.now();
    if (ownLevel() > LOUD) heardAt.set(you, time);
    for (const { peerId, audio } of peers) {
      if (audio && adapter.level(peerId) > LOUD) heardAt.set(peerId, time);
    }
    for (const [peerId, at] of heardAt) if (time - at > HOLD) heardAt.delete(peerId);
    const names = [...heardAt.keys()].join();
    if (names === reported) return;
    reported = names;
    onChange(new Set(heardAt.keys()));
  };

  const timer = setInterval(look, EVERY);
  return () => {
    clearInterval(timer);
    meter?.close();
  };
};
