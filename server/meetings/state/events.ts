import type { MeetingEvent } from "../../../contract/webhooks/events.ts";
import type { Facts } from "../../change/history.ts";
import type { SeatRow } from "../../db/meeting-tables.ts";
import { isPerson, metadataIn, secondIn } from "../seats/seat.ts";
import type { MeetingChange } from "./open-meeting.ts";

/** Publishes an event about a person in a meeting to webhooks; nothing about captures. */
export const publishPeer = (
  { publish }: Pick<MeetingChange, "publish">,
  type: MeetingEvent,
  seat: Pick<
    SeatRow,
    "id" | "room_id" | "meeting_id" | "peer_name" | "role" | "user_id" | "metadata" | "second"
  >,
  more: Facts = {},
): void => {
  if (!isPerson(seat)) return;
  const { id, room_id, meeting_id, peer_name, role, user_id } = seat;
  const who = { peerId: id, peerName: peer_name, peerType: role, userId: user_id };
  const peer = { ...who, ...metadataIn(seat), ...secondIn(seat) };
  publish({ type, in: { id: room_id }, data: { meetingId: meeting_id, peer, ...more } });
};

/** Publishes to webhooks how a seat has ended, if its person was inside or was refused entry. */
export const publishEnd = (
  change: Pick<MeetingChange, "publish">,
  seat: SeatRow,
  before: SeatRow["state"] | undefined,
): void => {
  const { joined_at, left_at, last_seen, reason } = seat;
  if (joined_at !== null) {
    const until = left_at ?? last_seen ?? joined_at;
    const milliseconds = Math.max(0, Date.parse(until) - Date.parse(joined_at));
    const seconds = Math.round(milliseconds / 1000);
    publishPeer(change, "peerLeft", seat, { reason, seconds });
  } else if (before === "waiting" && reason === "refused") {
    publishPeer(change, "peerRefused", seat);
  }
};
