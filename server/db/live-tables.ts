import type { Generated, Selectable } from "kysely";
import type { SeatsTable } from "./meeting-tables.ts";

/*
 * The tables of live streams and transcripts. A run is what one process does for a meeting while it
 * lasts; when that process dies, another one goes on with it.
 */

/** At most one run of a topic and a meeting has not ended. */
export interface RunsTable {
  readonly id: string;
  readonly organization_id: string;
  readonly room_id: string;
  readonly meeting_id: string;
  readonly topic: "stream" | "transcription";
  /** In which language people speak; null for a stream, and where the speech engine detects it. */
  readonly language: Generated<string | null>;
  /** How a stream reaches its viewers; null for a transcription. */
  readonly kind: "rtmp" | "hls" | null;
  /** starting: nothing can be seen or read yet; reconnecting: the receiver is away. */
  readonly state: "starting" | "live" | "reconnecting" | "ended";
  /** Since when it is in this state. */
  readonly since: string;
  /** The part of the receiver's address that may be shown; null where there is none. */
  readonly target: string | null;
  /** Sealed JSON: the receiver's address and key; null where there is none, and once it has ended. */
  readonly receiver: string | null;
  /** Why it is not live, or why it has ended; null: nothing is wrong. */
  readonly error: string | null;
  readonly stop_asked: boolean;
  readonly requested_at: string;
  readonly ended_at: string | null;
  /** When it was live first; null: it has not been. */
  readonly live_at: string | null;
  /** The process that carries it out; null: none does yet. */
  readonly process: string | null;
  /** Until when that process holds it unless it renews the lease. */
  readonly lease_until: string | null;
}

/** The words of one person without a longer pause. */
export interface CaptionsTable {
  readonly meeting_id: string;
  /** From 1 in each meeting, in the order in which they were understood. */
  readonly number: number;
  readonly organization_id: string;
  readonly room_id: string;
  readonly seat_id: string;
  /** The speaker's role at that time: it decides who sees the caption. */
  readonly role: SeatsTable["role"];
  readonly peer_name: string;
  readonly started_at: string;
  readonly ended_at: string;
  /** Empty once its person is deleted permanently. */
  readonly text: string;
  /** Folded for search. */
  readonly text_key: string;
  /** Its language (BCP 47); null where it is not known. */
  readonly language: Generated<string | null>;
  /** false: shown to those inside and in no transcript; erased once it is no longer shown to anybody. */
  readonly kept: Generated<boolean>;
}

export type RunRow = Selectable<RunsTable>;
export type CaptionRow = Selectable<CaptionsTable>;

/** All columns of runs. */
export const runColumns = [
  ...(["id", "organization_id", "room_id", "meeting_id", "topic", "kind", "state"] as const),
  ...(["since", "target", "receiver", "error", "stop_asked", "requested_at", "ended_at"] as const),
  ...(["live_at", "process", "lease_until", "language"] as const),
] as const satisfies readonly (keyof RunRow)[];
