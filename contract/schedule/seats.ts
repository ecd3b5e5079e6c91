/* One rule for the service and its pages: whether those who are invited find a seat. */

/** The text of `Parley-Note` if somebody who is invited may find no seat. */
export const tooFewSeats =
  "the room has fewer seats than its owners and the people who are invited take";

/** The seats of a room. */
export interface Seats {
  readonly noOfModerators: number;
  readonly noOfParticipants: number;
  readonly noOfViewers: number;
}

/** The people who are expected in a room. */
export interface Expected {
  readonly owners: readonly string[];
  readonly userIds: readonly string[];
  readonly emails: readonly string[];
}

/** How many people are expected. */
export const peopleExpected = ({ owners, userIds, emails }: Expected): number =>
  new Set([...owners, ...userIds]).size + emails.length;

/** Returns whether everybody who is expected finds a seat; it matters only if somebody is invited. */
export const hasSeatsFor = (
  { noOfModerators, noOfParticipants, noOfViewers }: Seats,
  expected: Expected,
): boolean =>
  expected.userIds.length + expected.emails.length === 0 ||
  peopleExpected(expected) <= noOfModerators + noOfParticipants + noOfViewers;
