/*
 * The tables of schedules: what a room's scheduledDateTime has beside it, who is invited, and the emails that
 * are still to be written.
 */

/** One row for each room with a date that was scheduled. */
export interface SchedulesTable {
  readonly room_id: string;
  readonly organization_id: string;
  /** The UID of the event in calendars: it stays as long as the room has a date. */
  readonly uid: string;
  /** Raised by each change that calendars learn of. */
  readonly sequence: number;
  readonly starts_at: string;
  readonly time_zone: string;
  readonly minutes: number;
  /** JSON; null for one date. */
  readonly repetition: string | null;
  /** When the last date ends. */
  readonly ends_at: string;
  /** When the next reminder is due; null: there is none any more. */
  readonly remind_at: string | null;
  /**
   * When the dates were taken away; null while the room has them. Until the room has another date, the row and its
   * invitees stay, so that this can be taken back.
   */
  readonly removed_at: string | null;
  /** JSON: the first date and the repetition before an edit of the room moved them; null otherwise. */
  readonly former: string | null;
}

/** Somebody who is invited to a room. */
export interface InviteesTable {
  readonly id: string;
  readonly organization_id: string;
  readonly room_id: string;
  /** Null for an address without an account. */
  readonly user_id: string | null;
  /** Null for a person. */
  readonly email: string | null;
  /** The ID of the person, or the key of the address: nobody is invited twice. */
  readonly invitee: string;
  /** The letter that told of the dates last; null before one, and for what was posted before this column. */
  readonly letter_id: string | null;
}

/** An email about a room's dates that is still to be posted; it does not depend on the room. */
export interface NoticesTable {
  readonly id: string;
  readonly organization_id: string;
  readonly user_id: string | null;
  readonly email: string | null;
  readonly invitee: string;
  readonly uid: string;
  /** A reminder does not replace what calendars learn. */
  readonly topic: "calendar" | "reminder";
  readonly kind:
    | "meeting-invitation"
    | "meeting-change"
    | "meeting-cancellation"
    | "meeting-reminder";
  /** JSON: the event as it was when this was queued. */
  readonly event: string;
  readonly due_at: string;
}
