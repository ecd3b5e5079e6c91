import type { HistoryKind, UndoableKind, WholeKind } from "../../contract/history.ts";

export const PLANS = "Organizations and plans are the operator's.";

/** Why entries of the other kinds are not taken back. */
export const reasons: Readonly<Record<Exclude<HistoryKind, UndoableKind | WholeKind>, string>> = {
  roomCreated: "Creating a room is not undone by deleting it. Delete the room instead.",
  roomDeleted: "The room was deleted for good.",
  roomLinkRenewed: "The former link is not kept. Renew it again instead.",
  handOverStopped: "Nothing was changed. Hand the rooms over to somebody else instead.",
  userCreated: "Creating a person is not undone by deleting them. Revoke the person instead.",
  userDeleted: "The person was deleted for good.",
  passwordReset: "The former password is not kept.",
  passwordChanged: "The former password is not kept.",
  userExported: "What was exported has left.",
  signedIn: "A sign-in changed nothing that could be taken back.",
  signInRefused: "A sign-in changed nothing that could be taken back.",
  signedOut: "A session that has ended stays ended.",
  recordingStarted: "What was recorded is not undone. Delete the recording instead.",
  recordingStopped: "A recording that was stopped is not resumed. Start another one instead.",
  recordingDeleted: "The recording was deleted for good.",
  recordingShared: "Sharing is not undone here. End the link instead.",
  recordingUnshared: "The former link is not kept. Share the recording again instead.",
  transcriptDeleted: "The transcript was deleted for good.",
  accessKeyCreated: "Creating an access key is not undone by removing it. Remove the key instead.",
  accessKeyRemoved: "The secret of a removed access key is not kept.",
  webhookCreated: "Creating a webhook is not undone by removing it. Remove the webhook instead.",
  webhookSecretRotated: "The secret of before the rotation ends. Rotate it again instead.",
  webhookSwitchedOff: "A webhook that was switched off is not undone here. Switch it on instead.",
  webhookRemoved: "The secret of a removed webhook is not kept.",
  organizationCreated: PLANS,
  organizationExported: "What was exported has left.",
};
