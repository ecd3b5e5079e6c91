import { sql } from "kysely";
import { type PeerType, peerTypes } from "../../../contract/meetings/meetings.ts";
import type { Metadata } from "../../../contract/meetings/socket.ts";
import type { Queries } from "../../change/organization.ts";
import type { MeetingRow, SeatRow } from "../../db/meeting-tables.ts";
import { now } from "../../db/now.ts";
import { uuid7 } from "../../lib/id.ts";

/*
 * The one place that tells people from captures, which receive a meeting to record, stream or
 * transcribe it: a capture has a seat, but it is in no list and no count, and it neither begins a
 * meeting nor keeps one open. Queries say it with `where("role", "in", peerTypes)`.
 */

/** A seat of a person. */
export type PersonSeat = SeatRow & { readonly role: PeerType };

/** The roles of captures. */
export type CaptureRole = Exclude<SeatRow["role"], PeerType>;

const people: ReadonlySet<string> = new Set(peerTypes);

/** Returns whether a role is that of a person. */
export const isPersonal = (role: SeatRow["role"]): role is PeerType => people.has(role);

/** Returns whether a seat is that of a person. */
export const isPerson = <S extends Pick<SeatRow, "role">>(
  seat: S,
): seat is S & { readonly role: PeerType } => isPersonal(seat.role);

/**
 * The seats of a meeting that have not ended, of people and of captures. Where only their states are asked
 * for, the database walks over all seats that have ended there.
 */
export const livingSeats = (db: Queries, meetingId: string) =>
  db.selectFrom("seats").where("meeting_id", "=", meetingId).where("left_at", "is", null);

/**
 * The condition that a seat does not only wait for the media engine to let its person go. Not a parameter: a kept
 * plan would not use the index of one person's seats.
 */
export const isStaying = sql<boolean>`state <> 'leaving'`;

/** The ID of the open meeting of a room, within a query. */
export const openIn = (db: Queries, roomId: string) =>
  db
    .selectFrom("meetings")
    .select("meetings.id")
    .where("meetings.room_id", "=", roomId)
    .where("meetings.ended_at", "is", null);

/** The columns that `leftAtOf` needs. */
export const endColumns = ["state", "left_at", "last_seen"] as const;

/** When a stay ended; null while the person is there. The media engine may have yet to let them go. */
export const leftAtOf = (seat: Pick<SeatRow, (typeof endColumns)[number]>): string | null =>
  seat.left_at ?? (seat.state === "leaving" ? seat.last_seen : null);

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
  muted_at: null,
});

/** The field `secondDevice` of a seat in answers. */
export const secondIn = ({ second }: Pick<SeatRow, "second">): { readonly secondDevice?: true } =>
  second ? { secondDevice: true } : {};

/** The metadata of an invited person, as a part of an answer; no field if there is none. */
export const metadataIn = ({
  metadata,
}: Pick<SeatRow, "metadata">): { readonly metadata?: Metadata } =>
  metadata === null ? {} : { metadata: JSON.parse(metadata) };
