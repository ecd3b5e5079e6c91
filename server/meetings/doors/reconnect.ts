import type { PeerType } from "../../../contract/meetings/meetings.ts";
import type { Change } from "../../change/organization.ts";
import { now } from "../../db/now.ts";
import type { RoomRow } from "../../db/tables.ts";
import { uuid7 } from "../../lib/id.ts";
import { oneTakesPart } from "../seats/allowed.ts";
import { freshSeat, livingSeats, type PersonSeat } from "../seats/seat.ts";
import { endSeats, succeedSeats } from "../state/end-seats.ts";
import { findPlace } from "../state/find-place.ts";
import { PRESENT } from "../state/inside.ts";
import { heldRoom, type Standing } from "../state/open-meeting.ts";
import { settleMeeting } from "../state/running.ts";
import type { Comer } from "./claim-seat.ts";

/*
 * A page that is closed looks the same as one that is reloaded. So the seat ends at once, and a row that
 * takes no place remembers its person for a moment: the meeting and its link stay, and a person who comes
 * back needs neither password nor lobby. A place before the door is kept as it is.
 */

/** How long somebody may come back after the page was closed, in milliseconds. */
const RETURN_MS = 20_000;

/**
 * Ends the seat of a person inside whose page was closed or reloaded. A returning person's page may
 * be reloaded again before it has connected: they return later.
 */
export const letReturn = async (change: Change, seat: PersonSeat): Promise<void> => {
  const { tx } = change;
  const isBack = seat.state === "claimed";
  if (!isBack) await endSeats(change, seat.meeting_id, [seat], "left", "now", true);
  const room = await tx
    .selectFrom("rooms")
    .select("deleted_at")
    .where("id", "=", seat.room_id)
    .executeTakeFirst();
  const returning = {
    state: "returning",
    // A random value: no ticket has this digest.
    ticket_digest: uuid7(),
    lease_until: now(RETURN_MS),
    returns: true,
  } as const;
  if (isBack) await tx.updateTable("seats").set(returning).where("id", "=", seat.id).execute();
  // Nobody enters a room that awaits its deletion.
  else if (room?.deleted_at === null) {
    const { organization_id, room_id, meeting_id, claimed_from, hand_at, upgraded, role_limit } =
      seat;
    await tx
      .insertInto("seats")
      .values({
        ...seat,
        ...freshSeat({ id: meeting_id, organization_id, room_id }, returning.ticket_digest),
        ...returning,
        last_seen: now(),
        claimed_from,
        hand_at,
        upgraded,
        role_limit,
      })
      .execute();
  } else await succeedSeats(change, [seat]);
  await settleMeeting(change, seat.meeting_id);
};

/** Keeps the place of a waiting person whose page was closed or reloaded. */
export const keepPlace = async (
  { tx, announce }: Change,
  seat: Pick<PersonSeat, "id" | "meeting_id">,
): Promise<void> => {
  await tx
    .updateTable("seats")
    .set({ process: null, lease_until: now(RETURN_MS) })
    .where("id", "=", seat.id)
    .execute();
  announce(seat.meeting_id);
};

/**
 * Gives a seat back to a person whose page was closed a moment ago, in the former role or the one
 * that they request now.
 *
 * @returns the seat, without a connection; undefined for a person who was not inside
 * @throws Refusal `seats_full`, `media_engine_needed`
 */
export const comeBack = async (
  change: Change,
  row: RoomRow,
  { meeting, seat }: Standing,
  { wanted, claimedFrom }: Pick<Comer, "claimedFrom"> & { readonly wanted: PeerType | undefined },
): Promise<PersonSeat | undefined> => {
  const { tx } = change;
  if (meeting === undefined || seat?.state !== "returning") return undefined;
  const room = heldRoom(row, meeting);
  const upgrades = await livingSeats(tx, meeting.id)
    .select("upgraded")
    .where("state", "in", PRESENT)
    .where(({ or, eb }) => or([eb("upgraded", "=", true), eb("upgrade", "is not", null)]))
    .execute();
  // Meanwhile others may have taken part in place of this upgraded viewer.
  const isTaken =
    upgrades.length >= room.noOfUpgradeRequests ||
    (oneTakesPart(room) && upgrades.some(({ upgraded }) => upgraded));
  const isUpgraded = seat.upgraded && !isTaken;
  const role = wanted ?? (seat.upgraded && !isUpgraded ? "viewer" : seat.role);
  await findPlace(change, room, meeting, { role, claimedFrom });
  return tx
    .updateTable("seats")
    .set({
      state: "claimed",
      role,
      claimed_from: claimedFrom,
      upgraded: isUpgraded && role === seat.role,
    })
    .where("id", "=", seat.id)
    .returningAll()
    .$narrowType<PersonSeat>()
    .executeTakeFirstOrThrow();
};
