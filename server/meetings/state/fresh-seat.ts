import type { MeetingRow } from "../../db/meeting-tables.ts";
import { now } from "../../db/now.ts";
import { uuid7 } from "../../lib/id.ts";

/** How long a seat is kept for a person who has not connected yet, in milliseconds. */
export const CLAIM_MS = 30_000;

/** The values of a new seat, whose person has not connected yet. */
export const freshSeat = (
  { id, organization_id, room_id }: Pick<MeetingRow, "id" | "organization_id" | "room_id">,
  ticketDigest: string,
) => ({
  id: uuid7(),
  organization_id,
  room_id,
  meeting_id: id,
  ticket_digest: ticketDigest,
  lease_until: now(CLAIM_MS),
  claimed_at: now(),
  claimed_from: null,
  process: null,
  connection: 0,
  media_process: null,
  media_connection: 0,
  joined_at: null,
  quality: null,
  rating: null,
  returns: false,
  last_seen: null,
  left_at: null,
  reason: null,
  audio: false,
  video: false,
  share: false,
  hand_at: null,
  upgraded: false,
  upgrade: null,
  upgrade_at: null,
  role_limit: null,
  waits_for: null,
});
