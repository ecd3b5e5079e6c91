import type { z } from "zod";
import type { Operations } from "../index.ts";
import type { Reply } from "../kit/operation.ts";
import type { Pagination } from "../kit/pages.ts";
import type { Letter } from "../organization/organization.ts";
import type { Person } from "../people/access.ts";
import type { Account } from "../people/account.ts";
import type { anyUser } from "../people/record.ts";
import type { extendedRecord } from "../rooms/record.ts";
import { binFields } from "./bin-docs.ts";
import { brandMeaning } from "./brand-docs.ts";
import { historyFields } from "./history-docs.ts";
import { importMeanings } from "./import-docs.ts";
import { type MeaningOf, type MeaningsOf, reasonMeaning } from "./kit.ts";
import { liveFields } from "./live-docs.ts";
import { meetingFields } from "./meeting-docs.ts";
import { passkeyFields, passkeyMeaning } from "./passkey-docs.ts";
import { providerFields } from "./provider-docs.ts";
import { recordingFields } from "./recording-docs.ts";
import { libraryFields } from "./recording-library-docs.ts";
import { scheduleFields } from "./schedule-docs.ts";
import { transcriptFields } from "./transcript-docs.ts";
import { usageFields } from "./usage-docs.ts";
import { webhookFields } from "./webhook-docs.ts";

/*
 * The meanings of the fields of answers, for the OpenAPI document and /docs. Settings are not here: their schemas
 * carry their meaning. Neither the client nor the console imports this file.
 */

const room: MeaningsOf<z.output<typeof extendedRecord>> = {
  name: "The name of the room.",
  roomOwnerId:
    "The user IDs of the owners as one text, joined by commas; empty when the room has no owner.",
  room: "The ID of the room, unique in the organization. Always text, also when it was sent as a number.",
  roomStatus:
    "free: nobody is inside; busy: a meeting with seats left; occupied: every seat is taken.",
  totalCallTime: "The seconds with somebody inside, as text.",
  createdAt: "When the room was created: ISO 8601, UTC.",
  updatedAt: "When the room was last edited: ISO 8601, UTC. Meetings do not change it.",
  _id: "The ID of the stored room, which never changes.",
  userId: "The ID of the person who created the room; null for an access key.",
  siteSetting: "The ID of the organization.",
};

const id = "The ID of the person.";
const accountSuspended = "Whether the person is suspended and cannot sign in.";
const person: MeaningsOf<z.output<typeof anyUser>> = {
  id,
  email: "The email address of the person, as it was typed. Unique across the service.",
  name: "The name of the person.",
  createdAt: "When the person was created: ISO 8601, UTC.",
  username: "The generated name to sign in with, instead of the email. Unique across the service.",
  accountSuspended,
  accountDeleted: "Whether the person is revoked.",
  profileId: "Ten random digits that name the person's profile.",
  rooms: "The names of the rooms that the person owns, in order.",
  roomIds: "The IDs of these rooms, in the same order.",
};

const pagination = {
  is: "Where the page stands in the whole list.",
  fields: {
    page: "The number of the page, from 1.",
    limit: "The most entries that a page has.",
    total: "How many entries match.",
    totalPages: "How many pages they fill.",
  },
} satisfies MeaningOf<Pagination>;

const token = "Send it as `Authorization: Bearer <token>`.";
const expiresAt = "When the token expires: ISO 8601, UTC.";
const signedIn: MeaningsOf<Person> = {
  id,
  email: person.email,
  name: person.name,
  username: person.username,
};
const account: MeaningsOf<Account> = {
  ...signedIn,
  timeZone: "The time zone that the person has chosen; null for that of the browser.",
  language:
    "The language of pages and of emails to the person; null for that of the browser, and emails in that of the organization.",
  colorScheme: "Light or dark pages; auto: as the device has it.",
  hiddenNotice: "The notice of the console that the person has put away; null for none.",
};
const session = {
  token,
  expiresAt,
  user: { is: "Who is signed in.", fields: signedIn },
};

const accessKey = {
  accessKey: "The access key, which also names it: `removeAccessKey` takes it.",
  createdAt: "When the access key was created: ISO 8601, UTC.",
  name: "What the key is for; may be empty.",
  scope: "What the key may do: read, secrets, rooms, people or everything.",
  expiresAt: "When the key and its tokens end: ISO 8601, UTC; null when it is removed.",
  lastUsedAt:
    "When a token or an invitation was last made with it: ISO 8601, UTC; null: never. A token lives for an hour, so the last request may be an hour later.",
};

const letter: MeaningsOf<Letter> = {
  id: "The ID of the email.",
  userId:
    "The ID of the person it is for. The emails of a person who is deleted permanently are erased.",
  kind: "welcome: sent with a new account; invitation: with a link to choose the first password; password-link: with a link to choose a new password; new-sign-in: after a sign-in from somewhere new; sign-in-changed: after a change of how the person signs in; password-reset: sent with a new password; webhook-off: a webhook was switched off; meeting-invitation, meeting-change, meeting-cancellation and meeting-reminder: about the dates of a room.",
  recipient: "The address that the email goes to.",
  state:
    "waiting: to be tried; sent: it has left (see sentTo); refused: given up; withdrawn: out of date before it was sent.",
  attempts: "How many times it was tried.",
  dueAt: "When the next try is due: ISO 8601, UTC; null unless it waits.",
  lastError: "What the last failed try met; null without one.",
  lastReason: reasonMeaning(
    "`lastError` as a code with its values; null where there is none, and for words of the mail server.",
  ),
  createdAt: "When the email was written: ISO 8601, UTC.",
  endedAt: "When it was sent, refused or withdrawn: ISO 8601, UTC; null while it waits.",
  sentTo:
    "server: the mail server has it; file: it was written to a file, because no mail server was set; null unless it was sent, and where an older version sent it.",
};

const pageOfPeople = {
  users: { is: "The people on the page, in order.", fields: person },
  pagination,
};

/** The meaning of every field of every answer. */
export const answerFields: {
  readonly [K in keyof Operations]: Operations[K] extends { readonly file: readonly string[] }
    ? Readonly<Record<string, never>>
    : MeaningsOf<Reply<Operations[K]>>;
} = {
  createRoom: { roomSetting: { is: "The new room.", fields: room } },
  openPersonalRoom: { roomSetting: { is: "The personal room.", fields: room } },
  editRoom: { roomSetting: { is: "The room after the edit.", fields: room } },
  fetchRoom: { roomSetting: { is: "The room.", fields: room } },
  listRooms: { roomSettings: { is: "The rooms on the page, in order.", fields: room }, pagination },
  deleteRoom: {},

  createUser: {
    user: { is: "The new person.", fields: person },
    password: "The generated password. Returned only once.",
  },
  editUser: { user: { is: "The person after the edit.", fields: person } },
  fetchUsers: { users: { is: "The people, sorted by name.", fields: person } },
  listUsers: pageOfPeople,
  fetchRevokedUsers: { users: { is: "The revoked people, sorted by name.", fields: person } },
  listRevokedUsers: pageOfPeople,
  suspendRestoreUser: {
    user: { is: "The state of the person.", fields: { id, accountSuspended } },
  },
  revokeUsers: {},
  resetPassword: {
    email: "The address that the new password is sent to.",
    password: "The generated password. Returned only once.",
  },
  reactivateUser: {},
  deleteUsers: {},
  exportUser: {},
  suspendRestoreUsers: {},
  reactivateUsers: {},
  changeRoles: {},
  findUsers: {
    users: { is: "The people that were found.", fields: person },
    mustChoosePassword:
      "The IDs of those who must choose a new password at the next sign-in by it; only with `withMustChoosePassword`.",
    languages: {
      is: "The languages that these people have chosen; only with `withLanguages`.",
      fields: { userId: person.id, language: "The language; null: none is chosen." },
    },
  },

  getAuthToken: {
    authToken: {
      is: "The token, or why there is none.",
      fields: { ok: "Always true; a failure has false.", message: "Always this text.", token },
    },
  },
  signIn: session,
  renewSession: session,
  whoAmI: {
    expiresAt,
    user: { is: "The person who is signed in; null for an access key.", fields: signedIn },
    accessKey: "The access key that made the token; null for a person.",
    ownersMay:
      "For a person without `admin`: nothing; edit: change the rooms that the person owns; create: that, and create rooms, which the person then owns; null for administrators and access keys.",
  },
  signOut: {},
  changePassword: {},
  signInWithNewPassword: session,
  signInWithFactor: session,
  signInWithPasskey: session,
  fetchFactors: {
    authenticatorSince: "When the authenticator app was set up: ISO 8601, UTC; null if it is not.",
    recoveryCodes: "How many recovery codes are left.",
  },
  proveMyself: {},
  beginAuthenticator: {
    secret: "The secret, base32, to type into an app.",
    uri: "The secret with its parameters, for a QR code.",
  },
  confirmAuthenticator: { recoveryCodes: "The recovery codes, shown only now." },
  removeAuthenticator: {},
  makeRecoveryCodes: { recoveryCodes: "The recovery codes, shown only now." },
  resetFactors: {},
  fetchUserWays: {
    ways: {
      is: "The ways into the account beside the password.",
      fields: {
        linkUntil:
          "Until when an emailed link to choose a password opens: ISO 8601, UTC; null if none is open.",
        passkeys: { is: "The passkeys, the oldest first.", fields: passkeyMeaning },
        authenticatorSince:
          "When the authenticator app was set up: ISO 8601, UTC; null if it is not.",
        providers: {
          is: "The links to providers, the oldest first.",
          fields: {
            name: "The name of the provider.",
            linkedAt: "Since when it is linked: ISO 8601, UTC.",
          },
        },
        sessions: "How many sessions are open.",
      },
    },
  },
  sendPasswordLink: {},
  choosePassword: { username: "The name to sign in with, beside the email." },
  fetchAccount: { account: { is: "The account.", fields: account } },
  editAccount: { account: { is: "The account, as it is now.", fields: account } },
  listSessions: {
    sessions: {
      is: "The sign-ins that go on, the newest first.",
      fields: {
        id: "The ID of the session: `endSessions` takes it.",
        startedAt: "When the person signed in.",
        usedAt: "When the session last got a token.",
        endsAt: "When the session ends.",
        userAgent: "What the browser said of itself at the sign-in; null if nothing.",
        current: "Whether it is the session of this request.",
      },
    },
  },
  endSessions: { ended: "How many sessions have ended." },
  getOrganization: {
    organization: {
      is: "The organization of the caller.",
      fields: {
        id: "The ID of the organization.",
        name: "The name of the organization.",
        plan: "The name of its plan; null without one.",
        limits: {
          is: "What the plan allows; null where there is no limit.",
          fields: { rooms: "The most rooms.", users: "The most people who are not revoked." },
        },
        used: {
          is: "What is used of the limits.",
          fields: { rooms: "How many rooms there are.", users: "How many people are not revoked." },
        },
        rooms: {
          is: "How many rooms have each status.",
          fields: {
            free: "Rooms with nobody inside.",
            busy: "Rooms with a meeting and seats left.",
            occupied: "Rooms with every seat taken.",
          },
        },
        meetings: {
          is: "The meetings of this moment.",
          fields: {
            running: "Meetings with somebody inside, those of rooms that await deletion included.",
            inside: "How many people are inside them.",
          },
        },
        letters: {
          is: "The emails that need attention.",
          fields: { waiting: "Emails still to be sent.", refused: "Emails that were given up." },
        },
        mail: "smtp: emails go to a mail server; folder: emails are written into a folder of the service and reach nobody.",
        mailProblem: {
          is: "Why the mail server takes no emails, so that all of them wait; absent while it takes them. They go on by themselves once it is mended.",
          fields: {
            cause:
              "name, unreachable, silent, closed, protocol, encryption, certificate: there is no connection as it should be; login; sender, relay, limit, blocked: what the server says about the sender; busy, refused: it takes no email, for now or for good.",
            message: "What is wrong, and what mends it.",
            answer: "The words of the mail server about one of the organization's emails.",
            lastReason: reasonMeaning(
              "`answer` as a code with its values; null for words of the mail server.",
            ),
          },
        },
        recorder:
          "ready: a machine of the installation can record, stream and transcribe meetings; missing: none has the programs; off: the operator wants none.",
        media:
          "livekit: the media engine carries meetings; direct: there is none, and at most six people meet in a room, each browser connected with each other one.",
        roles: "The roles in use, those of revoked people included.",
        recordings: {
          is: "The recordings that have ended.",
          fields: {
            count: "How many there are.",
            bytes: "The size of their files.",
            waiting: "How many have still to move to the store.",
            erasing: "How many deleted folders have still to be erased from where they were kept.",
          },
        },
        settings: { is: "The settings of the organization.", fields: {} },
      },
    },
  },
  exportOrganization: {},
  editOrganization: {
    settings: { is: "All settings, as they are now.", fields: {} },
    name: "The name, as it is now.",
  },
  fetchBrand: { name: "The name of the organization.", brand: brandMeaning },
  setLogo: { brand: brandMeaning },
  listAccessKeys: { accessKeys: { is: "The access keys, oldest first.", fields: accessKey } },
  createAccessKey: {
    accessKey: {
      is: "The new access key.",
      fields: { ...accessKey, secretAccessKey: "Its secret. Returned only once." },
    },
  },
  editAccessKey: { accessKey: { is: "The access key.", fields: accessKey } },
  removeAccessKey: {},
  ...historyFields(pagination),
  listLetters: { letters: { is: "The emails on the page.", fields: letter }, pagination },
  retryLetter: {},
  retryLetters: { retried: "How many emails are tried again." },

  ...binFields(pagination),
  ...scheduleFields(pagination),
  ...usageFields(pagination),
  ...webhookFields(pagination),
  ...passkeyFields,
  ...providerFields,
  ...meetingFields(pagination),
  ...importMeanings(pagination),
  ...liveFields,
  ...transcriptFields(pagination),
  ...libraryFields(pagination),
  ...recordingFields,
};
