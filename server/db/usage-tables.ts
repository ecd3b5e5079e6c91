/*
 * The tables of the usage: what meetings leave for plots. They hold no names, and stay when the meetings,
 * rooms and people are deleted; only what leads to a person goes with the person and the meeting.
 */

/** One row per meeting that was held and has ended. */
export interface UsageMeetingsTable {
  /** The ID of the meeting, which may be deleted by now: nothing is counted twice. */
  readonly id: string;
  readonly organization_id: string;
  /** Null once the room is deleted. */
  readonly room_id: string | null;
  readonly room_type: string;
  readonly started_at: string;
  readonly ended_at: string;
  /** The seconds with somebody inside. */
  readonly seconds: number;
  /** How many people came. */
  readonly people: number;
  /** The seconds of all people together. */
  readonly person_seconds: number;
  /** The recordings that were begun. */
  readonly recordings: number;
  /**
   * JSON: when how many people came or left, `[milliseconds since started_at, change, …]`: peaks of several
   * meetings come from it.
   */
  readonly steps: string;
}

/** The most people who were inside at once in a quarter of an hour, in all meetings that have ended. */
export interface UsageQuartersTable {
  readonly organization_id: string;
  readonly starts_at: string;
  readonly peak: number;
}

/** One row for each account that was in a meeting; it goes with the account and with the meeting. */
export interface UsagePeopleTable {
  readonly meeting_id: string;
  readonly user_id: string;
  readonly organization_id: string;
  readonly started_at: string;
  readonly seconds: number;
}

/** How often somebody found no free seat in a room, in the seconds before `at`. */
export interface UsageRefusedTable {
  readonly id: string;
  readonly organization_id: string;
  /** Null once the room is deleted. */
  readonly room_id: string | null;
  readonly room_type: string;
  readonly at: string;
  readonly seats: number;
}
