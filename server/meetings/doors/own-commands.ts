import type { z } from "zod";
import type { ownCommands } from "../../../contract/meetings/commands.ts";
import type { SeatRow } from "../../db/meeting-tables.ts";
import { meter } from "../../lib/measured.ts";
import { refuse } from "../../lib/refusal.ts";
import { onePresenter, oneTakesPart, onNow, permissionsOf } from "../seats/allowed.ts";
import { changeSeat, type Inside, type OwnRule, PRESENT, seatsIn } from "../state/inside.ts";
import { releaseSeat } from "../state/release.ts";
import { keepFirstUpgrade } from "./upgrades.ts";

type Media = z.output<typeof ownCommands.media>;

export const chat: OwnRule<"chat"> = async ({ change, room, meeting }, seat, { text }) => {
  if (!permissionsOf(room, meeting, seat).chat) refuse("not_in_this_room");
  const { tx, now } = change;
  const last = await tx
    .selectFrom("chat")
    .select(({ fn }) => fn.max("number").as("number"))
    .where("room_id", "=", meeting.room_id)
    .executeTakeFirst();
  await tx
    .insertInto("chat")
    .values({
      room_id: meeting.room_id,
      number: (last?.number ?? 0) + 1,
      meeting_id: meeting.id,
      seat_id: seat.id,
      peer_name: seat.peer_name,
      role: seat.role,
      text,
      sent_at: now,
    })
    .execute();
  change.announce(meeting.id);
};

export const hand: OwnRule<"hand"> = async (inside, seat, { up }) => {
  if (up === (seat.hand_at !== null)) return;
  await changeSeat(inside, seat.id, { hand_at: up ? inside.change.now : null });
};

/** Returns whether a report of devices contains nothing new: pages repeat it to detect dead connections. */
export const isReported = (
  { room, meeting }: Pick<Inside, "room" | "meeting">,
  seat: SeatRow,
  reported: Media,
): boolean => {
  const { audio, video, share } = onNow(room, meeting, { ...seat, ...reported });
  return audio === seat.audio && video === seat.video && share === seat.share;
};

export const media: OwnRule<"media"> = async (inside, seat, reported) => {
  const on = onNow(inside.room, inside.meeting, { ...seat, ...reported });
  const begins = on.share && !seat.share;
  await changeSeat(inside, seat.id, {
    ...on,
    ...(begins && { share_since: inside.change.now }),
  });
};

export const quality: OwnRule<"quality"> = async (inside, seat, { level }) => {
  if (seat.quality === level) return;
  await changeSeat(inside, seat.id, { quality: level });
  meter("quality", level);
};

export const present: OwnRule<"present"> = async (inside, seat, { on }) => {
  const { change, room, meeting } = inside;
  if (on && !mayPresent(inside, seat)) refuse("not_in_this_room");
  if (on && onePresenter(room) && (await isPresenting(inside, seat))) refuse("presenter_taken");
  if (!on && meeting.presenter !== seat.id) return;
  await change.tx
    .updateTable("meetings")
    .set({ presenter: on ? seat.id : null })
    .where("id", "=", meeting.id)
    .execute();
  change.announce(meeting.id);
};

/** Returns whether a person could share as the only presenter. */
const mayPresent = ({ room }: Pick<Inside, "room">, seat: SeatRow): boolean =>
  permissionsOf(room, { presenter: seat.id }, seat).share;

/** Returns whether another person is the only presenter, and may still share. */
const isPresenting = async (inside: Inside, seat: SeatRow): Promise<boolean> => {
  const { presenter } = inside.meeting;
  if (presenter === null || presenter === seat.id) return false;
  const there = await seatsIn(inside, PRESENT);
  return there.some((other) => other.id === presenter && mayPresent(inside, other));
};

/**
 * Applies the limit of one presenter to a running meeting. The person who has shared the longest becomes
 * the presenter; in an event, only the viewer who has taken part the longest keeps taking part.
 */
export const keepOnePresenter = async (
  inside: Pick<Inside, "change" | "room" | "meeting">,
): Promise<void> => {
  if (oneTakesPart(inside.room)) await keepFirstUpgrade(inside);
  const [longest] = (await seatsIn(inside, PRESENT))
    .filter((seat) => seat.share && mayPresent(inside, seat))
    .toSorted((one, other) => ((one.share_since ?? "") < (other.share_since ?? "") ? -1 : 1));
  await inside.change.tx
    .updateTable("meetings")
    .set({ presenter: longest?.id ?? null })
    .where("id", "=", inside.meeting.id)
    .execute();
};

export const leave: OwnRule<"leave"> = ({ change }, seat) => releaseSeat(change, seat, "left");
