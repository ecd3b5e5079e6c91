/*
 * What may happen that a webhook can be told of. An event is sent as
 * `{ type, timestamp, data }`; those of one subject arrive in the order in which they happened.
 */

/** Of rooms and people: the words of the history. */
export const changeEvents = [
  "roomCreated",
  "roomEdited",
  "roomDeleted",
  "roomLinkRenewed",
  "userCreated",
  "userEdited",
  "userSuspended",
  "userRestored",
  "userRevoked",
  "userReactivated",
  "userDeleted",
  "passwordReset",
] as const;

/** Of meetings. */
export const meetingEvents = [
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
  "roomOccupied",
  "roomFree",
] as const;
export type MeetingEvent = (typeof meetingEvents)[number];

export const webhookEvents = [...changeEvents, ...meetingEvents] as const;
export type WebhookEvent = (typeof webhookEvents)[number];

/** What a delivery may tell of; `test` only where an administrator asks for one. */
export const deliveryEvents = [...webhookEvents, "test"] as const;
export type DeliveryEvent = (typeof deliveryEvents)[number];
