import type { SeatRow } from "../db/meeting-tables.ts";
import { invitedBy } from "../db/person-keys.ts";
import type { Change } from "../organization.ts";
import { banAsGuests } from "./kept-out.ts";
import { releaseSeats } from "./seats.ts";

/** Every seat of an organization that has not ended. */
const livingSeats = ({ tx, organization }: Change) =>
  tx
    .selectFrom("seats")
    .innerJoin("meetings", "meetings.id", "seats.meeting_id")
    .selectAll("seats")
    .where("meetings.organization_id", "=", organization.id)
    .where("meetings.ended_at", "is", null)
    .where("seats.left_at", "is", null);

/** Ends the seats of people who have lost their accounts' rights, in the same change. */
export const expelPeople = async (change: Change, userIds: readonly string[]): Promise<void> => {
  if (userIds.length === 0) return;
  const seats = await livingSeats(change).where("seats.user_id", "in", userIds).execute();
  await releaseSeats(change, seats, "signed_out");
};

/**
 * Ends the seats of people whose accounts are suspended or revoked, and keeps them out of the meetings
 * in which they were, also as guests.
 */
export const shutOut = async (change: Change, userIds: readonly string[]): Promise<void> => {
  if (userIds.length === 0) return;
  await banAsGuests(change, userIds);
  await expelPeople(change, userIds);
};

/** Ends the seats of an access key, and of those whom it has invited. */
export const expelInvited = async (change: Change, accessKey: string): Promise<void> => {
  const seats = await livingSeats(change).where("seats.person", "like", "key:%").execute();
  const invited = seats.filter(({ person }) => person.startsWith(invitedBy(accessKey)));
  await releaseSeats(change, invited, "signed_out");
};

/** Ends up to `most` seats of an organization that is being deleted. @returns how many */
export const expelAll = async (change: Change, most: number): Promise<number> => {
  const seats: SeatRow[] = await livingSeats(change)
    .where("seats.state", "<>", "leaving")
    .limit(most)
    .execute();
  await releaseSeats(change, seats, "closed");
  return seats.length;
};
