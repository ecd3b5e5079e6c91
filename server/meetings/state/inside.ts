import type { z } from "zod";
import type { moderation, ownCommands } from "../../../contract/meetings/commands.ts";
import { peerTypes } from "../../../contract/meetings/meetings.ts";
import type { ServerMessage } from "../../../contract/meetings/socket.ts";
import type { Room } from "../../../contract/rooms/record.ts";
import type { Happened } from "../../change/history.ts";
import type { Change, Queries } from "../../change/organization.ts";
import type { MeetingRow, SeatRow, SeatUpdate } from "../../db/meeting-tables.ts";
import { refuse } from "../../lib/refusal.ts";
import { livingSeats, type PersonSeat } from "../seats/seat.ts";
import { isForgotten } from "./erase-person.ts";

/** A running meeting within a change. */
export interface Inside {
  readonly change: Change;
  readonly room: Room;
  readonly meeting: MeetingRow;
  /** The name of the person who acts, as others see it. */
  readonly by: string;
  /** The person who acts, for the history; the caller if omitted. */
  readonly actor?: NonNullable<Happened["by"]>;
  /** Sends a message to somebody, after the commit. */
  readonly tell: (seatId: string, message: ServerMessage) => void;
}

/** A rule for moderators, by the name of its command. */
export type ModerationRule<K extends keyof typeof moderation> = (
  inside: Inside,
  input: z.output<(typeof moderation)[K]>,
) => Promise<void>;

/** A rule for everybody inside, by the name of its command. */
export type OwnRule<K extends keyof typeof ownCommands> = (
  inside: Inside,
  seat: PersonSeat,
  input: z.output<(typeof ownCommands)[K]>,
) => Promise<void>;

/** The people of a meeting whose seats are in these states, oldest seat first. */
export const seatsIn = async (
  { change, meeting }: Pick<Inside, "change" | "meeting">,
  states: readonly SeatRow["state"][],
): Promise<readonly PersonSeat[]> =>
  livingSeats(change.tx, meeting.id)
    .selectAll()
    .where("role", "in", peerTypes)
    .$narrowType<PersonSeat>()
    .where("state", "in", states)
    .orderBy("claimed_at")
    .orderBy("id")
    .execute();

/** States in which somebody has a place inside. */
export const PRESENT: readonly SeatRow["state"][] = ["claimed", "inside", "away"];

/** States of people inside, and of those whose page is being reloaded. */
export const STAYING: readonly SeatRow["state"][] = [...PRESENT, "returning"];

/*
 * A peerId names a seat, and a person who leaves and comes back gets another one. What a moderator decides
 * is about the person, so every seat that they have or had in the room names them.
 */

/** The seat that a peerId names, also one that has ended. */
export const namedSeat = async (
  db: Queries,
  roomId: string,
  peerId: string,
): Promise<PersonSeat | undefined> => {
  const seat = await db
    .selectFrom("seats")
    .selectAll()
    .$narrowType<PersonSeat>()
    .where("id", "=", peerId)
    .where("room_id", "=", roomId)
    .where("role", "in", peerTypes)
    .executeTakeFirst();
  return seat && !isForgotten(seat) ? seat : undefined;
};

/** The seats that the person of a seat has now in these states, that of a second device last. */
export const currentSeats = async (
  inside: Pick<Inside, "change" | "meeting">,
  { person }: PersonSeat,
  states: readonly SeatRow["state"][],
): Promise<readonly PersonSeat[]> =>
  (await seatsIn(inside, states))
    .filter((seat) => seat.person === person)
    .toSorted((one, other) => Number(one.second) - Number(other.second));

/** The seat that the person of a seat has now, in one of these states. */
export const currentSeat = async (
  inside: Pick<Inside, "change" | "meeting">,
  seat: PersonSeat,
  states: readonly SeatRow["state"][],
): Promise<PersonSeat | undefined> => (await currentSeats(inside, seat, states))[0];

/**
 * The seats of somebody inside, or whose page is being reloaded: the own one first.
 *
 * @throws Refusal `peer_not_found`
 */
export const seatsOfPeer = async (
  inside: Inside,
  peerId: string,
): Promise<readonly [PersonSeat, ...PersonSeat[]]> => {
  const named = await namedSeat(inside.change.tx, inside.meeting.room_id, peerId);
  const [first, ...more] = named ? await currentSeats(inside, named, STAYING) : [];
  return [first ?? refuse("peer_not_found"), ...more];
};

/** The own seat of somebody; see `seatsOfPeer`. @throws Refusal `peer_not_found` */
export const seatOf = async (inside: Inside, peerId: string): Promise<PersonSeat> =>
  (await seatsOfPeer(inside, peerId))[0];

/** Changes a seat, and announces it to everybody. */
export const changeSeat = async (
  { change, meeting }: Pick<Inside, "change"> & { readonly meeting: Pick<MeetingRow, "id"> },
  seatId: string,
  facts: SeatUpdate,
): Promise<void> => {
  await change.tx.updateTable("seats").set(facts).where("id", "=", seatId).execute();
  change.announce(meeting.id);
};
