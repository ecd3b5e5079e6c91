import {
  ALL_LINES,
  BODY_BYTES,
  DIRECT_SEATS,
  PASSKEYS,
  PROVIDERS,
  pageSizes,
  WEBHOOKS,
} from "./plain.ts";

/** A failure: its status and its text. */
export interface Failure {
  readonly status:
    | 400
    | 401
    | 403
    | 404
    | 405
    | 409
    | 410
    | 412
    | 413
    | 415
    | 422
    | 423
    | 426
    | 429
    | 500
    | 503;
  readonly text: string;
  /** The phrase with the accepted values, for the field's entry in `errors`; default: the text itself. */
  readonly phrase?: string;
}

/**
 * The interface's own failure texts, letter for letter (interface.md, Errors), by their stable code. If
 * several fields are wrong, these texts take precedence over Parley's own.
 */
export const interfaceTexts = {
  room_limit: { status: 403, text: "Room creation limit reached, please upgrade your plan" },
  invalid_pagination: {
    status: 400,
    text: "Invalid pagination parameters",
    phrase: "must be a whole number from 1",
  },
  database_connection: { status: 503, text: "Database connection error" },
  // "upgarde" is the interface's spelling, and clients compare the text: do not correct it.
  user_limit: { status: 403, text: "Agent creation limit reached, please upgarde your plan" },
  email_taken: { status: 409, text: "Email already exists. Try again with a different email." },
  email_and_name_required: {
    status: 400,
    text: "Email and name are required to create a new user.",
  },
  login_url_required: { status: 400, text: "loginUrl is required to create a new user." },
  user_id_required_to_edit: { status: 400, text: "userId is required to edit a user." },
  invalid_sort_field: { status: 400, text: "Invalid sort field. Allowed fields: name, createdAt" },
  invalid_sort_order: { status: 400, text: "Invalid sort order. Must be ASC or DESC" },
  database_error: { status: 503, text: "Database error occurred" },
  user_id_required_to_suspend: {
    status: 400,
    text: "userId is required to suspend/restore a user account.",
  },
  invalid_action: { status: 400, text: "Invalid action. Must be either 'suspend' or 'restore'." },
  user_details_not_array: {
    status: 400,
    text: "Invalid format. Payload must be an array of user details.",
  },
  user_details_empty: { status: 400, text: "User details array cannot be empty." },
  user_ids_not_array: {
    status: 400,
    text: "Invalid request format. Expected an array of user IDs.",
  },
} as const satisfies Record<string, Failure>;

/** Parley's own texts, where the interface is silent. */
const ourTexts = {
  invalid_input: { status: 400, text: "The request is not accepted." },
  invalid_json: { status: 400, text: "The body must be JSON." },
  invalid_request: { status: 400, text: "The request could not be read." },
  invalid_room_sort_field: {
    status: 400,
    text: "Invalid sort field. Allowed fields: name, createdAt, updatedAt",
  },
  invalid_page: { status: 400, text: "Invalid page. Must be a whole number from 1." },
  invalid_limit: { status: 400, text: `Invalid limit. Allowed values: ${pageSizes.join(", ")}` },
  user_id_or_email: { status: 400, text: "Provide exactly one of userId or email." },
  user_ids_empty: { status: 400, text: "User IDs array cannot be empty." },
  room_or_recording: { status: 400, text: "Provide exactly one of roomId or recordingId." },
  role_required: { status: 400, text: "role is required." },

  unauthorized: { status: 401, text: "A valid Bearer token is required." },
  wrong_access_key: { status: 401, text: "Invalid access key or secret access key" },
  access_key_ended: {
    status: 401,
    text: "This access key has expired. Ask an administrator to extend it.",
  },
  wrong_login: { status: 401, text: "The email, username or password is incorrect." },
  provider_required: {
    status: 403,
    text: "The people of this organization sign in by its provider, not by a password.",
  },
  wrong_password: { status: 403, text: "The current password is incorrect." },
  second_factor_needed: {
    status: 403,
    text: "This account has a second factor. Enter its code.",
  },
  password_to_choose: {
    status: 403,
    text: "Choose a new password before you sign in.",
  },
  wrong_code: { status: 403, text: "This code is incorrect, or was used already." },
  wrong_passkey: {
    status: 403,
    text: "This passkey was not accepted. Try again, or sign in another way.",
  },
  factor_to_set_up: {
    status: 403,
    text: "Your organization demands a second factor. Set one up first.",
  },
  factor_demanded: {
    status: 403,
    text: "Your organization demands a second factor. It cannot be removed.",
  },
  proof_needed: { status: 403, text: "Confirm that it is you, and try again." },
  account_suspended: {
    status: 403,
    text: "This account is suspended. Ask an administrator to restore it.",
  },
  account_revoked: {
    status: 403,
    text: "This account was revoked. Ask an administrator to reactivate it.",
  },
  media_ended: { status: 401, text: "Open the recording again." },
  session_ended: { status: 401, text: "The session has ended. Sign in again." },
  wrong_room_password: { status: 403, text: "The room password is incorrect." },
  banned: { status: 403, text: "You are excluded from this room." },
  role_not_allowed: { status: 403, text: "You cannot enter this room in this role." },
  must_be_admitted: {
    status: 403,
    text: "A moderator has to let you into this room: enter it instead of watching its stream.",
  },
  download_not_allowed: { status: 403, text: "This link does not allow downloads." },
  moderators_only: { status: 403, text: "Only a moderator may do this." },
  not_in_this_room: { status: 403, text: "The settings of this room do not allow this." },
  ticket_ended: { status: 403, text: "Your seat in the meeting has ended. Enter again." },
  not_allowed: { status: 403, text: "Only an administrator may do this." },
  rooms_scope_needed: {
    status: 403,
    text: 'This access key may not do this. It needs the scope "rooms" or "everything".',
  },
  people_scope_needed: {
    status: 403,
    text: 'This access key may not do this. It needs the scope "people" or "everything".',
  },
  everything_scope_needed: {
    status: 403,
    text: 'This access key may not do this. It needs the scope "everything".',
  },
  foreign_origin: { status: 403, text: "A page of this origin may not connect here." },
  account_required: { status: 403, text: "Only a signed-in person may do this." },

  not_found: { status: 404, text: "There is nothing at this address." },
  not_scheduled: { status: 404, text: "This room has no date." },
  room_not_found: { status: 404, text: "Room not found." },
  user_not_found: { status: 404, text: "User not found." },
  passkey_not_found: { status: 404, text: "Passkey not found." },
  access_key_not_found: { status: 404, text: "Access key not found." },
  not_in_bin: { status: 404, text: "This is not in the recycle bin." },
  entry_not_found: { status: 404, text: "Entry not found." },
  import_not_found: { status: 404, text: "Import not found." },
  letter_not_found: { status: 404, text: "Email not found." },
  recording_link_not_found: { status: 404, text: "Link not found." },
  recording_files_missing: {
    status: 404,
    text: "The files of this recording are not where they were kept.",
  },
  recording_size_missing: { status: 404, text: "The recording is not available in this size." },
  meeting_not_found: { status: 404, text: "Meeting not found." },
  no_live_stream: { status: 404, text: "There is no live stream to watch in this room." },
  recording_not_found: { status: 404, text: "Recording not found." },
  provider_not_found: { status: 404, text: "Provider not found." },
  webhook_not_found: { status: 404, text: "Webhook not found." },
  delivery_not_found: { status: 404, text: "Delivery not found." },
  peer_not_found: { status: 404, text: "This person is no longer in the meeting." },
  method_not_allowed: { status: 405, text: "This address does not take this method." },

  room_taken: { status: 409, text: "Room ID already exists. Try again with a different room ID." },
  organization_name_taken: {
    status: 409,
    text: "Another organization of this service already has this name.",
  },
  user_is_revoked: { status: 409, text: "The account is revoked. Reactivate it first." },
  user_not_revoked: { status: 409, text: "The account is not revoked." },
  own_account: {
    status: 409,
    text: "You cannot suspend, revoke, delete or demote the account that you are using.",
  },
  last_administrator: {
    status: 409,
    text: "The last active administrator cannot be suspended, revoked, deleted or demoted.",
  },
  import_not_ready: {
    status: 409,
    text: "This import cannot be confirmed now: its lines are still being checked, or it was confirmed.",
  },
  import_refuses: {
    status: 409,
    text: "Some lines would be refused, so not all of them can be carried out.",
  },
  import_too_long: {
    status: 409,
    text: `At most ${ALL_LINES} lines are carried out all together or not at all.`,
  },
  letter_not_refused: { status: 409, text: "Only a refused email can be tried again." },
  letter_outdated: {
    status: 409,
    text: "The email's content is gone or out of date. Reset the password to send a new one.",
  },

  hand_over_running: {
    status: 409,
    text: "The rooms of this person are being handed over already.",
  },
  bin_off: {
    status: 409,
    text: "The recycle bin is off. Set binDays in the organization's settings to turn it on.",
  },
  bin_email_taken: {
    status: 409,
    text: "Another account has this person's email address now. Change that account's address first.",
  },

  changed_since: {
    status: 409,
    text: "The data of this change has changed again since, so the change cannot be taken back.",
  },
  undo_impossible: { status: 409, text: "This cannot be taken back." },
  undo_not_begun: {
    status: 409,
    text: "No undo of this entry has been started. Call undoChange first.",
  },
  webhook_limit: { status: 409, text: `An organization has at most ${WEBHOOKS} webhooks.` },
  provider_limit: { status: 409, text: `An organization has at most ${PROVIDERS} providers.` },
  provider_untried: {
    status: 409,
    text: "Sign in by a provider as an administrator first: that shows that there is a way in without a password.",
  },
  provider_needed: {
    status: 409,
    text: "The people of this organization sign in by a provider only, so one must stay on. Allow passwords first.",
  },
  webhook_off: { status: 409, text: "The webhook is off. Switch it on first." },
  delivery_waits: { status: 409, text: "This delivery is being sent or due within a minute." },

  no_second_device: {
    status: 409,
    text: "Both seats of this room are for people, so there is none for a second device.",
  },
  already_inside: { status: 409, text: "You are in this meeting already, in another window." },
  seats_full: { status: 409, text: "All seats of this role are taken." },
  upgrade_limit: { status: 409, text: "No more upgrades are possible at the moment." },
  presenter_taken: { status: 409, text: "Somebody else is presenting." },
  live_stream_active: { status: 409, text: "This meeting is being streamed already." },
  live_stream_off: { status: 409, text: "The settings of this room do not allow live streams." },
  rtmp_off: { status: 409, text: "The settings of this room do not allow a stream by RTMP." },
  transcription_active: { status: 409, text: "This meeting is being transcribed already." },
  transcription_off: { status: 409, text: "The settings of this room do not allow transcription." },
  speech_missing: {
    status: 409,
    text: "No speech engine is configured. An operator can set one: SPEECH_URL or SPEECH_COMMAND",
  },
  recording_running: { status: 409, text: "The recording is still being made. Stop it first." },
  recording_not_ready: { status: 409, text: "There is nothing to play yet." },
  recording_active: { status: 409, text: "This meeting is being recorded already." },
  recording_off: { status: 409, text: "The settings of this room do not allow recording." },
  nothing_to_record: {
    status: 409,
    text: "The settings of this room record nobody: neither moderators nor participants.",
  },
  no_recording: { status: 409, text: "Nothing is being recorded in this room." },
  no_meeting: { status: 409, text: "Nobody is in this room." },
  lobby_full: { status: 409, text: "Too many people are waiting to be let in. Try again later." },
  media_engine_needed: {
    status: 409,
    text: `Without a media engine at most ${DIRECT_SEATS} people meet. An operator can install one: parley media install`,
  },
  no_passkey: { status: 409, text: "This account has no passkey." },
  passkey_exists: { status: 409, text: "This passkey was added already." },
  passkey_limit: { status: 409, text: `An account has at most ${PASSKEYS} passkeys.` },
  passkeys_unavailable: {
    status: 409,
    text: "Passkeys need an address with a name. An operator can set one: PUBLIC_URL",
  },
  factor_exists: { status: 409, text: "This account has an authenticator app already." },
  no_factor: { status: 409, text: "This account has no authenticator app." },
  link_ended: { status: 410, text: "This link has ended. Ask for a new one." },

  idempotency_running: {
    status: 409,
    text: "A request with this Idempotency-Key is still running. Try again in a moment.",
  },
  precondition_failed: {
    status: 412,
    text: "It was changed after you loaded it. Load it again, and repeat the edit.",
  },
  body_too_large: {
    status: 413,
    text: `The body is too large. At most ${BODY_BYTES / 1024 ** 2} MiB is accepted.`,
  },
  unsupported_media_type: {
    status: 415,
    text: "The body must be sent as application/json, in UTF-8, without a content encoding.",
  },
  idempotency_reused: {
    status: 422,
    text: "This Idempotency-Key was sent with another request. Use a new one for each request.",
  },
  room_locked: { status: 423, text: "A moderator has locked this meeting." },
  upgrade_needed: { status: 426, text: "This address takes WebSockets only." },
  too_many_requests: { status: 429, text: "Too many tries. Wait a moment and try again." },
  internal: { status: 500, text: "Something went wrong on our side. It was logged." },
  unavailable: { status: 503, text: "The database is not available. Try again in a moment." },
  media_unavailable: {
    status: 503,
    text: "The media engine is not available. Try again in a moment.",
  },
  recordings_unavailable: {
    status: 503,
    text: "The store of the recordings is not available. Try again in a moment.",
  },
  disk_full: {
    status: 503,
    text: "The server's disk does not have enough free space. An operator can free some.",
  },
  recorder_missing: {
    status: 503,
    text: "There is no recorder: Chromium or ffmpeg is missing, or recording is switched off (RECORDERS). An operator can see which: parley doctor",
  },
  overloaded: { status: 503, text: "The service is busy. Try again in a moment." },
} as const satisfies Record<string, Failure>;

/** Every failure text by its code. */
export const texts = { ...interfaceTexts, ...ourTexts };

/** The stable, machine-readable name of a failure: `code` in every failure body. */
export type Code = keyof typeof texts;

/** The phrase of a code, which follows the name of a wrong field. */
export const failurePhrase = (code: Code): string | undefined => (texts[code] as Failure).phrase;

/** Returns whether the text of a code is one of the interface's own. */
export const isInterfaceCode = (code: string): code is keyof typeof interfaceTexts =>
  code in interfaceTexts;

/** Returns whether a code is that of a failure. */
export const isCode = (code: string): code is Code => code in texts;
