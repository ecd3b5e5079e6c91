/*
 * The rooms of interface.md, written down independently: the tests compare the contract and the
 * service with it, so nothing here is taken from the contract.
 */

/** The settings of a record without any given on create, as they are answered. */
export const defaults = {
  roomType: "conferencing",
  roomPassword: null,
  isStatic: false,
  noOfModerators: 1,
  noOfParticipants: 1,
  noOfViewers: 0,
  noOfUpgradeRequests: 3,
  audioStatus: "true",
  videoStatus: "true",
  enableScreenSharing: true,
  enableChatOption: true,
  enableRecording: false,
  recordingFormat: "hls",
  recordModerator: false,
  recordParticipant: false,
  recordingResolutions: null,
  recordingStrategy: null,
  enableTranscription: false,
  enableLiveStreaming: false,
  liveStreamUrl: null,
  liveStreamKey: null,
  enableRTMPStreaming: false,
  authenticationRequired: false,
  participantPrivacy: false,
  roomPermalink: false,
  enablePresenters: true,
  participantType: null,
  participantVideoPrivacy: false,
  acceptIpCameras: false,
  roomAgenda: null,
  scheduledDateTime: null,
};

/** The keys that only the answer to an edit carries, until they are set. */
export const extras = {
  ipCam1: null,
  ipCamAdderess1: null,
  ipCamName2: null,
  ipAdderess2: null,
  camera: null,
  mic: null,
  speaker: null,
  cameraMic: null,
  isParticipantAllowedToAddIpCam: false,
  isViewerAllowedToAddIpCam: false,
  noOfIpCam: 0,
  ipCamNames: [],
  ipCamUrl: [],
};

/** Every setting as it may be sent, each different from its default. */
export const others = {
  roomType: "event",
  roomPassword: "open sesame",
  isStatic: true,
  noOfModerators: 2,
  noOfParticipants: 30,
  noOfViewers: 400,
  noOfUpgradeRequests: 5,
  audioStatus: false,
  videoStatus: false,
  enableScreenSharing: false,
  enableChatOption: false,
  enableRecording: true,
  recordingFormat: "mp4",
  recordModerator: true,
  recordParticipant: true,
  recordingResolutions: ["2160p", "480p"],
  recordingStrategy: "AmergedAV",
  enableTranscription: true,
  enableLiveStreaming: true,
  liveStreamUrl: "rtmps://live.example.org/app",
  liveStreamKey: "<LIVE_STREAM_KEY>",
  enableRTMPStreaming: true,
  authenticationRequired: true,
  participantPrivacy: true,
  roomPermaLink: true,
  enablePresenters: false,
  participantType: "guest",
  participantVideoPrivacy: true,
  acceptIpCameras: true,
  roomAgenda: "1. Welcome\n2. Budget",
  scheduledDateTime: "2026-01-31T09:30:00+05:45",
  ipCam1: "Door",
  ipCamAdderess1: "10.0.0.1",
  ipCamName2: "Hall",
  ipAdderess2: "10.0.0.2",
  camera: "c",
  mic: "m",
  speaker: "s",
  cameraMic: "cm",
  isParticipantAllowedToAddIpCam: true,
  isViewerAllowedToAddIpCam: true,
  noOfIpCam: 2,
  ipCamNames: ["Door", "Hall"],
  ipCamUrl: ["rtsp://10.0.0.1/", "rtsp://10.0.0.2/"],
};
export type Setting = keyof typeof others;

/** How, and under which name, an answer carries what was sent. */
export const answered = (sent: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    Object.entries(sent).map(([field, value]) => {
      if (field === "audioStatus" || field === "videoStatus") return [field, String(value)];
      return [field === "roomPermaLink" ? "roomPermalink" : field, value];
    }),
  );

/** The record without the keys that only the answer to an edit carries. */
export const withoutExtras = (record: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    Object.entries(record).filter(
      ([key]) => !(key in extras) && !["_id", "userId", "siteSetting"].includes(key),
    ),
  );

/** The `type` of the room operations. */
export const types = {
  create: "post roomSetting",
  edit: "put roomSetting by Id",
  fetch: "get roomSetting by Id",
  list: "get all roomSetting with pagination",
  remove: "deleteRoomSettingById",
};

type Errors = readonly { readonly field: string; readonly message: string }[];

/** A failure of create, which has no `type`. */
export const failure = (code: string, message: string, errors?: Errors) => ({
  success: false,
  message,
  code,
  ...(errors ? { errors } : {}),
});

/** A failure of edit, fetch or delete. */
export const typedFailure = (type: string, ...said: Parameters<typeof failure>) => ({
  type,
  ...failure(...said),
});

/** A failure of the list. */
export const listFailure = (code: string, error: string, errors?: Errors) => ({
  type: types.list,
  success: false,
  error,
  code,
  ...(errors ? { errors } : {}),
});

/** Bad input about one field. */
export const about = (field: string, phrase: string): [string, string, Errors] => {
  const message = `${field} ${phrase}`;
  return ["invalid_input", message, [{ field, message }]];
};

export const notFound = ["room_not_found", "Room not found."] as const;

export const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
