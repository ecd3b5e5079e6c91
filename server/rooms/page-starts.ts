/*
 * Where pages begin. To find the row at which a far page begins, a database walks over all rows
 * before it; so the places that were found are remembered, and the next walk begins at the nearest
 * one. What this process changes of the rooms moves the places along; after a change by another
 * process a list is walked again. This is a memory only, and never a truth.
 */
import { firstAt } from "../first-at.ts";
import { compareUtf8 } from "../utf8.ts";
import { columnOf, type Order } from "./list-queries.ts";
import { type Move, movesBetween, type Sorted, watchMoves } from "./moves.ts";

/** One list of all rooms of an organization. */
export interface List extends Order {
  readonly organizationId: string;
}

/** A page that begins at `offset` begins after the row with this key and ID, be it there or not. */
export interface Place {
  readonly offset: number;
  readonly key: string;
  readonly id: string;
}

interface KnownList {
  /** The version to which the places belong. */
  version: number;
  /** By their offsets. */
  places: readonly Place[];
}

/** Places of one list: a walk between two of a million rows is some hundred rows long. */
const PLACES = 4_096;
/** Rows that are not worth a place between them. */
const CLOSE = 25;
/** Organizations; the one unused for longest is forgotten. */
const ORGANIZATIONS = 32;

/** Of each organization, the lists that were read. */
const organizations = new Map<string, Map<string, KnownList>>();

/** How many places begin at or before an offset. */
const upTo = (places: readonly Place[], offset: number): number =>
  firstAt(places, (place) => place.offset > offset);

/** The place that a row's coming or going is the first to move. */
const firstBehind = (
  places: readonly Place[],
  row: Sorted,
  { sortBy, sortOrder }: Order,
): number => {
  const key = row[columnOf[sortBy]];
  const sign = sortOrder === "ASC" ? 1 : -1;
  return firstAt(places, (place) => {
    const order = compareUtf8(place.key, key) || compareUtf8(place.id, row.id);
    return order * sign >= 0;
  });
};

/** Places after some moves. Those that came close to the one before are dropped. */
const movedBy = (places: readonly Place[], moves: readonly Move[], order: Order): Place[] => {
  const steps = new Int32Array(places.length + 1);
  const step = (row: Sorted | undefined, by: 1 | -1): void => {
    if (!row) return;
    const at = firstBehind(places, row, order);
    steps[at] = (steps[at] ?? 0) + by;
  };
  for (const { before, after } of moves) {
    step(before, -1);
    step(after, 1);
  }
  const moved: Place[] = [];
  let by = 0;
  let last = 0;
  for (const [at, place] of places.entries()) {
    by += steps[at] ?? 0;
    const offset = place.offset + by;
    if (offset - last < CLOSE / 2) continue;
    moved.push(by === 0 ? place : { ...place, offset });
    last = offset;
  }
  return moved;
};

const listsOf = (organizationId: string): Map<string, KnownList> => {
  watchMoves(organizationId);
  const lists = organizations.get(organizationId) ?? new Map<string, KnownList>();
  organizations.delete(organizationId);
  organizations.set(organizationId, lists);
  if (organizations.size > ORGANIZATIONS) {
    organizations.delete(organizations.keys().next().value ?? "");
  }
  return lists;
};

const nameOf = ({ sortBy, sortOrder }: Order): string => `${sortBy} ${sortOrder}`;

/** The list at a version. One that is later than what somebody read before is left as it is. */
const listAt = ({ organizationId, ...order }: List, version: number): KnownList => {
  const lists = listsOf(organizationId);
  const known = lists.get(nameOf(order));
  if (known?.version === version) return known;
  const moves = known && movesBetween(organizationId, known.version, version);
  if (known && moves) {
    known.places = movedBy(known.places, moves, order);
    known.version = version;
    return known;
  }
  const anew = { version, places: [] };
  const isLate = known && movesBetween(organizationId, version, known.version);
  if (!isLate) lists.set(nameOf(order), anew);
  return anew;
};

/** The nearest remembered place at or before an offset. */
export const nearestPlace = (list: List, version: number, offset: number): Place | undefined => {
  const { places } = listAt(list, version);
  return places[upTo(places, offset) - 1];
};

/** Whether a place at this offset is worth remembering: whether none is near already. */
export const isNewPlace = (list: List, version: number, offset: number, total: number): boolean => {
  const { places } = listAt(list, version);
  const at = upTo(places, offset);
  const apart = Math.max(CLOSE, total / PLACES);
  const isNear = (place: Place | undefined): boolean =>
    place !== undefined && Math.abs(place.offset - offset) < apart;
  return !isNear(places[at - 1]) && !isNear(places[at]);
};

/** Remembers a place of a version; that of another one than the latest read is of no use. */
export const rememberPlace = (
  { organizationId, ...order }: List,
  version: number,
  place: Place,
): void => {
  const known = organizations.get(organizationId)?.get(nameOf(order));
  if (known?.version !== version) return;
  const places = known.places.toSpliced(upTo(known.places, place.offset), 0, place);
  // Changes carry places along, so that new ones may find room for ever.
  known.places = places.length <= 2 * PLACES ? places : places.filter((_, at) => at % 2 === 0);
};
