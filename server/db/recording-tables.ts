import type { Generated, Insertable, Selectable, Updateable } from "kysely";

/*
 * The tables of recordings. The row exists before anything is recorded, and holds the outcome; the
 * files are in DATA_DIR/recordings/ORGANIZATION/ROOM/RECORDING, by the IDs of the rows.
 */

/** One row per recording. At most one of a room is queued, starting or active. */
export interface RecordingsTable {
  readonly id: string;
  readonly organization_id: string;
  readonly room_id: string;
  /** Without a foreign key: the history of meetings may be shorter than that of recordings. */
  readonly meeting_id: string;
  readonly name: string;
  /** Folded for order and search. */
  readonly name_key: string;
  /** av: sound and picture; a: sound alone. */
  readonly type: "av" | "a";
  readonly format: "hls" | "mp4";
  /** JSON: array of "480p", "1080p", "2160p", the largest first; empty for sound alone. */
  readonly resolutions: string;
  /**
   * queued: waits for a recorder; starting; active; ending: its files are being finished; ready: plays;
   * failed: nothing of it plays.
   */
  readonly state: "queued" | "starting" | "active" | "ending" | "ready" | "failed";
  /** True if the room's strategy began it, and no person. */
  readonly automatic: boolean;
  /** How many recordings in a row were interrupted before this one continued them; 0: none. */
  readonly continues: Generated<number>;
  /** The account that began it; null for other callers, and when it is gone. */
  readonly started_by: string | null;
  /** Empty when the room began it, and when the person is deleted permanently. */
  readonly started_by_name: string;
  readonly requested_at: string;
  /** When the first sound or picture was written; null: nothing was. */
  readonly started_at: string | null;
  /** When it ended; null while it runs. */
  readonly ended_at: string | null;
  /** How long it plays; null until it is ready. */
  readonly seconds: number | null;
  /** The size of all its files; null until it is ready. */
  readonly bytes: number | null;
  /** JSON once ready: `[{name, bytes}]`, as ../recordings/folder.ts names them. */
  readonly files: string | null;
  /**
   * Why it failed or ended before it was meant to (contract/recordings/record.ts); of one that is queued,
   * why it could not be begun yet. Null: nothing went wrong.
   */
  readonly error: string | null;
  /** True if it is to end: the process that records looks at this. */
  readonly stop_asked: boolean;
  /** True if all its files are made: one that is ready plays before its smaller sizes are there. */
  readonly complete: Generated<boolean>;
  /** The process that records, finishes or uploads it; null: none. */
  readonly process: string | null;
  /**
   * Until when that process holds it unless it renews the lease; of one that is queued, when it may be
   * tried again. Null: no process has it, and it waits for nothing but a place.
   */
  readonly lease_until: string | null;
  /** Where its files are, once it is ready. */
  readonly store: "folder" | "s3";
}

/** A link that opens one recording to anybody who has it. */
export interface RecordingLinksTable {
  readonly id: string;
  /** SHA-256 of the secret in the link, hexadecimal. */
  readonly digest: string;
  readonly recording_id: string;
  readonly organization_id: string;
  /** The account that made it; null for an access key, and when it is gone. */
  readonly created_by: string | null;
  readonly created_at: string;
  readonly expires_at: string;
  readonly revoked_at: string | null;
  /** The permission that it gives; each word includes those before it. */
  readonly allows: Generated<"play" | "captions" | "download">;
}

/** Files that must still be erased: those of recordings whose row is gone. */
export interface ErasuresTable {
  readonly id: string;
  /** Empty with `elsewhere`, once the organization is gone. */
  readonly organization_id: string;
  /**
   * elsewhere: a folder that one process has erased, and that each other machine must erase for itself
   * (../recordings/erase.ts).
   */
  readonly store: "folder" | "s3" | "elsewhere";
  /**
   * The folder of a recording, room or organization, relative to all recordings; in a store, the prefix
   * of its keys. For an organization that is gone, a digest of its folder's name, so that nothing names
   * it.
   */
  readonly path: string;
  readonly tries: number;
  /** Not before this time; with `elsewhere`, when the first process had erased it. */
  readonly due_at: string;
  readonly created_at: string;
}

export type RecordingRow = Selectable<RecordingsTable>;
export type NewRecording = Insertable<RecordingsTable>;
export type RecordingUpdate = Updateable<RecordingsTable>;
export type RecordingLinkRow = Selectable<RecordingLinksTable>;
export type ErasureRow = Selectable<ErasuresTable>;
