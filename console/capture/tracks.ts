import { type Attach, isOn, isSound, type Source, sources } from "../meet/call/media.ts";
import type { Arriving } from "./receive.ts";

/** One thing that arrives from one person. */
export interface Arrival {
  /** Unique among all that arrives. */
  readonly key: string;
  readonly peerId: string;
  readonly peerName: string;
  readonly source: Source;
  readonly attach: Attach;
}

/** Everything that arrives of people whom the capture sees, and that is on. */
export const arrivals = ({ view, people }: Arriving): readonly Arrival[] =>
  (view?.peers ?? []).flatMap((peer) =>
    sources.flatMap((source) => {
      const attach = people.get(peer.peerId)?.tracks[source];
      if (attach === undefined || !isOn(peer, source)) return [];
      const { peerId, peerName } = peer;
      return [{ key: `${peerId} ${source}`, peerId, peerName, source, attach }];
    }),
  );

/** The sounds among them. */
export const sounds = (arriving: Arriving): readonly Arrival[] =>
  arrivals(arriving).filter(({ source }) => isSound(source));

/**
 * Keeps one thing for each arrival: makes it when the arrival comes or its track changes, ends it when
 * it is gone.
 */
export const follow = <T>(open: (arrival: Arrival) => T, close: (opened: T) => void) => {
  const kept = new Map<string, { readonly attach: Attach; readonly opened: T }>();
  return {
    settle: (wanted: readonly Arrival[]): void => {
      const byKey = new Map(wanted.map((one) => [one.key, one]));
      for (const [key, { attach, opened }] of kept) {
        if (byKey.get(key)?.attach === attach) continue;
        kept.delete(key);
        close(opened);
      }
      for (const [key, one] of byKey) {
        if (!kept.has(key)) kept.set(key, { attach: one.attach, opened: open(one) });
      }
    },
    get: (key: string): T | undefined => kept.get(key)?.opened,
  };
};
