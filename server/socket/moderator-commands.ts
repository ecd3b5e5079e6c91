import type { z } from "zod";
import type { moderation } from "../../contract/meetings/commands.ts";
import type { Change } from "../change/organization.ts";
import type { SeatRow } from "../db/meeting-tables.ts";
import type { RoomRow } from "../db/tables.ts";
import { refuse } from "../lib/refusal.ts";
import { banSeat, countSentAway } from "../meetings/doors/bans.ts";
import { admitSeat, changeRole } from "../meetings/doors/claim-seat.ts";
import { admitAll, admitIfOpen } from "../meetings/doors/lobby.ts";
import { silent } from "../meetings/doors/upgrades.ts";
import { permissionsOf } from "../meetings/seats/allowed.ts";
import { closedBy, leaveMessages } from "../meetings/seats/messages.ts";
import { limitRole } from "../meetings/seats/role-limits.ts";
import { isAsking } from "../meetings/seats/waiting-room.ts";
import {
  changeSeat,
  currentSeat,
  currentSeats,
  type ModerationRule,
  namedSeat,
  STAYING,
  seatOf,
  seatsIn,
  seatsOfPeer,
} from "../meetings/state/inside.ts";
import { releaseSeats } from "../meetings/state/release.ts";
import { settleMeeting } from "../meetings/state/running.ts";
import { roomOf } from "../records/rooms.ts";

export const allowRoomJoin: ModerationRule<"allowRoomJoin"> = async (
  inside,
  { requesterPeerId, all },
) => {
  const { change, meeting } = inside;
  if (all) {
    const whyNobody = await admitAll(change, meeting.id);
    if (whyNobody) throw whyNobody;
    return;
  }
  const named = await namedSeat(change.tx, meeting.room_id, requesterPeerId ?? "");
  const waiting = named && (await currentSeat(inside, named, ["waiting"]));
  // Under another name they have not been asked about.
  if (waiting?.peer_name !== named?.peer_name) refuse("peer_not_found");
  if (waiting && !isAsking(waiting)) refuse("peer_not_found");
  await admitSeat(change, waiting ?? refuse("peer_not_found"));
};

export const denyRoomJoin: ModerationRule<"denyRoomJoin"> = async (
  inside,
  { requesterPeerId, all },
) => {
  const { change, meeting } = inside;
  const everybody = (await seatsIn(inside, ["waiting"])).filter(isAsking);
  const named = all
    ? undefined
    : ((await namedSeat(change.tx, meeting.room_id, requesterPeerId ?? "")) ??
      refuse("peer_not_found"));
  const waiting = named ? everybody.filter(({ person }) => person === named.person) : everybody;
  for (const seat of waiting) await countSentAway(change.tx, seat);
  if (named && waiting.length === 0) {
    // They have stopped waiting on their own, just before: that does not spare them the refusal.
    const isMissed = named.joined_at === null && named.reason === "left";
    if (!isMissed) refuse("peer_not_found");
    await countSentAway(change.tx, named);
  }
  await releaseSeats(change, waiting, "refused");
};

export const removePeer: ModerationRule<"removePeer"> = async (inside, { peerId, ban }) => {
  const { change, meeting } = inside;
  const named = (await namedSeat(change.tx, meeting.room_id, peerId)) ?? refuse("peer_not_found");
  const [seat, ...more] = await currentSeats(inside, named, [...STAYING, "waiting"]);
  if (ban === "no") {
    return releaseSeats(change, [seat ?? refuse("peer_not_found"), ...more], "removed");
  }
  const banned = await banSeat(inside, { ...(seat ?? named), meeting_id: meeting.id }, ban);
  // In the same browser they may be inside as a guest too.
  const theirs = (await seatsIn(inside, [...STAYING, "waiting"])).filter(({ person }) =>
    banned.has(person),
  );
  await releaseSeats(change, theirs, "banned");
};

export const mutePeer: ModerationRule<"mutePeer"> = async (inside, { peerId, all, type }) => {
  const { change, room, meeting, by } = inside;
  const maySend = (seat: SeatRow) => permissionsOf(room, meeting, seat)[type];
  const meant = all
    ? (await seatsIn(inside, STAYING)).filter((seat) => seat.role !== "moderator" && maySend(seat))
    : await seatsOfPeer(inside, peerId ?? "");
  const ids = meant.map(({ id }) => id);
  if (ids.length === 0) return;
  await change.tx
    .updateTable("seats")
    .set({ [type]: false, muted_at: change.now })
    .where("id", "in", ids)
    .execute();
  // They may have shared a screen, or only kept others from it.
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

export const changePeer: ModerationRule<"changePeer"> = async (inside, { peerId, peerType }) => {
  const seat = await seatOf(inside, peerId);
  if (seat.role === peerType) return;
  await changeRole(inside.change, seat, peerType);
  await limitRole(inside.change.tx, seat, peerType);
  const facts = { upgrade: null, upgrade_at: null, upgraded: false };
  await changeSeat(inside, seat.id, peerType === "viewer" ? { ...facts, ...silent } : facts);
};

export const lockRoom: ModerationRule<"lockRoom"> = async (
  { change, room, meeting },
  { action },
) => {
  const locked = action === "lock";
  await change.tx.updateTable("meetings").set({ locked }).where("id", "=", meeting.id).execute();
  await admitIfOpen(change, room, { ...meeting, locked });
  await settleMeeting(change, meeting.id);
};

export const muteOnEntry: ModerationRule<"muteOnEntry"> = async ({ change, meeting }, { on }) => {
  await change.tx
    .updateTable("meetings")
    .set({ mutes_entry: on })
    .where("id", "=", meeting.id)
    .execute();
  change.announce(meeting.id);
};

export const closeRoom: ModerationRule<"closeRoom"> = async (inside, { message }) => {
  const { change, meeting } = inside;
  const seats = await seatsIn(inside, ["waiting", ...STAYING]);
  const connected = message === "" ? [] : seats.filter(({ process }) => process !== null);
  const words = closedBy(message);
  // In the same change, so that every process finds the message when it sees the end.
  await leaveMessages(
    change.tx,
    connected.map(({ id }) => ({ meetingId: meeting.id, seatId: id, message: words })),
  );
  await releaseSeats(change, seats, "closed");
  // Otherwise a person who comes before the engine has let everybody go would keep it open.
  await settleMeeting(change, meeting.id, true);
};

/**
 * removePeer in a room without a meeting: an exclusion that outlives a meeting also holds for the
 * last person to leave.
 */
export const excludeFormer = async (
  change: Change,
  row: RoomRow,
  { peerId, ban }: z.output<typeof moderation.removePeer>,
): Promise<void> => {
  if (ban === "no" || ban === "meeting") return refuse("peer_not_found");
  const seat = (await namedSeat(change.tx, row.id, peerId)) ?? refuse("peer_not_found");
  await banSeat({ change, room: roomOf(row) }, seat, ban);
};
