import type { PictureSize } from "../../contract/meetings/capture-socket.ts";
import type { Peer } from "../../contract/meetings/socket.ts";
import { arrange, type Box } from "./layout.ts";
import type { Arriving } from "./receive.ts";
import { arrivals, type ReceivedTrack } from "./tracks.ts";

/** A tile to paint. */
export interface Shown {
  readonly kind: "person" | "screen";
  readonly peer: Peer;
  /** Undefined where the camera is off. */
  readonly picture: ReceivedTrack | undefined;
  readonly box: Box;
  readonly isSpeaking: boolean;
}

export interface Scene {
  readonly shown: readonly Shown[];
  /** How many people did not fit, and where to say so. */
  readonly more: { readonly box: Box; readonly count: number } | undefined;
  readonly roomName: string;
}

/** The current speaker: somebody stays in the large picture until another person has spoken alone. */
export const speakerOf = (
  peers: readonly Peer[],
  speaking: ReadonlySet<string>,
  before: string | undefined,
): string | undefined => {
  const there = peers.find(({ peerId }) => peerId === before)?.peerId;
  if (there !== undefined && speaking.has(there)) return there;
  return peers.find(({ peerId }) => speaking.has(peerId))?.peerId ?? there ?? peers[0]?.peerId;
};

/** Two people are side by side in the order in which they came; with more, the speaker is large. */
const orderOf = (peers: readonly Peer[], speaker: string | undefined, isScreen: boolean) => {
  const large = peers.find(({ peerId }) => peerId === speaker);
  if (large === undefined || (peers.length === 2 && !isScreen)) return peers;
  return [large, ...peers.filter((one) => one !== large)];
};

/** The layout of a picture of the meeting. */
export const sceneOf = (
  arriving: Arriving,
  speaker: string | undefined,
  size: PictureSize,
): Scene => {
  const { view, speaking } = arriving;
  const arrived = arrivals(arriving);
  const of = (peer: Peer, source: ReceivedTrack["source"]) =>
    arrived.find((one) => one.peerId === peer.peerId && one.source === source);
  const peers = view?.peers ?? [];
  // The screen that was shared last: people expect the newest.
  const presenter = peers.findLast((peer) => of(peer, "share") !== undefined);
  const people = orderOf(peers, speaker, presenter !== undefined);
  const others = presenter ? people.length : people.length - 1;
  const { large, tiles, more } = arrange(size, {
    isScreen: presenter !== undefined,
    others: Math.max(0, others),
  });
  const boxes = presenter || large === undefined ? tiles : [large, ...tiles];
  const shown = people.slice(0, boxes.length).flatMap((peer, index): readonly Shown[] => {
    const box = boxes[index];
    if (box === undefined) return [];
    const isSpeaking = speaking.has(peer.peerId);
    return [{ kind: "person", peer, picture: of(peer, "video"), box, isSpeaking }];
  });
  const screen: readonly Shown[] =
    presenter && large
      ? [
          {
            kind: "screen",
            peer: presenter,
            picture: of(presenter, "share"),
            box: large,
            isSpeaking: false,
          },
        ]
      : [];
  return {
    shown: [...screen, ...shown],
    more: more && { box: more, count: people.length - shown.length },
    roomName: view?.room.name ?? "",
  };
};
