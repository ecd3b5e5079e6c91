import type { SettingName } from "../data/room-values.ts";

export type GroupName = "basics" | "seats" | "media" | "recording" | "live" | "privacy";

/** The group of each setting; a setting without a group is a compile error. */
const groupOf: Record<SettingName, GroupName> = {
  roomType: "basics",
  scheduledDateTime: "basics",
  roomAgenda: "basics",
  isStatic: "basics",
  roomPermaLink: "basics",
  noOfModerators: "seats",
  noOfParticipants: "seats",
  noOfViewers: "seats",
  noOfUpgradeRequests: "seats",
  participantType: "seats",
  enablePresenters: "seats",
  audioStatus: "media",
  videoStatus: "media",
  enableScreenSharing: "media",
  enableChatOption: "media",
  acceptIpCameras: "media",
  enableRecording: "recording",
  enableTranscription: "recording",
  recordModerator: "recording",
  recordParticipant: "recording",
  recordingFormat: "recording",
  recordingStrategy: "recording",
  recordingResolutions: "recording",
  enableLiveStreaming: "live",
  enableRTMPStreaming: "live",
  liveStreamUrl: "live",
  liveStreamKey: "live",
  roomPassword: "privacy",
  authenticationRequired: "privacy",
  participantPrivacy: "privacy",
  participantVideoPrivacy: "privacy",
};

const order: readonly GroupName[] = ["basics", "seats", "media", "recording", "live", "privacy"];

/** The groups with their settings, in the order of the form. */
export const settingGroups = order.map((group) => ({
  group,
  settings: (Object.keys(groupOf) as SettingName[]).filter((name) => groupOf[name] === group),
}));
