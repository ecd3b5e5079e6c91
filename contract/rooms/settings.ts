import { z } from "zod";
import {
  choice,
  dateTime,
  flag,
  flagOrText,
  receiverAddress,
  streamAddress,
  textField,
  whole,
} from "../kit/fields.ts";
import { says } from "../kit/reasons.ts";
import { secret, setting, type Wider } from "../kit/setting.ts";

/** Stored rooms may hold values outside the documented sets. */
const anyWord = textField(64);
/** Answers carry these two as text. */
const spoken: Wider<
  ReturnType<typeof flagOrText>,
  z.ZodEnum<{ readonly true: "true"; readonly false: "false" }>
> = {
  edit: flagOrText(),
  reply: z.enum(["true", "false"]),
};

export const roomTypes = ["p2p", "conferencing", "event"] as const;
export const recordingFormats = ["hls", "mp4"] as const;
export const recordingStrategies = ["mergedA", "mergedAV", "AmergedAV"] as const;
export const recordingResolutions = ["480p", "1080p", "2160p"] as const;

/** The largest capacity for one kind of people. */
const SEATS = 1_000_000;
const seats = () => whole(0, SEATS);
const note = () => textField(200).nullable();
const notes = () =>
  z
    .array(textField(200), { error: says("not_list", { of: "text" }) })
    .max(100, { error: says("too_many", { max: 100, of: "entries" }) });

const words = <const W extends readonly [string, ...string[]]>(list: W) =>
  z
    .array(choice(list), { error: says("not_list_of", { accepted: list }) })
    .max(16, { error: says("too_many", { max: 16, of: "entries" }) });

/**
 * The settings of a room with their defaults (interface.md, Room setting), in the order of the answer. A new
 * setting is a line here: `ROOM_FORM` follows from the names and defaults.
 */
export const roomSettings = {
  roomType: setting(
    choice(roomTypes),
    "conferencing",
    "p2p: one-on-one with direct connections; conferencing: many people, processed centrally; event: large-scale, with broadcasting.",
    { edit: anyWord, reply: z.string() },
  ),
  roomPassword: secret(
    setting(
      textField(128).nullable(),
      null,
      "The password that people enter to join; null or empty for none.",
    ),
  ),
  isStatic: setting(
    flag(),
    false,
    "Whether the next meeting has the chat of this one. The room and its settings stay in any case.",
  ),
  noOfModerators: setting(seats(), 1, "The most moderators at a time."),
  noOfParticipants: setting(seats(), 1, "The most participants at a time."),
  noOfViewers: setting(seats(), 0, "The most viewers at a time."),
  noOfUpgradeRequests: setting(seats(), 3, "How many requests to be upgraded may be made."),
  audioStatus: setting(flag(), true, "Whether audio is enabled.", spoken),
  videoStatus: setting(flag(), true, "Whether video is enabled.", spoken),
  enableScreenSharing: setting(flag(), true, "Whether people may share their screen."),
  enableChatOption: setting(flag(), true, "Whether people may write to each other."),
  enableRecording: setting(flag(), false, "Whether meetings may be recorded."),
  recordingFormat: setting(
    choice(recordingFormats),
    "hls",
    "hls: adaptive streaming; mp4: direct download.",
    { edit: anyWord, reply: z.string() },
  ),
  recordModerator: setting(
    flag(),
    false,
    "Whether the moderators' audio and video are recorded, and with `enableRecording` whether their words stay in transcripts.",
  ),
  recordParticipant: setting(
    flag(),
    false,
    "Whether the participants' audio and video are recorded, and with `enableRecording` whether their words stay in transcripts.",
  ),
  recordingResolutions: setting(
    words(recordingResolutions).nullable(),
    null,
    "The picture sizes that are recorded.",
    {
      edit: z
        .array(anyWord, { error: says("not_list_of", { accepted: recordingResolutions }) })
        .max(16, { error: says("too_many", { max: 16, of: "entries" }) })
        .nullable(),
      reply: z.array(z.string()).nullable(),
    },
  ),
  recordingStrategy: setting(
    choice(recordingStrategies).nullable(),
    null,
    "mergedA: audio only, merged; mergedAV: audio and video, merged; AmergedAV: merged audio and video, started automatically.",
    { edit: anyWord.nullable(), reply: z.string().nullable() },
  ),
  enableTranscription: setting(flag(), false, "Whether what is said is transcribed."),
  enableLiveStreaming: setting(flag(), false, "Whether meetings may be streamed live."),
  liveStreamUrl: secret(
    setting(
      receiverAddress().nullable(),
      null,
      "Where the live stream is sent: rtmp:// or rtmps:// with a path. Treat it as a secret: a receiver's key may be a part of it.",
      // An edit also accepts a stored address from before this was checked.
      { edit: streamAddress().nullable(), reply: z.string().nullable() },
    ),
  ),
  liveStreamKey: secret(
    setting(
      textField(512).nullable(),
      null,
      "The key that the live stream's receiver asks for. Treat it as a secret.",
    ),
  ),
  enableRTMPStreaming: setting(flag(), false, "Whether the live stream is sent by RTMP."),
  authenticationRequired: setting(
    flag(),
    false,
    "Whether guests wait until a moderator lets them in; people of the organization and invited people do not wait.",
  ),
  participantPrivacy: setting(flag(), false, "Whether participants are hidden from each other."),
  roomPermaLink: setting(
    flag(),
    false,
    "Whether the room has a permanent link that persists across meetings.",
  ),
  enablePresenters: setting(
    flag(),
    true,
    "Whether several presenters are allowed: people who share a screen at a time, and in an event viewers who take part.",
  ),
  participantType: setting(
    note(),
    null,
    "The usual role: participant or presenter, viewer or attendee. Any other text leaves it to the type of the room.",
  ),
  participantVideoPrivacy: setting(
    flag(),
    false,
    "Whether participants' video is hidden from each other.",
  ),
  acceptIpCameras: setting(flag(), false, "Whether IP cameras may join."),
  roomAgenda: setting(
    textField(4000, { shown: "lines" }).nullable(),
    null,
    "What the meetings are about.",
    // An edit also accepts a stored agenda from before this was checked.
    { edit: textField(4000).nullable(), reply: z.string().nullable() },
  ),
  scheduledDateTime: setting(dateTime().nullable(), null, "When the next meeting is planned."),
};

/**
 * Suitable for a group, in rooms that people make in the console; a room that a program creates has
 * one moderator and one participant by default, and a link that ends.
 */
export const suggestedSettings = { noOfModerators: 2, noOfParticipants: 10, roomPermaLink: true };

/** The settings that only the answer to an edit carries. */
export const editOnlySettings = {
  ipCam1: setting(note(), null, "The first IP camera."),
  ipCamAdderess1: secret(
    setting(
      note(),
      null,
      "The address of the first IP camera (spelled as the interface spells it). Treat it as a secret: a password may be a part of it.",
    ),
  ),
  ipCamName2: setting(note(), null, "The name of the second IP camera."),
  ipAdderess2: secret(
    setting(
      note(),
      null,
      "The address of the second IP camera (spelled as the interface spells it). Treat it as a secret.",
    ),
  ),
  camera: setting(note(), null, "The camera of the room's device."),
  mic: setting(note(), null, "The microphone of the room's device."),
  speaker: setting(note(), null, "The speaker of the room's device."),
  cameraMic: setting(note(), null, "The microphone of the camera of the room's device."),
  isParticipantAllowedToAddIpCam: setting(
    flag(),
    false,
    "Whether participants may add IP cameras.",
  ),
  isViewerAllowedToAddIpCam: setting(flag(), false, "Whether viewers may add IP cameras."),
  noOfIpCam: setting(whole(0, 1000), 0, "How many IP cameras may join."),
  ipCamNames: setting(notes(), [], "The names of the IP cameras."),
  ipCamUrl: secret(setting(notes(), [], "The addresses of the IP cameras. Treat them as secrets.")),
};

export const allSettings = { ...roomSettings, ...editOnlySettings };
type AllSettings = typeof allSettings;

/** Everything that can be set on a room, as the rules handle it. */
export type RoomSettings = {
  [K in keyof AllSettings]:
    | (z.output<AllSettings[K]["edit"]> & {})
    | Extract<z.output<AllSettings[K]["edit"]>, null>;
};

/** The settings that are declared `secret`. */
export const secretSettings = Object.entries(allSettings)
  .filter(([, one]) => "secret" in one)
  .map(([name]) => name) as readonly (keyof RoomSettings)[];

/** The defaults of all settings. */
export const initialSettings = Object.fromEntries(
  Object.entries(allSettings).map(([name, { initial }]) => [name, initial]),
) as RoomSettings;
