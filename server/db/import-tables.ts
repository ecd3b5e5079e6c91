import type { Selectable } from "kysely";
import type {
  ImportForm,
  ImportKind,
  LineOutcome,
  LinePlan,
} from "../../contract/imports/imports.ts";

/*
 * Imports and their lines. What an import has done is in its lines: each is marked in the change that
 * carries it out, so that it is carried out exactly once, even if a process dies.
 */

/** A file that was uploaded. */
export interface ImportsTable {
  readonly id: string;
  readonly organization_id: string;
  readonly kind: ImportKind;
  readonly form: ImportForm;
  /** The name of the file; may be empty. */
  readonly name: string;
  readonly state: "checking" | "ready" | "running" | "done";
  /** How it was confirmed; null before. */
  readonly mode: "all" | "possible" | null;
  /** True to send new people an email. */
  readonly emails: boolean;
  /** The number of its entry in the history; null before it is confirmed. */
  readonly entry: number | null;
  readonly lines: number;
  /** How many more people or rooms would count toward the plan's limit, by the lines checked so far. */
  readonly planned: number;
  /** JSON: the unknown columns. */
  readonly ignored: string;
  /** JSON: how the file was read (contract/imports/sheets.ts); null of an import from before this was kept. */
  readonly read: string | null;
  readonly created_at: string;
  readonly ended_at: string | null;
}

/** One line of a file: a person or a room. */
export interface ImportLinesTable {
  readonly import_id: string;
  /** The line of the file on which it begins; in JSON the number of the entry, from 1. */
  readonly line: number;
  /** The email of a person, the name of a room; null once the person is deleted permanently. */
  readonly name: string | null;
  /** JSON: the fields that are given; null once it is carried out, or its person deleted permanently. */
  readonly given: string | null;
  /** The effect that the import would have; null before it is checked. */
  readonly plan: LinePlan | null;
  /** JSON: the fields that it would change, before and after; null where it would change none. */
  readonly changes: string | null;
  /** The effect that the import had; null before it is carried out. */
  readonly outcome: LineOutcome | null;
  /** Why it is refused. */
  readonly reason: string | null;
  /**
   * The ID of the person or room: known from the check where it exists already, otherwise once it is
   * created.
   */
  readonly subject_id: string | null;
}

/**
 * People who were deleted permanently, as long as lines of imports may mention them (users/forget-imports.ts):
 * one row for each deletion.
 */
export interface LineErasuresTable {
  readonly organization_id: string;
  readonly id: string;
  /** JSON: the IDs of the people, and digests of their email addresses (users/import-telling.ts). */
  readonly people: string;
  /** When the newest import that may mention them was stored. */
  readonly until: string;
  /** The import whose lines are being erased; empty at the beginning. */
  readonly import_id: string;
  /** The last line of that import that is done; null: all are. */
  readonly line: number | null;
}

/** The columns of files with the same headings, as somebody has assigned them. */
export interface ImportColumnsTable {
  readonly organization_id: string;
  readonly kind: ImportKind;
  /** The digest of the headings: they may be words about people. */
  readonly headings: string;
  /** JSON: for each column the field that it fills, or null. */
  readonly columns: string;
  readonly used_at: string;
}

export type ImportRow = Selectable<ImportsTable>;
export type LineRow = Selectable<ImportLinesTable>;
