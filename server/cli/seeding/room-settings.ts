import {
  initialSettings,
  type RoomSettings,
  recordingFormats,
  recordingResolutions,
  recordingStrategies,
} from "../../../contract/rooms/settings.ts";
import type { Dice } from "./dice.ts";
import { plannedTime } from "./times.ts";
import { agendas } from "./words/rooms.ts";

/** How many people of each kind fit into rooms of a type. */
const seats = {
  p2p: [1, 1, 0],
  conferencing: [2, 30, 0],
  event: [5, 50, 5000],
} as const;

const recording = (dice: Dice): Partial<RoomSettings> => ({
  enableRecording: true,
  recordingFormat: dice.pick(recordingFormats),
  recordingStrategy: dice.pick(recordingStrategies),
  recordingResolutions: [dice.pick(recordingResolutions)],
  recordModerator: dice.happens(0.5),
  recordParticipant: dice.happens(0.3),
  enableTranscription: dice.happens(0.3),
});

const streaming = (dice: Dice): Partial<RoomSettings> => ({
  enableLiveStreaming: true,
  enableRTMPStreaming: true,
  liveStreamUrl: "rtmps://live.example.org/app",
  liveStreamKey: `${dice.digits(4)}-${dice.digits(4)}-${dice.digits(4)}`,
});

/** The settings of a room: mostly the defaults, as people leave them. */
export const drawSettings = (dice: Dice, currentTime: number): RoomSettings => {
  const roomType = dice.pick(["p2p", "conferencing", "conferencing", "conferencing", "event"]);
  const [noOfModerators, noOfParticipants, noOfViewers] = seats[roomType as keyof typeof seats];
  return {
    ...initialSettings,
    roomType,
    noOfModerators,
    noOfParticipants,
    noOfViewers,
    roomPassword: dice.happens(0.2) ? dice.digits(6) : null,
    isStatic: dice.happens(0.5),
    videoStatus: dice.happens(0.9),
    authenticationRequired: dice.happens(0.2),
    roomPermaLink: dice.happens(0.3),
    ...(dice.happens(0.2) && recording(dice)),
    ...(roomType === "event" && dice.happens(0.5) && streaming(dice)),
    roomAgenda: dice.happens(0.2) ? dice.pick(agendas) : null,
    scheduledDateTime: dice.happens(0.1) ? plannedTime(dice, currentTime) : null,
  };
};
