import { type Attach, isOn, isSound, type Source, sources } from "../meet/call/media.ts";
import type { Arriving } from "./receive.ts";

/** One received track of one person. */
export interface ReceivedTrack {
  /** Unique among all received tracks. */
  readonly key: string;
  readonly peerId: string;
  readonly peerName: string;
  readonly source: Source;
  readonly attach: Attach;
}

/** All received tracks that are on, of people whom the capture sees. */
export const arrivals = ({ view, people }: Arriving): readonly ReceivedTrack[] =>
  (view?.peers ?? []).flatMap((peer) =>
    sources.flatMap((source) => {
      const attach = people.get(peer.peerId)?.tracks[source];
      if (attach === undefined || !isOn(peer, source)) return [];
      const { peerId, peerName } = peer;
      return [{ key: `${peerId} ${source}`, peerId, peerName, source, attach }];
    }),
  );

/** The sound tracks among them. */
export const sounds = (arriving: Arriving): readonly ReceivedTrack[] =>
  arrivals(arriving).filter(({ source }) => isSound(source));

/**
 * Keeps one object per received track: creates it when the track arrives or changes, ends it when the track
 * is gone.
 */
export const follow = <T>(open: (arrival: ReceivedTrack) => T, close: (opened: T) => void) => {
  const kept = new Map<string, { readonly attach: Attach; readonly opened: T }>();
  return {
    settle: (wanted: readonly ReceivedTrack[]): void => {
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

/** Adds a received sound to an audio graph. Returns a function that removes it. */
export const soundInto = (context: AudioContext, attach: Attach, to: AudioNode): (() => void) => {
  // Chromium decodes received sound only while an element plays it (crbug.com/933677).
  const element = new Audio();
  const detach = attach(element);
  element.muted = true;
  void element.play().catch(() => {});
  const node = context.createMediaStreamSource(element.srcObject as MediaStream);
  node.connect(to);
  return () => {
    node.disconnect();
    detach();
  };
};
