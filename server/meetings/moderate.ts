import type { z } from "zod";
import type { moderation } from "../../contract/meeting-commands.ts";
import type { SeatRow } from "../db/meeting-tables.ts";
import type { Change } from "../organization.ts";
import { refuse } from "../refusal.ts";
import { permissionsOf } from "./allowed.ts";
import {
  changeSeat,
  type Inside,
  type ModerationRule,
  PRESENT,
  seatOf,
  seatsIn,
} from "./inside.ts";
import { banSeat, countSentAway } from "./kept-out.ts";
import { ownRoom } from "./links.ts";
import { admitAll, admitIfOpen } from "./lobby.ts";
import { endedBy, leaveMessages, type Message } from "./messages.ts";
import { releaseSeat, releaseSeats } from "./release.ts";
import { findOpenMeeting, heldRoom, settleMeeting } from "./running.ts";
import { admitSeat, changeRole } from "./seats.ts";
import { silent, upgradeRequest } from "./upgrades.ts";

/** The people who wait: the named one, or all. @throws Refusal `peer_not_found` */
const waitingFor = async (
  inside: Inside,
  {
    requesterPeerId,
    all,
  }: { readonly requesterPeerId?: string | undefined; readonly all: boolean },
) => {
  const waiting = await seatsIn(inside, ["waiting"]);
  const meant = all ? waiting : waiting.filter(({ id }) => id === requesterPeerId);
  if (meant.length === 0 && !all) refuse("peer_not_found");
  return meant;
};

const allowRoomJoin: ModerationRule<"allowRoomJoin"> = async (inside, input) => {
  const { change, meeting } = inside;
  if (input.all) {
    const whyNobody = await admitAll(change, meeting.id);
    if (whyNobody) throw whyNobody;
  } else for (const seat of await waitingFor(inside, input)) await admitSeat(change, seat);
};

const denyRoomJoin: ModerationRule<"denyRoomJoin"> = async (inside, input) => {
  const { change } = inside;
  const waiting = await waitingFor(inside, input);
  for (const seat of waiting) await countSentAway(change.tx, seat);
  await releaseSeats(change, waiting, "refused");
};

const removePeer: ModerationRule<"removePeer"> = async (inside, { peerId, ban }) => {
  const seat = await seatOf(inside, peerId);
  const { change } = inside;
  if (ban !== "no") await banSeat(inside, seat, ban);
  await releaseSeat(change, seat, ban === "no" ? "removed" : "banned");
};

const mutePeer: ModerationRule<"mutePeer"> = async (inside, { peerId, all, type }) => {
  const there = await seatsIn(inside, PRESENT);
  const { change, room, meeting, by } = inside;
  const maySend = (seat: SeatRow) => permissionsOf(room, meeting, seat)[type];
  const meant = all
    ? there.filter((seat) => seat.role !== "moderator" && maySend(seat))
    : there.filter(({ id }) => id === peerId);
  if (meant.length === 0 && !all) refuse("peer_not_found");
  const ids = meant.map(({ id }) => id);
  if (ids.length === 0) return;
  await change.tx
    .updateTable("seats")
    .set({ [type]: false })
    .where("id", "in", ids)
    .execute();
  // Whether they shared a screen or only kept others from it.
  if (type === "share") {
    await change.tx
      .updateTable("meetings")
      .set({ presenter: null })
      .where("id", "=", meeting.id)
      .where("presenter", "in", ids)
      .execute();
  }
  change.announce(meeting.id);
  for (const id of ids) inside.tell(id, { type: "muted", media: [type], by });
};

const changePeer: ModerationRule<"changePeer"> = async (inside, { peerId, peerType }) => {
  const seat = await seatOf(inside, peerId);
  if (seat.role === peerType) return;
  await changeRole(inside.change, seat, peerType);
  const facts = { upgrade: null, upgrade_at: null, upgraded: false };
  await changeSeat(inside, seat.id, peerType === "viewer" ? { ...facts, ...silent } : facts);
};

const lockRoom: ModerationRule<"lockRoom"> = async ({ change, room, meeting }, { action }) => {
  const locked = action === "lock";
  await change.tx.updateTable("meetings").set({ locked }).where("id", "=", meeting.id).execute();
  await admitIfOpen(change, room, { ...meeting, locked });
  change.announce(meeting.id);
};

const closeRoom: ModerationRule<"closeRoom"> = async (inside, { message }) => {
  const { change, meeting } = inside;
  const seats = await seatsIn(inside, ["waiting", "returning", ...PRESENT]);
  const connected = message === "" ? [] : seats.filter(({ process }) => process !== null);
  const words = endedBy("closed", message);
  // In the same change, so that every process finds the message when it sees the end.
  await leaveMessages(
    change.tx,
    connected.map(({ id }) => ({ meetingId: meeting.id, seatId: id, message: words })),
  );
  await releaseSeats(change, seats, "closed");
  // Otherwise a person who comes before the engine has let everybody go would keep it open.
  await settleMeeting(change, meeting.id, true);
};

/** What moderators, administrators and owners do, by the name of the command and operation. */
export const moderationRules: { readonly [K in keyof typeof moderation]: ModerationRule<K> } = {
  allowRoomJoin,
  denyRoomJoin,
  removePeer,
  mutePeer,
  changePeer,
  upgradeRequest,
  lockRoom,
  closeRoom,
};

/** What a command does in a room without a meeting. */
const inEmptyRoom = (name: keyof typeof moderation): void => {
  if (name === "closeRoom") return;
  refuse(name === "lockRoom" ? "no_meeting" : "peer_not_found");
};

/** The name of the caller, as others see it. */
export const nameOf = async ({ tx, caller }: Change): Promise<string> => {
  if (caller.userId === null) return "An administrator";
  const person = await tx
    .selectFrom("users")
    .select("name")
    .where("id", "=", caller.userId)
    .executeTakeFirst();
  return person?.name ?? "An administrator";
};

/**
 * Acts in a room from outside: administrators and access keys in any room, owners in their own.
 *
 * @param act called with the running meeting
 * @param inEmpty called if there is no meeting; usually refuses
 * @returns the messages to send
 * @throws Refusal `room_not_found`, and those of both
 */
export const actInRoom = async (
  change: Change,
  roomId: string,
  act: (inside: Inside) => Promise<void>,
  inEmpty: () => void = () => refuse("no_meeting"),
): Promise<readonly Message[]> => {
  const { tx, organization, caller } = change;
  const row = await ownRoom(tx, organization.id, caller, roomId);
  const meeting = await findOpenMeeting(tx, row.id);
  const messages: Message[] = [];
  if (!meeting) {
    inEmpty();
    return messages;
  }
  const tell: Inside["tell"] = (seatId, message) =>
    messages.push({ meetingId: meeting.id, seatId, message });
  await act({ change, room: heldRoom(row, meeting), meeting, by: await nameOf(change), tell });
  return messages;
};

/**
 * Moderates a room from outside.
 *
 * @param input the operation's input, without the room
 * @returns the messages to send
 * @throws Refusal as `actInRoom`, and those of the rule
 */
export const moderateRoom = <K extends keyof typeof moderation>(
  change: Change,
  name: K,
  roomId: string,
  input: z.output<(typeof moderation)[K]>,
): Promise<readonly Message[]> =>
  actInRoom(
    change,
    roomId,
    (inside) => moderationRules[name](inside, input),
    () => inEmptyRoom(name),
  );
