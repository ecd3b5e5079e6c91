import type { Peer, View } from "../../../contract/meetings/socket.ts";
import { seesEverybody } from "./media.ts";

/** Whose hands are up, in the order in which they went up: this person's with the others'. */
export const handsUp = ({ you, peers }: Pick<View, "you" | "peers">): readonly string[] =>
  [you, ...peers]
    .flatMap(({ peerId, hand }) => (hand === null ? [] : [{ peerId, hand }]))
    .toSorted((one, other) => Date.parse(one.hand) - Date.parse(other.hand))
    .map(({ peerId }) => peerId);

/**
 * Everybody's place among the raised hands, from 1 on. Empty for somebody who does not see everybody: they
 * would read a wrong number.
 */
export const handPlaces = (view: View): ReadonlyMap<string, number> =>
  new Map(seesEverybody(view) ? handsUp(view).map((peerId, index) => [peerId, index + 1]) : []);

/** Whether somebody only watches an event: they have no tile. */
export const onlyWatches = (
  { roomType }: Pick<View["room"], "roomType">,
  { peerType }: Pick<Peer, "peerType">,
): boolean => roomType === "event" && peerType === "viewer";
