import type { Peer, View } from "../../../contract/meetings/socket.ts";
import { m } from "../../texts/meet.ts";
import { seesEverybody } from "./media.ts";

/** The people with raised hands, in the order in which they raised them, this person included. */
export const handsUp = ({ you, peers }: Pick<View, "you" | "peers">): readonly string[] =>
  [you, ...peers]
    .flatMap(({ peerId, hand }) => (hand === null ? [] : [{ peerId, hand }]))
    .toSorted((one, other) => Date.parse(one.hand) - Date.parse(other.hand))
    .map(({ peerId }) => peerId);

/**
 * The places of raised hands, from 1. Empty for a person who does not see everybody: the number
 * would be wrong.
 */
export const handPlaces = (view: View): ReadonlyMap<string, number> =>
  new Map(seesEverybody(view) ? handsUp(view).map((peerId, index) => [peerId, index + 1]) : []);

/** Returns whether a person only watches an event: they have no tile. */
export const onlyWatches = (
  { roomType }: Pick<View["room"], "roomType">,
  { peerType }: Pick<Peer, "peerType">,
): boolean => roomType === "event" && peerType === "viewer";

/** A raised hand, with its place in the line of them. */
export const sayHand = (place: number | undefined): string =>
  place === undefined ? m.stage.hand : m.stage.handPlace(place);
