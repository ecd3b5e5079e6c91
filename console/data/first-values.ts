import type { RoomValues } from "./room-values.ts";

/** Whom the recordings of a room have. */
export type Recorded = "off" | "everybody" | "moderators" | "participants" | "nobody";
type Recording = Pick<RoomValues, "enableRecording" | "recordModerator" | "recordParticipant">;

export const recordedOf = (values: Recording): Recorded => {
  const { enableRecording, recordModerator, recordParticipant } = values;
  if (!enableRecording) return "off";
  if (recordModerator) return recordParticipant ? "everybody" : "moderators";
  return recordParticipant ? "participants" : "nobody";
};

/** The settings with which a room records these people. */
export const recording = (whom: Recorded): Recording => ({
  enableRecording: whom !== "off",
  recordModerator: whom === "everybody" || whom === "moderators",
  recordParticipant: whom === "everybody" || whom === "participants",
});

/** Who comes in: with the link alone, let in by a moderator, with a password, or with both. */
export type Entering = "anyone" | "waiting" | "password" | "both";
type Door = Pick<RoomValues, "authenticationRequired" | "roomPassword">;

export const enteringOf = ({ authenticationRequired, roomPassword }: Door): Entering => {
  if (authenticationRequired) return roomPassword === null ? "waiting" : "both";
  return roomPassword === null ? "anyone" : "password";
};

/** The settings with which these people come in; a password that is not typed yet is empty. */
export const entering = (who: Entering, { roomPassword }: Door): Door => ({
  authenticationRequired: who === "waiting" || who === "both",
  roomPassword: who === "password" || who === "both" ? (roomPassword ?? "") : null,
});

type Seats = Pick<RoomValues, "noOfModerators" | "noOfParticipants" | "noOfViewers">;

/** How many people can be inside at a time. */
export const seatsOf = ({ noOfModerators, noOfParticipants, noOfViewers }: Seats): number =>
  Number(noOfModerators) + Number(noOfParticipants) + Number(noOfViewers);

/** The people on the stage of an event, besides the moderators. */
const STAGE = 8;

/** Seats for this many people: two moderators, and the audience of an event as viewers. */
export const seatsFor = (roomType: string, people: number): Seats => {
  if (roomType === "p2p") return { noOfModerators: 1, noOfParticipants: 1, noOfViewers: 0 };
  const noOfModerators = Math.min(2, people);
  const others = people - noOfModerators;
  const noOfParticipants = roomType === "event" ? Math.min(STAGE, others) : others;
  return { noOfModerators, noOfParticipants, noOfViewers: others - noOfParticipants };
};
