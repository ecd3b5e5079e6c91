/*
 * Where pages begin. To find the row at which a far page begins, a database walks over all rows
 * before it; so the places that were found are remembered, and the next walk begins at the nearest
 * one. What this process changes of the rooms moves the places along; after a change by another
 * process the lists of that organization are walked again. This is a memory only, and never a truth.
 */
import type { RoomRow } from "../db/tables.ts";
import { columnOf, type Order } from "./list-queries.ts";

/** What the lists order a room by. */
export type Sorted = Pick<RoomRow, "id" | (typeof columnOf)[keyof typeof columnOf]>;

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

/** One change of the rooms: where one was, and where one is now. */
interface Move {
  /** The version of the lists after it. */
  readonly to: number;
  readonly before: Sorted | undefined;
  readonly after: Sorted | undefined;
}

interface Remembered {
  /** The version of the lists to which the places belong. */
  version: number;
  /** Of each order, by their offsets. */
  readonly lists: Map<string, { readonly order: Order; places: Place[] }>;
  /** Moves by the version before them; some may have been rolled back. */
  readonly moves: Map<number, Move>;
}

/** Places of one list: a walk between two of a million rows is some hundred rows long. */
const PLACES = 4_096;
/** Rows that are not worth a place between them. */
const CLOSE = 25;
/** Organizations; the one unused for longest is forgotten. */
const ORGANIZATIONS = 32;
/** Moves that wait to be made; with more the places are forgotten. */
const MOVES = 1_000;

const organizations = new Map<string, Remembered>();

/** How many come before the first one that is at or past what is looked for. */
const firstAt = <T>(sorted: readonly T[], isAtOrPast: (one: T) => boolean): number => {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isAtOrPast(sorted[middle] as T)) high = middle;
    else low = middle + 1;
  }
  return low;
};

/** As both databases compare texts: by their bytes in UTF-8. */
const compare = (a: string, b: string): number =>
  a === b ? 0 : Buffer.compare(Buffer.from(a), Buffer.from(b));

/** The place that a row's coming or going is the first to move. */
const firstBehind = (places: readonly Place[], row: Sorted, { sortBy, sortOrder }: Order) => {
  const key = row[columnOf[sortBy]];
  const sign = sortOrder === "ASC" ? 1 : -1;
  return firstAt(places, (place) => {
    const order = compare(place.key, key) || compare(place.id, row.id);
    return order * sign >= 0;
  });
};

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
  let by = 0;
  return places.map((place, at) => {
    by += steps[at] ?? 0;
    return by === 0 ? place : { ...place, offset: place.offset + by };
  });
};

/** Makes the moves that lead to a version. @returns false where one of them is not known */
const catchUp = (known: Remembered, version: number): boolean => {
  const moves: Move[] = [];
  for (let at = known.version; at !== version; ) {
    const move = known.moves.get(at);
    if (!move) return false;
    known.moves.delete(at);
    moves.push(move);
    at = move.to;
  }
  known.version = version;
  if (moves.length === 0) return true;
  for (const list of known.lists.values()) list.places = movedBy(list.places, moves, list.order);
  return true;
};

const rememberedOf = (organizationId: string, version: number): Remembered => {
  const known = organizations.get(organizationId);
  const remembered =
    known && catchUp(known, version) ? known : { version, lists: new Map(), moves: new Map() };
  organizations.delete(organizationId);
  organizations.set(organizationId, remembered);
  if (organizations.size > ORGANIZATIONS) {
    organizations.delete(organizations.keys().next().value ?? "");
  }
  return remembered;
};

const placesOf = ({ organizationId, ...order }: List, version: number): readonly Place[] =>
  rememberedOf(organizationId, version).lists.get(nameOf(order))?.places ?? [];

const nameOf = ({ sortBy, sortOrder }: Order): string => `${sortBy} ${sortOrder}`;

/** How many places begin at or before an offset. */
const upTo = (places: readonly Place[], offset: number): number =>
  firstAt(places, (place) => place.offset > offset);

/** The nearest remembered place at or before an offset. */
export const nearestPlace = (list: List, version: number, offset: number): Place | undefined => {
  const places = placesOf(list, version);
  return places[upTo(places, offset) - 1];
};

/** Whether a place at this offset is worth remembering: whether none is near already. */
export const isNewPlace = (list: List, version: number, offset: number, total: number): boolean => {
  const places = placesOf(list, version);
  const at = upTo(places, offset);
  const apart = Math.max(CLOSE, total / PLACES);
  const isNear = (place: Place | undefined): boolean =>
    place !== undefined && Math.abs(place.offset - offset) < apart;
  return !isNear(places[at - 1]) && !isNear(places[at]);
};

/** Remembers a place of a version; that of another one than the latest seen is of no use. */
export const rememberPlace = (
  { organizationId, ...order }: List,
  version: number,
  place: Place,
): void => {
  const known = organizations.get(organizationId);
  if (known?.version !== version) return;
  const { places } = known.lists.get(nameOf(order)) ?? { places: [] };
  known.lists.set(nameOf(order), {
    order,
    places: places.toSpliced(upTo(places, place.offset), 0, place),
  });
};

/**
 * Tells what a change does to the lists, before it is known whether it will last: a version that is
 * read from the database proves it.
 */
export const noteMove = (organizationId: string, version: number, move: Move): void => {
  const known = organizations.get(organizationId);
  if (!known) return;
  known.moves.set(version, move);
  if (known.moves.size > MOVES) organizations.delete(organizationId);
};
