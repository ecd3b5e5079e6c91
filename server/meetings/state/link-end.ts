import type { Room } from "../../../contract/rooms/record.ts";
import type { SeatRow } from "../../db/meeting-tables.ts";
import { guestPerson } from "../../db/person-keys.ts";

/*
 * A link without roomPermaLink ends with a meeting. A visit of one person is no meeting: a guest who looks in
 * early, or a host who tries the room, would otherwise end the link that was sent to everybody (0045).
 */

/** The time that somebody was inside. */
export interface TimeInside extends Pick<SeatRow, "person" | "device"> {
  readonly joined_at: string;
  readonly left_at: string;
}

/**
 * One person for all that one person may be: the account or the invitation in any window, and the guest in the
 * same browser.
 */
const personsOf = (stays: readonly TimeInside[]): ((person: string) => string) => {
  const same = new Map<string, string>();
  const find = (person: string): string => {
    const other = same.get(person);
    return other === undefined || other === person ? person : find(other);
  };
  for (const { person, device } of stays) {
    if (device !== null) same.set(find(guestPerson(device)), find(person));
  }
  return find;
};

/** Returns whether two different people were inside at the same time. */
export const wereTogether = (stays: readonly TimeInside[]): boolean => {
  const personOf = personsOf(stays);
  /** The stay so far that ends last. As long as nobody has met anybody, no other one reaches as far. */
  let last: TimeInside | undefined;
  for (const stay of stays.toSorted((one, other) => (one.joined_at < other.joined_at ? -1 : 1))) {
    const meets = last !== undefined && stay.joined_at < last.left_at;
    if (meets && last && personOf(last.person) !== personOf(stay.person)) return true;
    if (last === undefined || last.left_at < stay.left_at) last = stay;
  }
  return false;
};

/**
 * The moment before which no meeting ends a room's link: ISO 8601; null: there is none.
 *
 * @param seriesEnd when the last date of the room is over, if it has several
 */
export const linkLivesUntil = (
  { scheduledDateTime }: Pick<Room, "scheduledDateTime">,
  seriesEnd: string | null = null,
): string | null => seriesEnd ?? scheduledDateTime;

/** Returns whether the end of a meeting with these stays ends the room's link, at the current time. */
export const endsLink = (
  room: Pick<Room, "roomPermaLink" | "scheduledDateTime">,
  stays: readonly TimeInside[],
  current: string,
  seriesEnd: string | null = null,
): boolean => {
  if (room.roomPermaLink || !wereTogether(stays)) return false;
  const until = linkLivesUntil(room, seriesEnd);
  return until === null || Date.parse(until) <= Date.parse(current);
};
