import type { HistoryKind, UndoableKind, WholeKind } from "../../contract/history.ts";

export const PLANS = "Organizations and plans are the operator's.";

/** Why entries of the other kinds cannot be taken back. */
export const reasons: Readonly<Record<Exclude<HistoryKind, UndoableKind | WholeKind>, string>> = {
  roomCreated: "Creating a room is not undone by deleting it. Delete the room instead.",
  roomDeleted: "The room was deleted permanently.",
  roomLinkRenewed: "The former link is not kept. Renew it again instead.",
  roomScheduled: "The emails about it are sent. Schedule the room again instead.",
  handOverStopped: "Nothing was changed. Hand the rooms over to somebody else instead.",
  personBanned: "Lift the exclusion in the room's list of who is excluded instead.",
  banLifted: "Exclude the person again in a meeting instead.",
  userCreated: "Creating a person is not undone by deleting them. Revoke the person instead.",
  userDeleted: "The person was deleted permanently.",
  passwordReset: "The former password is not kept.",
  passwordChanged: "The former password is not kept.",
  userExported: "An export cannot be recalled.",
  signedIn: "A sign-in changed nothing that could be taken back.",
  signInRefused: "A sign-in changed nothing that could be taken back.",
  signedOut: "A session that has ended stays ended.",
  recordingStarted: "Recording is not taken back here. Delete the recording instead.",
  recordingStopped: "A recording that was stopped is not resumed. Start another one instead.",
  recordingDeleted: "The recording was deleted permanently.",
  recordingShared: "A link is not taken back here. Revoke it instead.",
  recordingUnshared: "The former link is not kept. Share the recording again instead.",
  transcriptDeleted: "The transcript was deleted permanently.",
  accessKeyCreated: "Creating an access key is not undone by removing it. Remove the key instead.",
  accessKeyRemoved: "The secret of a removed access key is not kept.",
  webhookCreated: "Creating a webhook is not undone by removing it. Remove the webhook instead.",
  webhookSecretRotated: "The former secret is not kept. Rotate it again instead.",
  webhookSwitchedOff: "This is not taken back here. Switch the webhook on instead.",
  webhookRemoved: "The secret of a removed webhook is not kept.",
  organizationCreated: PLANS,
  organizationExported: "An export cannot be recalled.",
};
