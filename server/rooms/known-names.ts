/*
 * Which organizations' names of rooms are in memory (names.ts, in a thread of its own), so that a
 * search need not walk over all of them. They are read when an organization is searched, and what
 * this process changes of the rooms is carried along (moves.ts). This is a memory only, and never a
 * truth: where it does not know the state that a caller reads, it says so, and the caller walks.
 */
import { sql } from "kysely";
import { textsAsJson } from "../db/joined-texts.ts";
import { prepared } from "../db/prepared.ts";
import type { OrganizationRow } from "../db/tables.ts";
import type { Queries } from "../organization.ts";
import { openThread } from "../thread.ts";
import { type Move, movesBetween, type Sorted, watchMoves } from "./moves.ts";
import {
  compareNamed,
  type Named,
  type NamesAsked,
  type NamesFound,
  type Renaming,
} from "./names.ts";

/** What the thread is asked; before it answers, it changes its names. */
export type NamesQuestion = { readonly organizationId: string } & (
  | { readonly do: "forget" }
  | ({ readonly renamings: readonly Renaming[] } & (
      | { readonly do: "find"; readonly asked: NamesAsked }
      | {
          readonly do: "add";
          readonly isFirst: boolean;
          readonly keys: string;
          readonly ids: string;
        }
    ))
);

/** What was found, or the last name that was added. */
export type NamesAnswer = NamesFound | Named | undefined;

/** Fewer names are walked over in a millisecond. */
const FEW = 5_000;
/** Names in memory at most, of all organizations: a million takes some 95 MB. */
const MOST = 2_000_000;
/** Names that are read at a time: few enough that nobody waits for them. */
const PIECE = 1_024;

interface Known {
  readonly names: number;
  /** The version of the lists to which the names belong. */
  version: number;
  /** Seen once, being read, or known. */
  state: "seen" | "read" | "known";
}

/** By organization; the one unused for longest first. */
const organizations = new Map<string, Known>();

const { ask } = openThread<NamesQuestion, NamesAnswer>(
  new URL("./names-thread.ts", import.meta.url),
);

const askPiece = prepared<
  null,
  { readonly organizationId: string } & Named,
  {
    readonly keys: string;
    readonly ids: string;
    version: number;
    readonly entries: number;
  }
>((db, _, { organizationId, key, id }) => {
  const piece = db
    .selectFrom("rooms")
    .select(["name_key", "id"])
    .where("organization_id", "=", organizationId)
    .where("deleted_at", "is", null)
    .where(({ eb, refTuple, tuple }) => eb(refTuple("name_key", "id"), ">", tuple(key, id)))
    .orderBy("name_key")
    .orderBy("id")
    .limit(sql.lit(PIECE));
  const version = db
    .selectFrom("organizations")
    .select("rooms_version")
    .where("id", "=", organizationId);
  return db
    .selectFrom(piece.as("piece"))
    .select(({ fn }) => [
      textsAsJson(db, "name_key").as("keys"),
      textsAsJson(db, "id").as("ids"),
      fn.countAll<number>().as("entries"),
      version.as("version"),
    ]);
});

const namedOf = (room: Sorted | undefined): Named | undefined =>
  room && { key: room.name_key, id: room.id };

/** What moves do to names, or to those up to an end. */
const renamingsOf = (moves: readonly Move[], end?: Named): Renaming[] => {
  const upToEnd = (named: Named | undefined): Named | undefined =>
    named && (!end || compareNamed(named, end) <= 0) ? named : undefined;
  return moves
    .filter(({ before, after }) => before?.name_key !== after?.name_key)
    .map(({ before, after }) => ({
      before: upToEnd(namedOf(before)),
      after: upToEnd(namedOf(after)),
    }));
};

/** The moves to the version that a caller read; undefined where it is not known what happened. */
const carry = (
  organizationId: string,
  known: Known,
  version: number,
): readonly Move[] | undefined => {
  const moves = movesBetween(organizationId, known.version, version);
  if (moves) known.version = version;
  // Who read before others did may be answered with what they read.
  return moves ?? (movesBetween(organizationId, version, known.version) && []);
};

const forget = (organizationId: string, known: Known): void => {
  if (organizations.get(organizationId) !== known) return;
  organizations.delete(organizationId);
  if (known.state !== "seen") ask({ organizationId, do: "forget" }).catch(() => {});
};

const see = (organizationId: string, names: number, version: number): void => {
  organizations.set(organizationId, { names, version, state: "seen" });
  let sum = 0;
  for (const known of organizations.values()) sum += known.names;
  for (const [id, known] of organizations) {
    if (sum <= MOST) return;
    forget(id, known);
    sum -= known.names;
  }
};

/** Reads the names piece by piece; what changes meanwhile among those that were read is carried along. */
const readNames = async (read: Queries, organizationId: string, known: Known): Promise<void> => {
  known.state = "read";
  let end: Named | undefined;
  for (let entries = PIECE; entries === PIECE; ) {
    const [piece] = await askPiece(read, null, { organizationId, ...(end ?? { key: "", id: "" }) });
    const moves = piece && carry(organizationId, known, piece.version);
    if (!piece || !moves) return forget(organizationId, known);
    if (organizations.get(organizationId) !== known) return;
    const { keys, ids } = piece;
    const renamings = end ? renamingsOf(moves, end) : [];
    const added = { organizationId, do: "add", isFirst: !end, renamings, keys, ids } as const;
    end = ((await ask(added)) as Named | undefined) ?? end;
    entries = Number(piece.entries);
  }
  known.state = "known";
};

/**
 * Looks for a term among the names of all rooms of an organization, at a version of their lists or
 * at a later one that somebody read.
 *
 * @param read reads the names if they are worth knowing: once a second search comes at a version
 *   that is the first one's, or follows from it by what this process changed
 * @returns undefined where the names are not known
 */
export const findNames = async (
  read: Queries,
  { id, used_rooms, rooms_version }: Pick<OrganizationRow, "id" | "used_rooms" | "rooms_version">,
  asked: NamesAsked,
): Promise<NamesFound | undefined> => {
  if (used_rooms < FEW || used_rooms > MOST) return undefined;
  watchMoves(id);
  const known = organizations.get(id);
  if (known?.state === "read") return undefined;
  const moves = known && carry(id, known, rooms_version);
  if (known && !moves) forget(id, known);
  if (!known || !moves) {
    see(id, used_rooms, rooms_version);
    return undefined;
  }
  organizations.delete(id);
  organizations.set(id, known);
  if (known.state === "seen") {
    readNames(read, id, known).catch(() => forget(id, known));
    return undefined;
  }
  try {
    const question = { organizationId: id, do: "find", renamings: renamingsOf(moves), asked };
    return (await ask(question as NamesQuestion)) as NamesFound;
  } catch {
    forget(id, known);
    return undefined;
  }
};
