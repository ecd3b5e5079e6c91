import type { Room } from "../../contract/rooms/record.ts";
import { initialSettings } from "../../contract/rooms/settings.ts";
import type { MeetingRow, SeatRow } from "../../server/db/meeting-tables.ts";
import type { PersonSeat } from "../../server/meetings/seats/seat.ts";

/*
 * Rooms, meetings and seats for tests of pure rules: valid, and otherwise what the test says.
 */

export const MOMENT = "2026-01-02T03:04:05.000Z";

export const aRoom = (settings: Partial<Room> = {}): Room => ({
  ...initialSettings,
  name: "Board",
  room: "board",
  owners: ["owner"],
  roomStatus: "free",
  totalCallTime: 0,
  createdAt: MOMENT,
  updatedAt: MOMENT,
  ...settings,
});

export const aMeeting = (facts: Partial<MeetingRow> = {}): MeetingRow => ({
  id: "meeting",
  organization_id: "organization",
  room_id: "room",
  media: "livekit",
  room_type: "conferencing",
  opened_at: MOMENT,
  started_at: MOMENT,
  ended_at: null,
  seconds: null,
  locked: false,
  presenter: null,
  mutes_entry: false,
  ...facts,
});

export const aSeat = <S extends Partial<SeatRow>>(facts: S): SeatRow & S => ({
  id: "seat",
  organization_id: "organization",
  room_id: "room",
  meeting_id: "meeting",
  role: "participant",
  person: "guest:1",
  user_id: null,
  peer_name: "Ann",
  state: "inside",
  ticket_digest: "",
  lease_until: null,
  process: "process",
  connection: 1,
  media_process: null,
  media_connection: 0,
  claimed_at: MOMENT,
  metadata: null,
  device: null,
  claimed_from: null,
  joined_at: MOMENT,
  last_seen: MOMENT,
  left_at: null,
  reason: null,
  audio: true,
  video: true,
  share: false,
  share_since: null,
  hand_at: null,
  upgraded: false,
  upgrade: null,
  upgrade_at: null,
  role_limit: null,
  quality: null,
  returns: false,
  rating: null,
  waits_for: null,
  held: false,
  second: false,
  muted_at: null,
  ...facts,
});

export const aPerson = (facts: Partial<PersonSeat> = {}): PersonSeat =>
  aSeat({ role: "participant", ...facts });

/** Every combination of these values. */
export const everyOf = <T extends Readonly<Record<string, readonly unknown[]>>>(
  values: T,
): { [K in keyof T]: T[K][number] }[] =>
  Object.entries(values).reduce<Record<string, unknown>[]>(
    (all, [name, some]) => all.flatMap((one) => some.map((value) => ({ ...one, [name]: value }))),
    [{}],
  ) as { [K in keyof T]: T[K][number] }[];

export const roles = [
  "moderator",
  "participant",
  "viewer",
  "recorder",
  "streamer",
  "transcriber",
] as const;

export const flags = [true, false] as const;
