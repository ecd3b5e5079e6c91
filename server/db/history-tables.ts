import type { Selectable } from "kysely";
import type { HistoryActor, HistoryKind, HistorySubject } from "../../contract/history/history.ts";

/**
 * One row per thing that happened. Data about people is in `who` and `facts`, which can be erased; the
 * chain covers only their digests, so it stays intact (server/change/history.ts).
 */
export interface HistoryTable {
  readonly organization_id: string;
  /** From 1 in each organization, without gaps. */
  readonly number: number;
  readonly at: string;
  readonly kind: HistoryKind;
  /** The same for everything that one change did. */
  readonly change_id: string;
  readonly actor_kind: HistoryActor;
  /** null for the operator, the service, and those who have no account. */
  readonly actor_id: string | null;
  readonly subject_kind: HistorySubject;
  /** Of a room: the room ID of the interface. */
  readonly subject_id: string;
  /**
   * The room ID of the interface: of the subject itself, of the recording's room, or of the room from
   * which the person is excluded; null for everything else. It is in `facts` too, where the chain
   * covers it; not for recordings of the early development.
   */
  readonly room: string | null;
  /** JSON: the actor's name and address, and a salt; null once erased. */
  readonly who: string | null;
  readonly who_digest: string;
  /** JSON: the subject's name, before and after, and a salt; null once erased. */
  readonly facts: string | null;
  readonly facts_digest: string;
  /** The number of the entry that this one takes back; null for nearly all. */
  readonly undoes: number | null;
  /** The number of the entry of the import or hand-over that this is part of; null for most. */
  readonly part_of: number | null;
  /** The folded names of actor and subject, for search; null once erased. */
  readonly actor_key: string | null;
  readonly subject_key: string | null;
  /** SHA-256 over the digest of the entry before and everything of this one. */
  readonly digest: string;
}

export type HistoryRow = Selectable<HistoryTable>;

/**
 * A whole of very many entries that is taken back in pieces (server/undo/parts.ts). It stays while its
 * entry is in the history, so that a repeated last request gets its answer.
 */
export interface UndoingsTable {
  readonly organization_id: string;
  /** The number of the entry that stands for the whole. */
  readonly number: number;
  readonly state: "checking" | "running" | "done";
  /** The number of the entry that stands for the undoing; null while it is checked. */
  readonly entry: number | null;
  /** How many entries the whole has. */
  readonly entries: number;
  /** The undoing goes from the last entry to the first; entries from this number on are done. */
  readonly reached: number;
  /** How many entries are done, and how many of these were not taken back. */
  readonly done: number;
  readonly stayed: number;
}
