import type { Selectable } from "kysely";
import type { CaptionRow } from "../db/live-tables.ts";
import type { ChatTable, SeatRow } from "../db/meeting-tables.ts";
import type { RecordingLinkRow } from "../db/recording-tables.ts";
import { captionLanguage } from "../meetings/captures/runs.ts";
import { endColumns, leftAtOf, metadataIn, secondIn } from "../meetings/seats/seat.ts";

/** A person's attendance. */
export const presentStay = (seat: Pick<SeatRow, (typeof stayColumns)[number]>) => ({
  peerId: seat.id,
  peerName: seat.peer_name,
  peerType: seat.role,
  userId: seat.user_id,
  joinedAt: seat.joined_at,
  leftAt: leftAtOf(seat),
  reason: seat.reason,
  ...metadataIn(seat),
  ...secondIn(seat),
});

/** A chat message without its number, which would reveal how many messages others wrote. */
export const presentMessage = (
  message: Omit<Selectable<ChatTable>, "room_id" | "role" | "number">,
) => ({
  meetingId: message.meeting_id,
  peerId: message.seat_id,
  peerName: message.peer_name,
  text: message.text,
  sentAt: message.sent_at,
});

/** Spoken words as text. */
export const presentSaid = (
  said: Pick<
    CaptionRow,
    "meeting_id" | "seat_id" | "peer_name" | "started_at" | "ended_at" | "text" | "language"
  >,
) => ({
  meetingId: said.meeting_id,
  peerId: said.seat_id,
  peerName: said.peer_name,
  startedAt: said.started_at,
  endedAt: said.ended_at,
  text: said.text,
  ...captionLanguage(said),
});

/** A link that plays a recording, without its code, of which only a digest is stored. */
export const presentRecordingLink = (
  link: Pick<RecordingLinkRow, (typeof linkColumns)[number]>,
) => ({
  linkId: link.id,
  recordingId: link.recording_id,
  allows: link.allows,
  createdAt: link.created_at,
  expiresAt: link.expires_at,
  revokedAt: link.revoked_at,
});

/** The columns that `presentStay` needs. */
export const stayColumns = [
  "id",
  "role",
  "user_id",
  "peer_name",
  "joined_at",
  "reason",
  "metadata",
  "second",
  ...endColumns,
] as const;
export const messageColumns = [
  "number",
  "meeting_id",
  "seat_id",
  "peer_name",
  "text",
  "sent_at",
] as const;
export const saidColumns = [
  "meeting_id",
  "number",
  "seat_id",
  "peer_name",
  "started_at",
  "ended_at",
  "text",
  "language",
] as const;
export const linkColumns = [
  "id",
  "recording_id",
  "created_by",
  "created_at",
  "expires_at",
  "revoked_at",
  "allows",
] as const;
