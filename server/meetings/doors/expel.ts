import type { Change } from "../../change/organization.ts";
import type { SeatRow } from "../../db/meeting-tables.ts";
import { invitedBy } from "../../db/person-keys.ts";
import { releaseSeats } from "../state/release.ts";
import { banAsGuests } from "./bans.ts";

/** Every seat of an organization's running meetings. */
const seatsOfRunning = ({ tx, organization }: Change) =>
  tx
    .selectFrom("seats")
    .innerJoin("meetings", "meetings.id", "seats.meeting_id")
    .selectAll("seats")
    .where("meetings.organization_id", "=", organization.id)
    .where("meetings.ended_at", "is", null);

/** Every seat of an organization that has not ended. */
const livingSeats = (change: Change) => seatsOfRunning(change).where("seats.left_at", "is", null);

/** Ends the seats of people whose accounts have lost their rights, in the same change. */
export const expelPeople = async (change: Change, userIds: readonly string[]): Promise<void> => {
  if (userIds.length === 0) return;
  const seats = await livingSeats(change).where("seats.user_id", "in", userIds).execute();
  await releaseSeats(change, seats, "signed_out");
};

/**
 * Ends the seats of people whose accounts are suspended or revoked, and keeps them from coming back to
 * their meetings as guests.
 */
export const shutOut = async (change: Change, userIds: readonly string[]): Promise<void> => {
  if (userIds.length === 0) return;
  await banAsGuests(
    change,
    await seatsOfRunning(change).where("seats.user_id", "in", userIds).execute(),
  );
  await expelPeople(change, userIds);
};

/** Ends the seats of the people invited with an access key, and the key's own. */
export const expelInvited = async (change: Change, accessKey: string): Promise<void> => {
  const seats = await livingSeats(change).where("seats.person", "like", "key:%").execute();
  const invited = seats.filter(({ person }) => person.startsWith(invitedBy(accessKey)));
  await releaseSeats(change, invited, "signed_out");
};

/**
 * Ends the seat of a person whose invitation is revoked, and keeps them from returning to the
 * running meeting as a guest.
 *
 * @param person as in `seats.person`
 * @returns whether they had a seat
 */
export const shutOutInvited = async (
  change: Change,
  roomId: string,
  person: string,
): Promise<boolean> => {
  const seats = await seatsOfRunning(change)
    .where("seats.room_id", "=", roomId)
    .where("seats.person", "=", person)
    .execute();
  const living = seats.filter(({ left_at }) => left_at === null);
  await banAsGuests(change, seats);
  await releaseSeats(change, living, "signed_out");
  return living.length > 0;
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
