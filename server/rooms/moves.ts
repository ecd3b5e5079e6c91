/*
 * What this process changed of the rooms of organizations, and between which versions of their
 * lists. Whatever is remembered at one version is brought to a later one by the moves between them.
 * Where one is missing another process made it, and what is remembered is of no use any more.
 */
import type { RoomRow } from "../db/tables.ts";

/** What the lists order a room by. */
export type Sorted = Pick<RoomRow, "id" | "name_key" | "created_at" | "updated_at">;

/** One change of the rooms: where one was, and where one is now. */
export interface Move {
  /** The version of the lists after it. */
  readonly to: number;
  readonly before: Sorted | undefined;
  readonly after: Sorted | undefined;
}

/** Organizations; the one unused for longest is forgotten. */
const ORGANIZATIONS = 32;
/** Moves of an organization; the oldest is forgotten. */
const MOVES = 1_000;

/** By organization and by the version before them; some may have been rolled back. */
const organizations = new Map<string, Map<number, Move>>();

/** Has the moves of an organization noted from now on, if they are not. */
export const watchMoves = (organizationId: string): void => {
  const moves = organizations.get(organizationId) ?? new Map<number, Move>();
  organizations.delete(organizationId);
  organizations.set(organizationId, moves);
  if (organizations.size > ORGANIZATIONS) {
    organizations.delete(organizations.keys().next().value ?? "");
  }
};

/**
 * Tells what a change does to the lists, before it is known whether it will last: a version that is
 * read from the database proves it.
 */
export const noteMove = (organizationId: string, version: number, move: Move): void => {
  const moves = organizations.get(organizationId);
  if (!moves) return;
  moves.delete(version);
  moves.set(version, move);
  if (moves.size > MOVES) moves.delete(moves.keys().next().value ?? 0);
};

/** The moves that lead from one version to another; undefined where one of them is not known. */
export const movesBetween = (
  organizationId: string,
  from: number,
  to: number,
): readonly Move[] | undefined => {
  const moves = organizations.get(organizationId);
  const path: Move[] = [];
  for (let at = from; at !== to; ) {
    const move = moves?.get(at);
    if (!move) return undefined;
    path.push(move);
    at = move.to;
  }
  return path;
};
