/*
 * Reasons that are not about one field, or name it themselves: by code, the sentence, made from the
 * code's values.
 */

import { type MailCause, mailTroubles } from "./mail-causes.ts";

const OPERATORS = "Organizations and plans are the operator's.";

/** Why entries of these kinds cannot be taken back. */
const kept = {
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
  passwordLinkSent: "An email that has left cannot be recalled.",
  factorAdded: "Remove the second factor instead.",
  factorRemoved: "The person sets up another one instead.",
  factorReset: "The person sets up another one instead.",
  recoveryCodesMade: "The former codes are not kept.",
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
  providerCreated: "Adding a provider is not undone by removing it. Remove the provider instead.",
  providerEdited: "This is not taken back here. Edit the provider instead.",
  providerRemoved: "The secret and the links of a removed provider are not kept.",
  accountLinked: "This is not taken back here. End the person's links instead.",
  accountUnlinked: "The person signs in by the provider again instead.",
  organizationCreated: OPERATORS,
  organizationExported: "An export cannot be recalled.",
} as const;

const unfinished = {
  imported: "Finish this import, or discard it, first.",
  roomsHandedOver: "These rooms are still being handed over.",
  takenBack: "This is still being taken back.",
} as const;

/** Why the mail server takes no emails. */
interface OfMailServer {
  readonly cause: MailCause;
}

/** An error of a connection, as the system names it. */
interface Detail {
  readonly detail: string;
}

interface Status {
  readonly status: number;
}

export const sentences = {
  // Why a body cannot be read.
  body_not_utf8: () => "The body must be JSON: it is not UTF-8.",
  body_too_deep: ({ max }: { readonly max: number }) =>
    `The body must be JSON: it is nested deeper than ${max}.`,
  body_broken: ({ position }: { readonly position: number }) =>
    `The body must be JSON: it has a fault at position ${position}.`,
  body_cut_off: () => "The body must be JSON: it ends too early.",
  body_over: ({ max }: { readonly max: number }) =>
    `The body is too large. At most ${max / 1024 ** 2} MiB is accepted.`,
  body_over_without_token: ({ max }: { readonly max: number }) =>
    `The body is too large. At most ${max / 1024} KiB is accepted without a token.`,

  // Why something cannot be taken back.
  kind_not_undone: ({ kind }: { readonly kind: keyof typeof kept }) => kept[kind],
  undo_unfinished: ({ kind }: { readonly kind: keyof typeof unfinished }) => unfinished[kind],
  set_by_operator: () => OPERATORS,
  former_erased: () => "What was before is erased.",
  nothing_changed: () => "This edit changed nothing.",
  nothing_to_undo: () =>
    "It changed nothing, or was made by a version that could not take it back.",
  secrets_not_kept: () =>
    "A password, a key or an address that may hold one is not kept, so this edit cannot be taken back.",
  is_now: ({
    what,
    now,
    of,
  }: {
    readonly what: string;
    readonly now: unknown;
    readonly of?: string;
  }) =>
    `${what}${of === undefined ? "" : ` of ${JSON.stringify(of)}`} is ${JSON.stringify(now ?? null)} now.`,

  // Why a line of an import is refused.
  erased: () => "Its person was deleted permanently.",
  same_as_line: ({ line, key }: { readonly line: number; readonly key: string }) =>
    `Line ${line} has the same ${key}.`,
  deleted_since_check: () => "It was deleted since this line was checked.",
  created_since_check: () => "It was created since this line was checked.",
  line_cells: ({ cells, headings }: { readonly cells: number; readonly headings: number }) =>
    `The line has ${cells} cells, the heading ${headings}.`,
  line_cut_off: ({ cells, headings }: { readonly cells: number; readonly headings: number }) =>
    `The file ends in this line after ${cells} of ${headings} cells, so it may be cut off. If it is whole, add a line end.`,
  line_not_object: () => "The entry is not an object.",
  line_several_emails: () => "The cell has several email addresses: keep one of them.",
  line_damaged: () =>
    "The line has a letter that was lost when the file was saved (\ufffd): save it again as .xlsx or as CSV (UTF-8).",
  line_not_storable: () => "The line has text with U+0000 or unpaired surrogates.",

  // Why another server gives no proper answer.
  no_answer: () => "There was no answer.",
  no_answer_as: ({ detail }: Detail) => `There was no answer (${detail}).`,
  certificate_not_accepted: ({ detail }: Detail) =>
    `The certificate of the other side is not accepted (${detail}).`,
  no_encryption: ({ detail }: Detail) => `No encrypted connection came about (${detail}).`,
  name_not_resolved: ({ detail }: Detail) => `The name cannot be resolved (${detail}).`,
  nothing_at_address: ({ detail }: Detail) => `Nothing answers at this address (${detail}).`,
  connection_closed: ({ detail }: Detail) => `The connection was closed (${detail}).`,
  not_http: ({ detail }: Detail) => `What answers does not speak HTTP (${detail}).`,
  address_not_public: () =>
    "The address is not one of the public Internet. An operator can allow it: ALLOWED_NETWORKS.",

  no_answer_within: ({ seconds }: { readonly seconds: number }) =>
    `There was no answer within ${seconds} seconds.`,

  // Why an email or an event of a webhook has not arrived.
  mail_server: ({
    cause,
    detail,
    said,
  }: OfMailServer & { readonly detail?: string; readonly said?: string }) => {
    const { is } = mailTroubles[cause];
    if (said !== undefined) return `${is} It says: ${said}`;
    return detail === undefined ? is : `${is.slice(0, -1)} (${detail}).`;
  },
  mail_server_remedy: ({ cause }: OfMailServer) => mailTroubles[cause].mend,
  email_unreadable: ({ detail }: Detail) => `The email cannot be opened or written (${detail}).`,
  email_address_unwritable: () => "The address cannot be written in SMTP.",
  webhook_answered: ({ status }: Status) => `It was answered ${status}.`,
  webhook_redirected: ({ status }: Status) =>
    `It was answered ${status}; redirects are not followed.`,
  webhook_secret_unreadable: () =>
    "The secret was sealed with another key and cannot be opened: make a new secret.",

  // Problems with a provider.
  provider_of_other_issuer: ({
    address,
    issuer,
  }: {
    readonly address: string;
    readonly issuer: string;
  }) => `The document at ${address} is that of another issuer, ${issuer}: enter that one.`,
  provider_document_lacks: ({ names }: { readonly names: string }) =>
    `The discovery document names no web address for ${names}.`,
  provider_ways_unknown: ({
    ways,
    accepted,
  }: {
    readonly ways: string;
    readonly accepted: readonly string[];
  }) => `The provider takes clients only by ${ways}; Parley knows ${accepted.join(", ")}.`,
  provider_without_keys: ({
    address,
    status,
  }: {
    readonly address: string;
    readonly status: number;
  }) => `The address of the keys, ${address}, answers without any (${status}).`,
  provider_without_client_id: () => "There is no client ID yet.",
  provider_refuses_client: ({ said }: { readonly said: string }) =>
    `The provider refuses the client ID or the secret: ${said}.`,
  provider_secret_unreadable: () =>
    "The client secret was sealed with another key: enter it again.",
  provider_answered: ({ status }: Status) => `The provider answered ${status}.`,
  provider_answered_error: ({ status, said }: { readonly status: number; readonly said: string }) =>
    `The provider answered ${status}: ${said}.`,
  provider_not_json: () => "The provider's answer is not JSON.",
  provider_unusable: ({ said }: { readonly said: string }) =>
    `The provider's answer cannot be used: ${said}.`,

  // Others.
  free_seats: ({ count }: { readonly count?: number }) =>
    count === undefined ? "has free seats" : `has free seats: ${count}`,
  email_of_other: ({ email }: { readonly email: string }) => `Another account has ${email} now.`,
  nobody_excluded: () => "Nobody with this peerId is excluded from the room.",
  no_such_invitation: () => "There is no such invitation into the room.",
};
