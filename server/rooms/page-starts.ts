/*
 * Where pages begin. To find the row at which a far page begins, a database walks over all rows
 * before it; so the places that were found are remembered, and the next walk begins at the nearest
 * one. This is a memory only: a list that changed is simply walked again.
 */

/** A page that begins at `offset` begins after the row with this key and ID. */
export interface Place {
  readonly offset: number;
  readonly key: string;
  readonly id: string;
}

interface Remembered {
  /** The version of the list to which the places belong. */
  readonly version: number;
  /** In the order of their offsets. */
  readonly places: Place[];
}

/** Places of one list; a walk between two of a million rows is then some hundred rows long. */
const PLACES = 4_096;
/** Lists; the one unused for longest is forgotten. */
const LISTS = 64;

const lists = new Map<string, Remembered>();

const placesOf = (list: string, version: number): Place[] => {
  const known = lists.get(list);
  const places = known?.version === version ? known.places : [];
  lists.delete(list);
  lists.set(list, { version, places });
  if (lists.size > LISTS) lists.delete(lists.keys().next().value ?? "");
  return places;
};

/** How many places begin at or before an offset. */
const upTo = (places: readonly Place[], offset: number): number => {
  let low = 0;
  let high = places.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((places[middle]?.offset ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  return low;
};

/** The nearest remembered place at or before an offset. */
export const nearestPlace = (list: string, version: number, offset: number): Place | undefined => {
  const places = placesOf(list, version);
  return places[upTo(places, offset) - 1];
};

/** Whether a place at this offset is worth remembering: whether none is near already. */
export const isNewPlace = (
  list: string,
  version: number,
  offset: number,
  total: number,
): boolean => {
  const places = placesOf(list, version);
  const at = upTo(places, offset);
  const apart = total / PLACES;
  const isNear = (place: Place | undefined): boolean =>
    place !== undefined && (place.offset === offset || Math.abs(place.offset - offset) < apart);
  return !isNear(places[at - 1]) && !isNear(places[at]);
};

/** Remembers a place. */
export const rememberPlace = (list: string, version: number, place: Place): void => {
  const places = placesOf(list, version);
  places.splice(upTo(places, place.offset), 0, place);
};
