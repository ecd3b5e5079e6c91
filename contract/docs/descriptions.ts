import type { Operations } from "../index.ts";
import type { Access, Operation } from "../kit/operation.ts";
import { binDescriptions } from "./bin-docs.ts";
import { importDescriptions } from "./import-docs.ts";
import { points } from "./kit.ts";
import { liveDescriptions } from "./live-docs.ts";
import { meetingDescriptions } from "./meeting-docs.ts";
import { passkeyDescriptions } from "./passkey-docs.ts";
import { providerDescriptions } from "./provider-docs.ts";
import { recordingDescriptions } from "./recording-docs.ts";
import { libraryDescriptions } from "./recording-library-docs.ts";
import { scheduleDescriptions } from "./schedule-docs.ts";
import { transcriptDescriptions } from "./transcript-docs.ts";
import { usageDescriptions } from "./usage-docs.ts";
import { webhookDescriptions } from "./webhook-docs.ts";

/** The purpose of each group of operations. */
export const groups: Readonly<Record<Operation["group"], string>> = {
  Rooms: "Create, edit, list and delete rooms with their settings.",
  Users: "Create, edit, list, suspend, revoke and delete people.",
  Access: "Get tokens, sign in and out, and keep one's own account.",
  Organization: "The organization: its settings, look, limits, access keys and emails.",
  Meetings: "Invite, enter, watch over and moderate meetings; who was in them; dates of rooms.",
  Recordings: "Record meetings; play, download, rename, share and delete recordings.",
  Live: "Stream meetings live, by RTMP or to viewers without seats.",
  Transcripts: "Transcribe meetings; read, search and delete what was said.",
  History: "Who changed what and when; take changes back.",
  Imports: "Bring people and rooms in from files.",
  "Recycle bin": "Delete rooms and people so that they can come back.",
  Webhooks: "Tell other services what happens, and see what was sent.",
  Usage: "How much the organization, its rooms and its people are used.",
};

/*
 * The description of each operation, for the OpenAPI document and /docs. Neither the client nor the console
 * imports this file.
 */

/** The callers of an operation. */
export const callers: Readonly<Record<Access, string>> = {
  anyone: "anyone",
  "anyone or token": "anyone, and with a token as its holder",
  token: "any valid token",
  person: "a signed-in person",
  administrator: "administrators and access keys",
};

/** The description of each operation, with the requests that it refuses, apart from its codes. */
export const descriptions: Readonly<Record<keyof Operations, string>> = {
  createRoom: points(
    "Creates a room. Omitted settings get their defaults, and a room without an ID gets ten random digits.",
    "It counts toward the organization's limit of rooms.",
    "A taken ID is refused, and so are owners who are revoked or not in the organization.",
    "If the organization lets owners create rooms (`ownersMay`), a person without `admin` may call it and name only their own ID as the owner.",
    "The header `Parley-Note` says where `enableRecording` would record nobody.",
  ),
  openPersonalRoom:
    "Returns the caller's personal room. The first use makes it, with the caller's name, a permanent link and seats for a group; so does the next one after it was deleted or handed over. Otherwise it is an ordinary room, and counts toward the limit of rooms. For administrators, and for people where the organization lets owners create rooms (`ownersMay`).",
  editRoom: points(
    "Changes the supplied settings; all others stay. A fetched record can be sent back as it is.",
    "Existing owners are always accepted; new ones must be in the organization and not revoked.",
    "A setting outside the documented values is refused unless the room already has it. All faults are answered together.",
    "With `If-Match`, the edit is refused if the room has changed since it was loaded.",
    "During a meeting a new `roomType` takes effect with the next one. The header `Parley-Note` says so, and where `enableRecording` would record nobody.",
    "If the organization lets owners edit their rooms (`ownersMay`), an owner may call it without `admin`; the owners stay as they are.",
  ),
  fetchRoom:
    "Returns one room. A person who is not an administrator gets only rooms that the person owns; every other room is answered as unknown.",
  listRooms:
    "Returns one page of the organization's rooms, sorted and searched by name. `find` searches more widely than `search`, and `roomType` and `roomStatus` filter. A page after the last one is empty. A person who is not an administrator gets only rooms that the person owns; with `userFilter`, only those that both own.",
  deleteRoom:
    "Deletes a room with its settings, recordings and meeting history. This cannot be undone. A room in use disappears from every answer at once and is removed when its meeting ends (202). Its ID stays taken until then.",

  createUser:
    "Creates a person, generates the username and the password, and sends both by email with `loginUrl`. The password is returned only once and cannot be read again. Counts toward the organization's limit of people. Refuses an email that any account of the service has, revoked accounts included.",
  editUser:
    "Changes the fields that are supplied; all others stay. Revoked people can be edited too. With `If-Match`, the edit is refused when the person has changed since it was loaded. Refuses an email that another account has. A person cannot take `admin` from their own account, nor from the last active administrator; an access key can.",
  fetchUsers:
    "Returns everybody who is not revoked, suspended people and the caller included, sorted by name. Page, limit, order and search are ignored.",
  listUsers:
    "Returns one page of the people who are not revoked, each with the rooms that the person owns. Search covers name, email and username. A page after the last one is empty.",
  fetchRevokedUsers:
    "Returns all revoked people, sorted by name, with fewer fields than the other lists. Page, limit, order and search are ignored.",
  listRevokedUsers:
    "Returns one page of the revoked people, each with the rooms that the person still owns. Search covers name, email and username.",
  suspendRestoreUser:
    "Suspends a person, whose sessions then end for good, or restores a suspended person, who can then sign in again. Repeating it changes nothing. Refuses revoked people. A person cannot suspend their own account, nor the last active administrator; an access key can.",
  revokeUsers:
    "Revokes up to 1000 people: all of them, or none. Their sessions end and they stop counting toward the limit. Their data and rooms stay, and they can be reactivated. Repeating it changes nothing. A person cannot revoke their own account, nor the last active administrator; an access key can.",
  resetPassword:
    "Replaces a person's password with a generated one and sends it by email. All sessions of the person end. The password is returned only once and cannot be read again. Refuses revoked people.",
  reactivateUser:
    "Makes a revoked person active again, with the former password and no suspension. Send either `userId` or `email`. Counts toward the organization's limit of people. Refuses people who are not revoked.",
  deleteUsers:
    "Deletes up to 1000 revoked people permanently: all of them, or none. This cannot be undone. Their emails and usernames become free, and their rooms lose them as owners but stay. What they wrote and said in meetings is erased. Refuses people who are not revoked.",
  findUsers:
    "Returns the people with these IDs, revoked ones included. IDs that are unknown are skipped. With `withLanguages` the answer also has the languages that they have chosen, which no record of a person has; with `withMustChoosePassword`, the IDs of those who must choose a new password. For a single ID, the answer carries the `ETag` that an edit takes as `If-Match`.",
  suspendRestoreUsers:
    "Suspends or restores up to 1000 people, as `suspendRestoreUser` does with one: all of them, or none. People already in that state do not change. Refuses revoked people; `errors` names each entry that is in the way. A person cannot suspend their own account, and no person can suspend the last active administrator.",
  reactivateUsers:
    "Reactivates up to 1000 revoked people, as `reactivateUser` does with one: all of them, or none, also where the limit lets only some of them in.",
  changeRoles:
    "Gives up to 1000 people another role: all of them, or none. Nothing else changes, not even `admin`. Revoked people can be among them.",

  getAuthToken:
    "Exchanges an access key and its secret for a token that lives one hour, at most until the key ends, and may do what the scope of the key allows at that moment. An unknown key and a wrong secret get the same answer.",
  signIn:
    "Signs a person in with a password. Returns a token that lives one hour, and sets two cookies: one that renews the session for 12 hours, and one that recognizes the device for 30 days. Attempts are throttled per login and per address; a recognized device has its own allowance. A suspension or revocation, and that the organization signs in by its provider only, is named only after the right password. So is that a new one must be chosen (`password_to_choose`, with a `ticket` for signInWithNewPassword); where the account has a second factor, that comes first.",
  renewSession:
    "Returns a new token for the session whose renewal cookie comes with the request. Refuses a session that has ended.",
  whoAmI:
    "Returns the person or access key that the token belongs to, when the token expires, and what the organization lets an owner without `admin` do.",
  signOut:
    "Ends the token. A renewal cookie of the same person that comes with the request ends too, with all tokens that were made by it. Other sessions stay.",
  changePassword:
    "Replaces the caller's own password. All other sessions of the person end. Attempts are throttled. Refuses a wrong current password, and a new one that is common or resembles the person's name, email, username or organization.",
  signInWithNewPassword:
    "Takes the `ticket` with which a sign-in was refused (`password_to_choose`), within five minutes and once, and the password from now on. Answers as signIn does; all other sessions of the person end. The ticket ends with any other new password, and where second factors were added or reset meanwhile. Refuses the current password, and one that is common or resembles the person's name, email, username or organization.",
  signInWithFactor:
    "Takes the `ticket` with which signIn was refused (`second_factor_needed`), within five minutes and for one sign-in, and a code of the authenticator app or a recovery code. Answers as signIn does. Each code works once. Attempts are throttled for each account, and apart for devices that gave a second factor before.",
  fetchFactors:
    "Returns when the caller's authenticator app was set up, and how many recovery codes are left.",
  proveMyself:
    "Notes for ten minutes that the caller is still the one who signed in, as changes of second factors need (`proof_needed`). Takes a passkey (beginProof) or a code where the account has a second factor, otherwise the password. A sign-in counts as such a proof.",
  beginAuthenticator:
    "Makes the secret of an authenticator app (TOTP, RFC 6238: SHA-1, six digits, 30 seconds) and its `otpauth:` address, for a QR code. Nothing is demanded before confirmAuthenticator. Beginning again replaces the secret.",
  confirmAuthenticator:
    "Finishes the authenticator app by a code that it shows. From now on a sign-in needs a code. All other sessions of the person end. The answer has ten recovery codes, which cannot be read again.",
  removeAuthenticator: "Removes the caller's authenticator app and recovery codes.",
  makeRecoveryCodes:
    "Makes ten recovery codes in place of the former ones. They cannot be read again. Each signs in once in place of a code of the app.",
  resetFactors:
    "Removes the second factors of a person who has lost them, and ends the person's sessions. The password stays. The caller's own are removed by removeAuthenticator.",
  fetchUserWays:
    "Returns the passkeys of a person, since when an authenticator app is set up, the links to providers, and how many sessions are open: somebody else may have added them before the person becomes an administrator. resetFactors, unlinkUser and resetPassword end them, the last also sessions and links to choose a password.",
  sendPasswordLink:
    "Sends the account with this email or username a link to choose a new password. The answer is the same whether there is such an account: suspended and revoked ones get no email, and one account gets at most one email in five minutes. The link begins with PUBLIC_URL and opens for an hour and once. Attempts are throttled.",
  choosePassword:
    "Chooses a password by the code of the link in an email: the first one of an imported person (30 days), or a new one (sendPasswordLink, an hour). The link opens once; a new password or email address ends it. All sessions of the person end. Refuses a password that is common or resembles the person's name, email, username or organization.",
  fetchAccount: "Returns the caller's own account, with the chosen time zone, language and colors.",
  editAccount:
    "Changes the caller's own name, time zone, language and colors. A new name or language is an entry in the history.",
  listSessions:
    "Returns the caller's open sessions, with what the browser said of itself. Those from before an upgrade to this version are missing; they end within half a day.",
  endSessions:
    "Ends one of the caller's sessions at once, or all but the one of the request, with the cookies that open recordings. An unknown session ends nothing.",
  getOrganization:
    "Returns the organization's plan, its limits and what is used of them, its rooms by status, how many people are inside how many meetings, emails that wait or were refused, the roles in use, what recordings take, and the settings.",
  exportUser: points(
    "Returns everything known about a person as one JSON file, sent as it is read, also for people in the recycle bin. The history records who exported it.",
    "It has the account, owned rooms, meetings (`joinedAt` is null for those who only came to the door), what the person wrote and said, recordings of their meetings, their links to recordings, emails, sessions, passkeys by name, links to providers, invitations, bans, import lines that name them, and the history by and about them.",
    "It has no password, token or key, and only the IDs of others.",
  ),

  exportOrganization: points(
    "Returns everything of the organization as one ZIP archive of JSON lines, sent as it is read; each kind is as it was when it was read. The history records who exported it.",
    "It has settings, people and their links to providers, access keys, webhooks and providers without secrets, rooms with passwords, stream keys, links, schedules, invitations and bans, meetings with attendance and chat, counters of the usage, transcripts, the list of recordings with links, emails without text, the recycle bin (`inBin` of rooms) and the history.",
    "It has no films of recordings.",
  ),
  editOrganization:
    "Changes the name and the settings that are supplied; all others stay. What is older than its new days goes within the hour. `parley history verify` still finds the rest of the history unbroken.",
  fetchBrand:
    "Returns what pages show of the organization: its name, logo, accent color, and the links to its privacy notice and imprint.",
  setLogo:
    "Sets the logo that pages show beside the organization's name, also to guests, or removes it. A new logo has a new address.",
  listAccessKeys:
    "Returns the organization's access keys with their names, scopes, ends and last uses. Their secrets are never answered again.",
  createAccessKey:
    "Creates an access key for the organization. Its secret is returned only once and cannot be read again. Without a body the key has no name and no end, and may do everything.",
  editAccessKey:
    "Changes the name, the scope or the end of an access key; what is omitted stays. Its tokens follow at once, even for a request that is still being sent. A key that may no longer change rooms loses its invitations, and the people whom it invited leave their meetings. Refuses an end in the past.",
  removeAccessKey: "Removes an access key. Its tokens end at once, the caller's own included.",
  listHistory: points(
    "Returns one page of the organization's history, newest first.",
    "Entries are every change of a room, person, access key or plan, and every sign-in, also a refused one; of an access key one exchange a day for each address and one refusal an hour.",
    "Passwords, tokens and keys are never part of an entry.",
    "Entries are chained by digests, so that `parley history verify` finds removed and altered ones.",
    "Personal data is erased when the person is deleted permanently; the entry stays.",
  ),
  exportHistory:
    "Returns the entries that `listHistory` would return with the same filters, all of them, as one file. It is sent as it is read: entries that are added meanwhile are not in it. A file that ends before its last line is complete has failed, and the connection was cut.",
  undoChange: points(
    "Takes a change back from its entry in the history, with all entries of the same change, or nothing. The undo is a change with entries of its own (`undoes`), and can be taken back itself.",
    "It takes back edits of rooms, people, recordings, access keys, webhooks and organization settings, suspensions, restorations, revocations, reactivations, and moves into and out of the recycle bin.",
    "What the change touched must be as the change left it; otherwise `changed_since` names each field and its current value. Limits and the rules for administrators apply.",
    "The entry of an import or large hand-over stands for all of its parts (`partOf`). What it created is deleted (into the recycle bin, if there is one) if nobody has used it. Up to 50 parts are taken back at once; of more, `left` says how many there are, and `continueUndo` takes them back.",
    "Passwords, stream keys, and addresses of streams, IP cameras and webhooks are not kept: an edit that replaced or removed one is refused; the first one set is removed.",
    "Secrets of webhooks and access keys, other creations, permanent deletions and changes of plans are never taken back.",
  ),
  continueUndo: points(
    "Continues for about a second what `undoChange` began. Call it again while `state` is `checking` or `running`.",
    "First everything is tried: if something changed since, or a rule refuses it, this fails with the reasons and nothing is taken back.",
    "Then it is taken back, the last entry first, each once, also with several callers and after a crash. What somebody changes meanwhile stays, and `errors` names it.",
  ),
  listLetters:
    "Returns one page of the emails that the service has sent or tries to send, newest first. Their content, which has passwords, is never answered.",
  retryLetter:
    "Retries an email that the mail server refused. Refuses emails in any other state, and those whose content is gone or out of date.",
  retryLetters:
    "Retries every email that the mail server refused, for use once the fault is mended. Emails whose content is gone or out of date stay as they are.",

  ...binDescriptions,
  ...scheduleDescriptions,
  ...usageDescriptions,
  ...webhookDescriptions,
  ...passkeyDescriptions,
  ...providerDescriptions,
  ...meetingDescriptions,
  ...importDescriptions,
  ...liveDescriptions,
  ...transcriptDescriptions,
  ...recordingDescriptions,
  ...libraryDescriptions,
};
