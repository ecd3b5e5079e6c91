/*
 * The events that webhooks can get. An event is sent as `{ type, timestamp, data }`; events of one subject
 * arrive in the order in which they happened.
 */

const roomChanges = [
  "roomCreated",
  "roomEdited",
  "roomBinned",
  "roomUnbinned",
  "roomDeleted",
  "roomLinkRenewed",
] as const;
const userChanges = [
  "userCreated",
  "userEdited",
  "userSuspended",
  "userRestored",
  "userRevoked",
  "userReactivated",
  "userBinned",
  "userUnbinned",
  "userDeleted",
  "passwordReset",
] as const;
const recordingChanges = ["recordingEdited", "recordingDeleted"] as const;

/** Kinds of history entries that are also webhook events. */
export const changeEvents = [...roomChanges, ...userChanges, ...recordingChanges] as const;

const roomUse = ["roomOccupied", "roomFree"] as const;
const meetings = [
  "meetingStarted",
  "meetingEnded",
  "newPeer",
  "peerLeft",
  "peerWaiting",
  "peerAdmitted",
  "peerRefused",
  "upgradeAsked",
  "upgradeAccepted",
  "upgradeRefused",
] as const;
const recordingStates = ["recordingStarted", "recordingReady", "recordingFailed"] as const;
const streams = [
  "streamStarted",
  "streamInterrupted",
  "streamResumed",
  "streamFailed",
  "streamEnded",
] as const;

/** Events that are not in the history: what happens by itself or in a meeting. */
export type MeetingEvent =
  | (typeof roomUse)[number]
  | (typeof meetings)[number]
  | (typeof recordingStates)[number]
  | (typeof streams)[number];

/** All events, by subject. */
export const eventGroups = {
  rooms: [...roomChanges, ...roomUse],
  people: userChanges,
  meetings,
  recordings: [...recordingStates, ...recordingChanges],
  streams,
} as const;
export type EventGroup = keyof typeof eventGroups;

export const webhookEvents = [
  ...eventGroups.rooms,
  ...eventGroups.people,
  ...eventGroups.meetings,
  ...eventGroups.recordings,
  ...eventGroups.streams,
] as const;
export type WebhookEvent = (typeof webhookEvents)[number];

/** The events that a delivery can carry; `test` is sent only at an administrator's request. */
export const deliveryEvents = [...webhookEvents, "test"] as const;
export type DeliveryEvent = (typeof deliveryEvents)[number];
