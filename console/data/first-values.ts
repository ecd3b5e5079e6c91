import type { RoomValues } from "./room-values.ts";

/** The people whose words and pictures a room's recordings have. */
export type Recorded = "off" | "everybody" | "moderators" | "participants" | "nobody";
type Recording = Pick<RoomValues, "enableRecording" | "recordModerator" | "recordParticipant">;

export const recordedOf = (values: Recording): Recorded => {
  const { enableRecording, recordModerator, recordParticipant } = values;
  if (!enableRecording) return "off";
  if (recordModerator) return recordParticipant ? "everybody" : "moderators";
  return recordParticipant ? "participants" : "nobody";
};

/** The settings for recording these people. */
export const recordingOfPeople = (whom: Recorded): Recording => ({
  enableRecording: whom !== "off",
  recordModerator: whom === "everybody" || whom === "moderators",
  recordParticipant: whom === "everybody" || whom === "participants",
});

/** The people who come in: everybody with the link, after admission, with a password, or with both. */
export type Entering = "anyone" | "waiting" | "password" | "both";
type Door = Pick<RoomValues, "authenticationRequired" | "roomPassword">;

export const enteringOf = ({ authenticationRequired, roomPassword }: Door): Entering => {
  if (authenticationRequired) return roomPassword === null ? "waiting" : "both";
  return roomPassword === null ? "anyone" : "password";
};

/** The settings for these people; an untyped password is empty. */
export const entering = (who: Entering, { roomPassword }: Door): Door => ({
  authenticationRequired: who === "waiting" || who === "both",
  roomPassword: who === "password" || who === "both" ? (roomPassword ?? "") : null,
});

type Seats = Pick<RoomValues, "noOfModerators" | "noOfParticipants" | "noOfViewers">;

/** How many people can be inside at a time. */
export const seatCount = ({ noOfModerators, noOfParticipants, noOfViewers }: Seats): number =>
  Number(noOfModerators) + Number(noOfParticipants) + Number(noOfViewers);

/** The stage of an event, besides the moderators. */
const STAGE = 8;

/** Seats for this many people: two moderators, and an event's audience as viewers. */
export const seatsFor = (roomType: string, people: number): Seats => {
  if (roomType === "p2p") return { noOfModerators: 1, noOfParticipants: 1, noOfViewers: 0 };
  const noOfModerators = Math.min(2, people);
  const others = people - noOfModerators;
  const noOfParticipants = roomType === "event" ? Math.min(STAGE, others) : others;
  return { noOfModerators, noOfParticipants, noOfViewers: others - noOfParticipants };
};
