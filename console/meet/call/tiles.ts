import type { Quality } from "../../../contract/kit/plain.ts";
import type { View } from "../../../contract/meetings/socket.ts";
import { initialsOf } from "../../kit/show.ts";
import { m } from "../../texts/meet.ts";
import { handPlaces, onlyWatches } from "./hands.ts";
import { type Attach, attachTrack, isOn, type Received, seesPictures } from "./media.ts";
import type { OwnMedia } from "./own-media.ts";
import { personFill } from "./person-color.ts";
import { comesFrom } from "./silence.ts";

/** A tile on the stage: a person, or a shared screen. */
export interface Tile {
  readonly key: string;
  readonly peerId: string;
  readonly kind: "person" | "screen";
  readonly name: string;
  readonly initials: string;
  /** The color behind the initials. */
  readonly color: string;
  readonly isOwn: boolean;
  readonly picture: Attach | undefined;
  readonly isMuted: boolean;
  readonly isAway: boolean;
  readonly hasHandUp: boolean;
  /** The place among the raised hands; undefined: the hand is down, or the place is not known. */
  readonly handPlace: number | undefined;
  /** True if the person sends something: until it arrives, the connection is being made. */
  readonly isExpected: boolean;
  readonly link: Received["link"];
  /** How good the person's connection is; null: not known. */
  readonly quality: Quality | null;
}

/** All tiles: shared screens first, then this person, then the others. Those who only watch have none. */
export const tilesOf = (
  view: View,
  own: OwnMedia,
  people: ReadonlyMap<string, Received>,
): readonly Tile[] => {
  const { you, room } = view;
  const peers = view.peers.filter((peer) => !onlyWatches(room, peer));
  const comes = comesFrom(own);
  const places = handPlaces(view);
  const self: Tile = {
    key: you.peerId,
    peerId: you.peerId,
    kind: "person",
    name: m.stage.you,
    initials: initialsOf(you.peerName),
    color: personFill(you.peerId),
    isOwn: true,
    picture: own.video && comes.video ? attachTrack(own.video) : undefined,
    isMuted: !comes.audio,
    isAway: false,
    hasHandUp: you.hand !== null,
    handPlace: places.get(you.peerId),
    isExpected: false,
    link: "connected",
    quality: null,
  };
  const ownScreen: Tile | undefined = own.share
    ? { ...self, key: `${you.peerId} screen`, kind: "screen", picture: attachTrack(own.share) }
    : undefined;
  const others = peers.map((peer): Tile => {
    const received = people.get(peer.peerId);
    return {
      key: peer.peerId,
      peerId: peer.peerId,
      kind: "person",
      name: peer.secondDevice ? m.second.of(peer.peerName) : peer.peerName,
      initials: initialsOf(peer.peerName),
      color: personFill(peer.peerId),
      isOwn: false,
      picture: isOn(peer, "video") && seesPictures(view, peer) ? received?.tracks.video : undefined,
      isMuted: !peer.audio,
      isAway: peer.away,
      hasHandUp: peer.hand !== null,
      handPlace: places.get(peer.peerId),
      isExpected: peer.audio || peer.video || peer.share,
      link: received?.link ?? "connecting",
      quality: peer.quality,
    };
  });
  const screens = peers.flatMap((peer): readonly Tile[] => {
    const picture = people.get(peer.peerId)?.tracks.share;
    const person = others.find(({ peerId }) => peerId === peer.peerId);
    return isOn(peer, "share") && seesPictures(view, peer) && picture && person
      ? [{ ...person, key: `${peer.peerId} screen`, kind: "screen", picture }]
      : [];
  });
  const selves = onlyWatches(room, you) ? [] : [self];
  return [...screens, ...(ownScreen ? [ownScreen] : []), ...selves, ...others];
};
