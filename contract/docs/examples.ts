import { z } from "zod";
import type { HistoryEntry } from "../history/history.ts";
import type { Operations } from "../index.ts";
import {
  initialOrganizationSettings,
  type OrganizationSettings,
} from "../kit/organization-settings.ts";
import {
  type anyUser,
  createdUser,
  editedUser,
  listedUser,
  revokedUser,
} from "../people/record.ts";
import { initialUserSettings } from "../people/settings.ts";
import { extendedRecord, presentExtras, presentRoom, type Room } from "../rooms/record.ts";
import { initialSettings } from "../rooms/settings.ts";
import { binExamples } from "./bin-docs.ts";
import { exampleBrand } from "./brand-docs.ts";
import { importExamples } from "./import-examples.ts";
import type { Example } from "./kit.ts";
import { liveExamples } from "./live-examples.ts";
import { meetingExamples } from "./meeting-examples.ts";
import { passkeyExamples, signedExample } from "./passkey-docs.ts";
import { providerExamples } from "./provider-docs.ts";
import { recordingExamples } from "./recording-examples.ts";
import { libraryExamples } from "./recording-library-examples.ts";
import { scheduleExamples } from "./schedule-docs.ts";
import { transcriptExamples } from "./transcript-examples.ts";
import { usageExamples } from "./usage-docs.ts";
import { webhookExamples } from "./webhook-docs.ts";

/*
 * An example of every request and answer, for the OpenAPI document and /docs: all of one
 * organization, one person and one room. Neither the client nor the console imports this file.
 */

const organizationId = "0199c2a4-7c1e-7d52-9b61-4f0e8d2a6c13";
const userId = "0199c2a4-91f0-7a3b-8c45-2e7d1b9f6a08";
const accessKey = `${organizationId}-1763719200000-48213`;
const createdAt = "2026-01-12T09:30:00.000Z";
const updatedAt = "2026-01-14T16:05:12.480Z";
const expiresAt = "2026-01-14T17:05:12.480Z";
const token = "Xq3mC0yV7sQn9dXkE2rTzB5wLhJ8uGfAo1PcN6tIvYk";
const secret = "5f2c9b7e1d4a8036c9e5f7a2b1d8c4036e9f5a7b2c1d8e403f6a9b5c7d2e1f80";
const loginUrl = "https://parley.example.org/";

const room: Room = {
  ...initialSettings,
  name: "Board meeting",
  room: "4815162342",
  owners: [userId],
  noOfParticipants: 12,
  roomStatus: "free",
  totalCallTime: 5400,
  createdAt,
  updatedAt,
};
const roomSetting = presentRoom(room);

const person: z.output<typeof anyUser> = {
  ...initialUserSettings,
  id: userId,
  email: "ann@example.org",
  name: "Ann Example",
  createdAt,
  username: "ann_example_204817",
  accountSuspended: false,
  accountDeleted: false,
  profileId: "7302915846",
  rooms: [room.name],
  roomIds: [room.room],
};

/** The fields of the person that an answer carries. */
const shown = <S extends z.ZodObject>({ shape }: S) => z.object(shape).parse(person) as z.output<S>;

const success = true;
const pagination = { page: 1, limit: 25, total: 1, totalPages: 1 };
const recoveryCodes = ["k7qd-w2mx-9tfa-h4ze", "b3ns-yp6v-jr8c-5ugk"];
const { id, email, name, username, role, admin } = person;
const session = {
  success,
  token,
  expiresAt,
  user: { id, email, name, username, role, admin },
} as const;
const account = {
  ...session.user,
  timeZone: "Europe/Berlin",
  language: null,
  colorScheme: "auto",
  hiddenNotice: null,
} as const;
const key = {
  accessKey,
  createdAt,
  name: "Booking page",
  scope: "rooms",
  expiresAt: "2027-12-31T23:59:59.000Z",
  lastUsedAt: createdAt,
} as const;
const password = "kT7vRw3NxH9pQm4ZcF8dYsGb";

const organizationSettings: OrganizationSettings = {
  ...initialOrganizationSettings,
  binDays: 30,
  ownersMay: "edit",
  recordingDays: 90,
};

const historyEntry: HistoryEntry = {
  number: 118,
  at: updatedAt,
  kind: "roomEdited",
  changeId: "0199c2a5-1b82-7f40-9d3e-8a5c7e2b4d61",
  actor: { kind: "user", id: userId, name: person.name, address: "203.0.113.7" },
  subject: { kind: "room", id: room.room, name: room.name, roomId: room.room },
  before: { noOfParticipants: 1 },
  after: { noOfParticipants: 12 },
  undoes: null,
  partOf: null,
  erased: false,
};

/** An example of each operation. */
export const examples: { readonly [K in keyof Operations]: Example<Operations[K]> } = {
  createRoom: {
    request: { name: room.name, roomOwnerId: userId, noOfParticipants: 12 },
    answer: { type: "post roomSetting", success, roomSetting },
  },
  openPersonalRoom: { answer: { success, roomSetting } },
  editRoom: {
    request: { room: room.room, roomOwnerId: userId, noOfParticipants: 12 },
    answer: {
      type: "put roomSetting by Id",
      success,
      roomSetting: extendedRecord.parse({
        ...roomSetting,
        _id: "0199c2a5-03d7-7e16-a2f9-6b4c8e1d7f35",
        userId: null,
        siteSetting: organizationId,
        ...presentExtras(room),
      }),
    },
  },
  fetchRoom: {
    request: { id: room.room },
    answer: { type: "get roomSetting by Id", success, roomSetting },
  },
  listRooms: {
    request: { page: 1, limit: 25, sortBy: "updatedAt", sortOrder: "DESC", search: "board" },
    answer: {
      type: "get all roomSetting with pagination",
      success,
      roomSettings: [roomSetting],
      pagination,
    },
  },
  deleteRoom: { request: { id: room.room }, answer: { type: "deleteRoomSettingById", success } },

  createUser: {
    request: { email, name, loginUrl, role },
    answer: { success, user: shown(createdUser), password },
  },
  editUser: { request: { userId, name }, answer: { success, user: shown(editedUser) } },
  fetchUsers: { request: { role }, answer: { success, users: [shown(listedUser)] } },
  listUsers: {
    request: { role, state: "active", page: 1, limit: 25, search: "ann" },
    answer: { success, users: [person], pagination },
  },
  fetchRevokedUsers: { request: { role }, answer: { success, users: [shown(revokedUser)] } },
  listRevokedUsers: {
    request: { role, page: 1, limit: 25 },
    answer: { success, users: [{ ...person, accountDeleted: true }], pagination },
  },
  suspendRestoreUser: {
    request: { userId, action: "suspend" },
    answer: { success, user: { id, accountSuspended: true } },
  },
  revokeUsers: { request: [{ userId }], answer: { success } },
  resetPassword: { request: { userId, loginUrl }, answer: { success, email, password } },
  reactivateUser: { request: { userId }, answer: { type: "accountReactivation", success } },
  deleteUsers: { request: [userId], answer: { success } },
  suspendRestoreUsers: {
    request: { userIds: [userId], action: "suspend" },
    answer: { success },
  },
  reactivateUsers: { request: { userIds: [userId] }, answer: { success } },
  changeRoles: { request: { userIds: [userId], role: "panelist" }, answer: { success } },
  findUsers: { request: { userIds: [userId] }, answer: { success, users: [shown(listedUser)] } },

  exportUser: {
    request: { userId },
    answer: `{"account": ${JSON.stringify(shown(listedUser))}, "rooms": [], "meetings": []}`,
  },
  getAuthToken: {
    request: { accessKey, secretAccessKey: secret },
    answer: { authToken: { ok: true, message: "Auth token generated successfully", token } },
  },
  signIn: { request: { login: email, password }, answer: session },
  renewSession: { answer: session },
  whoAmI: {
    answer: { success, expiresAt, user: session.user, accessKey: null, ownersMay: "edit" },
  },
  signOut: { answer: { success } },
  changePassword: {
    request: { password, newPassword: "four quiet herons at dawn" },
    answer: { success },
  },
  signInWithNewPassword: {
    request: { ticket: "v1.3kXqPZ0mV2sT.b8Qe1JtR4x", newPassword: "four quiet herons at dawn" },
    answer: session,
  },
  signInWithFactor: {
    request: { ticket: "v1.3kXqPZ0mV2sT.b8Qe1JtR4x", code: "492039" },
    answer: session,
  },
  signInWithPasskey: { request: { passkey: signedExample }, answer: session },
  fetchFactors: {
    answer: { success, authenticatorSince: "2026-03-02T08:00:00.000Z", recoveryCodes: 9 },
  },
  proveMyself: { request: { code: "492039" }, answer: { success } },
  beginAuthenticator: {
    answer: {
      success,
      secret: "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP",
      uri: "otpauth://totp/Parley:ann%40example.org?issuer=Parley&secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP",
    },
  },
  confirmAuthenticator: { request: { code: "492039" }, answer: { success, recoveryCodes } },
  removeAuthenticator: { answer: { success } },
  makeRecoveryCodes: { answer: { success, recoveryCodes } },
  resetFactors: { request: { userId }, answer: { success } },
  fetchUserWays: {
    request: { userId },
    answer: {
      success,
      ways: {
        linkUntil: null,
        passkeys: [
          {
            id: "0199c2a5-1d20-7c11-8a55-90c1f3e7b2d5",
            name: "Firefox on Linux",
            createdAt,
            usedAt: null,
          },
        ],
        authenticatorSince: null,
        providers: [{ name: "Example ID", linkedAt: createdAt }],
        sessions: 1,
      },
    },
  },
  sendPasswordLink: { request: { login: email }, answer: { success } },
  choosePassword: {
    request: { code: "v1.3kXqPZ0mV2sT.b8Qe1JtR4x", newPassword: "four quiet herons at dawn" },
    answer: { success, username },
  },
  fetchAccount: { answer: { success, account } },
  editAccount: {
    request: { timeZone: "Europe/Berlin" },
    answer: { success, account },
  },
  listSessions: {
    answer: {
      success,
      sessions: [
        {
          id: "0199c2a5-1d20-7c11-8a55-90c1f3e7b2d4",
          startedAt: createdAt,
          usedAt: createdAt,
          endsAt: expiresAt,
          userAgent: "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
          current: true,
        },
      ],
    },
  },
  endSessions: {
    request: { sessionId: "0199c2a5-1d20-7c11-8a55-90c1f3e7b2d4" },
    answer: { success, ended: 1 },
  },
  getOrganization: {
    answer: {
      success,
      organization: {
        id: organizationId,
        name: "Example Inc.",
        plan: "standard",
        limits: { rooms: 500, users: null },
        used: { rooms: 1, users: 1 },
        rooms: { free: 1, busy: 0, occupied: 0 },
        meetings: { running: 0, inside: 0 },
        letters: { waiting: 0, refused: 0 },
        mail: "smtp",
        recorder: "ready",
        media: "livekit",
        roles: [role],
        recordings: { count: 1, bytes: 184_320_512, waiting: 0, erasing: 0 },
        settings: organizationSettings,
      },
    },
  },
  exportOrganization: { answer: "PK\u0003\u0004…" },
  editOrganization: {
    request: { recordingDays: 90 },
    answer: { success, settings: organizationSettings, name: "Example Inc." },
  },
  fetchBrand: { answer: { success, name: "Example Inc.", brand: exampleBrand } },
  setLogo: { request: { image: null }, answer: { success, brand: exampleBrand } },
  listAccessKeys: { answer: { success, accessKeys: [key] } },
  createAccessKey: {
    request: { name: key.name, scope: key.scope, expiresAt: key.expiresAt },
    answer: { success, accessKey: { ...key, lastUsedAt: null, secretAccessKey: secret } },
  },
  editAccessKey: {
    request: { accessKey, scope: "rooms" },
    answer: { success, accessKey: key },
  },
  removeAccessKey: { request: { id: accessKey }, answer: { success } },
  listHistory: {
    request: { page: 1, limit: 25, kind: "roomEdited" },
    answer: {
      success,
      entries: [historyEntry],
      pagination,
    },
  },
  exportHistory: {
    request: { format: "jsonl", from: "2026-01-01T00:00:00.000Z" },
    answer: `${JSON.stringify(historyEntry)}\n`,
  },
  undoChange: { request: { number: 118 }, answer: { success, undone: [118], left: 0 } },
  continueUndo: {
    request: { number: 204 },
    answer: {
      success,
      undo: { number: 204, state: "running", entries: 1200, done: 350, stayed: 0, errors: [] },
    },
  },
  listLetters: {
    request: { page: 1, limit: 25, state: "sent" },
    answer: {
      success,
      letters: [
        {
          id: "0199c2a5-1b82-7f40-9d3e-8a5c7e2b4d61",
          userId,
          kind: "welcome",
          recipient: email,
          state: "sent",
          attempts: 1,
          dueAt: null,
          lastError: null,
          lastReason: null,
          createdAt,
          endedAt: "2026-01-12T09:30:01.215Z",
          sentTo: "server",
        },
      ],
      pagination,
    },
  },
  retryLetter: { request: { id: "0199c2a5-1b82-7f40-9d3e-8a5c7e2b4d61" }, answer: { success } },
  retryLetters: { answer: { success, retried: 12 } },

  ...binExamples,
  ...scheduleExamples,
  ...usageExamples,
  ...webhookExamples,
  ...passkeyExamples,
  ...providerExamples,
  ...meetingExamples({ userId, accessKey, secret }),
  ...importExamples,
  ...liveExamples,
  ...transcriptExamples,
  ...recordingExamples,
  ...libraryExamples,
};
