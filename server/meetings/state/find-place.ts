import type { EndReason } from "../../../contract/meetings/socket.ts";
import type { Room } from "../../../contract/rooms/record.ts";
import { Refusal } from "../../lib/refusal.ts";
import { spareClaim } from "../seats/claims-by-address.ts";
import { checkLobby, checkPlace, type WantedPlace } from "../seats/places.ts";
import type { PersonSeat } from "../seats/seat.ts";
import { endSeats } from "./end-seats.ts";
import type { MeetingChange, OpenMeeting } from "./open-meeting.ts";

/**
 * Looks for a place; if there is none, ends another seat to make room. If that would not be enough, as
 * after a limit was lowered, nobody loses a seat.
 *
 * @param check refuses if there is no place, with the given seat as if it had ended
 * @param spare finds a seat to give up; undefined if there is none
 * @param reason why that seat ends, for its person
 * @throws Refusal of the check
 */
const findOrSpare = async (
  change: MeetingChange,
  check: (given?: PersonSeat) => Promise<void>,
  spare: (full: Refusal) => Promise<PersonSeat | undefined>,
  reason: EndReason = "lost",
): Promise<void> => {
  try {
    await check();
  } catch (full) {
    if (!(full instanceof Refusal)) throw full;
    const claim = await spare(full);
    if (claim === undefined) throw full;
    await check(claim);
    await endSeats(change, claim.meeting_id, [claim], reason);
  }
};

/**
 * Finds a place of a role for somebody. If there is none, gives up a guest's claim that was never entered,
 * of the address with the most claims (claims-by-address.ts).
 *
 * @throws Refusal `seats_full`, `media_engine_needed`
 */
export const findPlace = async (
  change: MeetingChange,
  room: Room,
  meeting: OpenMeeting,
  wanted: WantedPlace,
): Promise<void> => {
  const { tx } = change;
  const { frees = [] } = wanted;
  const check = (given?: PersonSeat) =>
    checkPlace(tx, room, meeting, { ...wanted, frees: [...frees, ...(given ? [given.role] : [])] });
  await findOrSpare(change, check, (full) =>
    spareClaim(tx, meeting.id, {
      state: "claimed",
      role: sharesSeats(room, full) ? undefined : wanted.role,
      own: wanted.claimedFrom ?? null,
    }),
  );
};

/** Returns whether the roles share their seats: in a p2p room, and without a media engine. */
export const sharesSeats = ({ roomType }: Pick<Room, "roomType">, { code }: Refusal): boolean =>
  roomType === "p2p" || code === "media_engine_needed";

/** Finds a place in the lobby of a meeting in the same way. @throws Refusal `lobby_full` */
export const findLobbyPlace = async (
  change: MeetingChange,
  room: Room,
  { id }: OpenMeeting,
  own: string | null,
): Promise<void> => {
  const { tx } = change;
  const check = (given?: PersonSeat) => checkLobby(tx, room, id, given ? 1 : 0);
  const spare = () => spareClaim(tx, id, { state: "waiting", role: undefined, own });
  await findOrSpare(change, check, spare, "lobby_full");
};
