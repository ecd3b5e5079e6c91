/*
 * The events that webhooks can get. An event is sent as `{ type, timestamp, data }`; those of one subject arrive in the order in which they happened.
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

/** Kinds of the history that are events of webhooks too. */
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

/** What happens by itself or in a meeting, and is in no history. */
export type MeetingEvent =
  | (typeof roomUse)[number]
  | (typeof meetings)[number]
  | (typeof recordingStates)[number]
  | (typeof streams)[number];

/** All events, by what they are about. */
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

/** The events of deliveries; `test` only at the request of an administrator. */
export const deliveryEvents = [...webhookEvents, "test"] as const;
export type DeliveryEvent = (typeof deliveryEvents)[number];
