import { z } from "zod";
import { operations } from "../../contract/index.ts";
import type { Operation } from "../../contract/kit/operation.ts";
import type { OperationId } from "../world/ask.ts";

/** An ID in the input of an operation, and the input with another ID in its place. */
export interface Position {
  readonly operation: OperationId;
  /** Such as `roomOwnerId, among several` or `[1].userId`. */
  readonly place: string;
  /** The kind of thing that the ID names. */
  readonly of:
    | "user"
    | "room"
    | "email"
    | "binned"
    | "accessKey"
    | "import"
    | "letter"
    | "peer"
    | "meeting"
    | "recording"
    | "link"
    | "webhook"
    | "provider"
    | "delivery";
  readonly input: (id: string, own: Own) => unknown;
  /** The part that stays the caller's own when the position is wrong. */
  readonly note?: string;
}

/** The caller's own things, which the rest of an input names. */
export interface Own {
  readonly user: string;
  readonly other: string;
  readonly revoked: string;
  readonly room: string;
}

const position = (
  operation: OperationId,
  place: string,
  of: Position["of"],
  input: Position["input"],
): Position => ({ operation, place, of, input });

const room = { name: "Room" };

/** Every place in every operation where somebody else's ID or address could be. */
export const positions: readonly Position[] = [
  position("createRoom", "roomOwnerId", "user", (id) => ({ ...room, roomOwnerId: id })),
  position("createRoom", "roomOwnerId, among several", "user", (id, { user, other }) => ({
    ...room,
    roomOwnerId: `${user},${id},${other}`,
  })),
  position("editRoom", "room", "room", (id, { user }) => ({ room: id, roomOwnerId: user })),
  position("editRoom", "roomOwnerId", "user", (id, own) => ({ room: own.room, roomOwnerId: id })),
  position("editRoom", "roomOwnerId, among several", "user", (id, own) => ({
    room: own.room,
    roomOwnerId: `${own.user}, ${id}`,
  })),
  position("fetchRoom", "id", "room", (id) => ({ id })),
  position("listRooms", "userFilter", "user", (id) => ({ userFilter: id })),
  position("listRooms", "search", "email", (email) => ({ search: email })),
  position("listRooms", "find", "email", (email) => ({ find: email })),
  position("editRooms", "rooms[0]", "room", (id) => ({ rooms: [id], enableChatOption: true })),
  position("editRooms", "roomOwnerId", "user", (id, own) => ({
    rooms: [own.room],
    roomOwnerId: id,
  })),
  position("deleteRooms", "rooms[0]", "room", (id) => ({ rooms: [id] })),
  position("findRoomsInUse", "rooms[0]", "room", (id) => ({ rooms: [id] })),
  position("deleteRoom", "id", "room", (id) => ({ id })),
  position("editUser", "userId", "user", (id) => ({ userId: id, name: "New" })),
  position("listUsers", "search", "email", (email) => ({ role: "moderator", search: email })),
  position("listRevokedUsers", "search", "email", (email) => ({
    role: "moderator",
    search: email,
  })),
  position("suspendRestoreUser", "userId", "user", (userId) => ({ userId, action: "suspend" })),
  position("suspendRestoreUser", "userId, to restore", "user", (userId) => ({
    userId,
    action: "restore",
  })),
  position("revokeUsers", "[0].userId", "user", (userId) => [{ userId }]),
  position("revokeUsers", "[1].userId", "user", (userId, { other }) => [
    { userId: other },
    { userId },
  ]),
  position("fetchUserWays", "userId", "user", (userId) => ({ userId })),
  position("resetFactors", "userId", "user", (userId) => ({ userId })),
  position("resetPassword", "userId", "user", (userId) => ({ userId })),
  position("reactivateUser", "userId", "user", (userId) => ({ userId })),
  position("reactivateUser", "email", "email", (email) => ({ email })),
  position("deleteUsers", "[0]", "user", (userId) => [userId]),
  position("deleteUsers", "[1]", "user", (userId, { revoked }) => [revoked, userId]),
  ...(["suspendRestoreUsers", "reactivateUsers", "changeRoles"] as const).flatMap((id) => {
    const more = { action: "suspend", role: "other" };
    return [
      position(id, "userIds[0]", "user", (userId) => ({ ...more, userIds: [userId] })),
      position(id, "userIds[1]", "user", (userId, { other, revoked }) => ({
        ...more,
        userIds: [id === "reactivateUsers" ? revoked : other, userId],
      })),
    ];
  }),
  position("findUsers", "userIds[0]", "user", (userId) => ({ userIds: [userId] })),
  position("findUsers", "userIds[1]", "user", (userId, { user }) => ({ userIds: [user, userId] })),
  position("handOverRooms", "userId", "user", (userId, { user }) => ({ userId, heirs: [user] })),
  position("handOverRooms", "heirs[0]", "user", (id, { user }) => ({ userId: user, heirs: [id] })),
  position("exportUser", "userId", "user", (userId) => ({ userId })),
  position("editAccessKey", "accessKey", "accessKey", (accessKey) => ({ accessKey, name: "New" })),
  position("removeAccessKey", "id", "accessKey", (id) => ({ id })),
  position("retryLetter", "id", "letter", (id) => ({ id })),
  position("continueImport", "importId", "import", (importId) => ({ importId })),
  position("confirmImport", "importId", "import", (importId) => ({ importId, mode: "possible" })),
  position("listImportLines", "importId", "import", (importId) => ({ importId })),
  position("removeImport", "id", "import", (id) => ({ id })),
  position("binRooms", "rooms[0]", "room", (id) => ({ rooms: [id] })),
  position("binUsers", "userIds[0]", "user", (id) => ({ userIds: [id] })),
  position("binUsers", "userIds[1]", "user", (id, { revoked }) => ({ userIds: [revoked, id] })),
  position("listBin", "search", "email", (email) => ({ search: email })),
  position("restoreFromBin", "ids[0]", "binned", (id) => ({ ids: [id] })),
  position("deleteFromBin", "id", "binned", (id) => ({ id })),
  position("editProvider", "id", "provider", (id) => ({ id, name: "Theirs" })),
  position("removeProvider", "id", "provider", (id) => ({ id })),
  position("testProvider", "id", "provider", (id) => ({ id })),
  position("unlinkUser", "userId", "user", (userId) => ({ userId })),
  position("editWebhook", "id", "webhook", (id) => ({ id, description: "Theirs" })),
  position("removeWebhook", "id", "webhook", (id) => ({ id })),
  position("rotateWebhookSecret", "id", "webhook", (id) => ({ id })),
  position("testWebhook", "id", "webhook", (id) => ({ id })),
  position("listDeliveries", "webhookId", "webhook", (webhookId) => ({ webhookId })),
  position("replayDelivery", "id", "delivery", (id) => ({ id })),
  position("replayDeliveries", "webhookId", "webhook", (webhookId) => ({
    webhookId,
    from: "2020-01-01T00:00:00Z",
    to: "2100-01-01T00:00:00Z",
  })),
  position("fetchInvitation", "roomId", "room", (roomId) => ({ roomId })),
  position("fetchNextDate", "roomId", "room", (roomId) => ({ roomId })),
  position("joinRoom", "roomId", "room", (roomId) => ({ roomId, peerName: "X" })),
  position("roomDoor", "roomId", "room", (roomId) => ({ roomId, waitsForHost: true })),
  position("getRoomLink", "roomId", "room", (roomId) => ({ roomId })),
  position("getMeeting", "roomId", "room", (roomId) => ({ roomId })),
  position("listMeetings", "roomId", "room", (roomId) => ({ roomId })),
  position("listMeetings", "search", "room", (search) => ({ search })),
  position("downloadAttendance", "meetingId", "meeting", (meetingId) => ({ meetingId })),
  position("getAttendance", "meetingId", "meeting", (meetingId) => ({ meetingId })),
  ...(["allowRoomJoin", "denyRoomJoin"] as const).flatMap((id) => [
    position(id, "roomId", "room", (roomId) => ({ roomId, all: true })),
    position(id, "requesterPeerId", "peer", (peer, { room: roomId }) => ({
      roomId,
      requesterPeerId: peer,
    })),
  ]),
  position("listBans", "roomId", "room", (roomId) => ({ roomId })),
  position("liftBan", "roomId", "room", (roomId) => ({ roomId, peerId: "x" })),
  position("liftBan", "peerId", "peer", (peerId, own) => ({ roomId: own.room, peerId })),
  ...(["removePeer", "mutePeer", "changePeer", "upgradeRequest"] as const).flatMap((id) => {
    const more = { peerType: "viewer", action: "demote" };
    return [
      position(id, "roomId", "room", (roomId) => ({ ...more, roomId, peerId: "x" })),
      position(id, "peerId", "peer", (peerId, own) => ({ ...more, roomId: own.room, peerId })),
    ];
  }),
  position("listRecordings", "roomId", "room", (roomId) => ({ roomId })),
  position("listRecordings", "userFilter", "user", (userFilter) => ({ userFilter })),
  position("listRecordings", "search", "email", (search) => ({ search })),
  ...(
    [
      "fetchRecording",
      "openRecording",
      "downloadRecording",
      "deleteRecording",
      "createRecordingLink",
      "listRecordingLinks",
    ] as const
  ).map((id) => position(id, "recordingId", "recording", (recordingId) => ({ recordingId }))),
  position("renameRecording", "recordingId", "recording", (recordingId) => ({
    recordingId,
    name: "New",
  })),
  position("revokeRecordingLink", "linkId", "link", (linkId) => ({ linkId })),
  position("lockRoom", "roomId", "room", (roomId) => ({ roomId, action: "lock" })),
  position("muteOnEntry", "roomId", "room", (roomId) => ({ roomId, on: true })),
  position("closeRoom", "roomId", "room", (roomId) => ({ roomId })),
  ...(["startStream", "stopStream", "watchStream"] as const).map((id) =>
    position(id, "roomId", "room", (roomId) => ({ roomId })),
  ),
  position("fetchSchedule", "id", "room", (id) => ({ id })),
  position("downloadSchedule", "id", "room", (id) => ({ id })),
  position("editSchedule", "userIds[0]", "user", (user, own) => ({
    roomId: own.room,
    startsAt: "2027-01-31T09:30:00Z",
    userIds: [user],
  })),
  position("editSchedule", "roomId", "room", (roomId) => ({ roomId, startsAt: null })),
  ...(["startTranscription", "stopTranscription"] as const).map((id) =>
    position(id, "roomId", "room", (roomId) => ({ roomId })),
  ),
  position("getTranscript", "meetingId", "meeting", (meetingId) => ({ meetingId })),
  position("searchTranscripts", "roomId", "room", (roomId) => ({ roomId, search: "e" })),
  position("searchTranscripts", "search", "email", (email) => ({ search: email })),
  position("deleteTranscript", "meetingId", "meeting", (meetingId) => ({ meetingId })),
  position("startRecording", "roomId", "room", (roomId) => ({ roomId })),
  position("stopRecording", "roomId", "room", (roomId) => ({ roomId })),
  position("stopRecording", "recordingId", "recording", (recordingId) => ({ recordingId })),
];

/** Operations whose input names nothing that could belong to somebody else. */
export const withoutIds: Partial<Record<OperationId, string>> = {
  // A taken address is reported on purpose: addresses are unique across the service (P-TEN-7).
  createUser: "its email is answered as taken, also by another organization",
  fetchUsers: "takes a role only",
  fetchRevokedUsers: "takes a role only",
  getAuthToken: "what it takes opens the organization that it names",
  signIn: "what it takes opens the account that it names",
  renewSession: "takes nothing",
  whoAmI: "takes nothing",
  signOut: "takes nothing",
  fetchAccount: "takes nothing",
  editAccount: "changes the caller's own account",
  listSessions: "takes nothing",
  endSessions: "ends sessions of the caller only; of others, nothing (test/access/own-account)",
  fetchBrand: "takes nothing",
  setLogo: "changes the caller's own organization",
  openPersonalRoom: "takes nothing",
  changePassword: "takes the caller's own passwords",
  getOrganization: "takes nothing",
  retryLetters: "takes nothing",
  listAccessKeys: "takes nothing",
  createAccessKey: "takes settings",
  listHistory: "finds in the caller's organization only; of others, nothing (test/history)",
  exportOrganization: "takes nothing",
  exportHistory: "finds what listHistory finds, by the same query",
  continueUndo: "takes a number, which each organization counts from 1 (test/history/undo.test.ts)",
  undoChange: "takes a number, which each organization counts from 1 (test/history/undo.test.ts)",
  // The people named in its lines are looked up in the caller's organization (test/imports).
  readImport: "takes a file",
  createImport: "takes a file",
  listImports: "takes nothing",
  signInWithNewPassword: "its ticket opens the account for which it was made",
  signInWithFactor: "its ticket opens the account for which it was made",
  fetchFactors: "takes nothing",
  proveMyself: "takes the caller's own password or code",
  beginAuthenticator: "takes nothing",
  confirmAuthenticator: "takes the caller's own code",
  removeAuthenticator: "takes nothing",
  makeRecoveryCodes: "takes nothing",
  askForPasskey: "its ticket opens the account for which it was made",
  signInWithPasskey: "its passkey opens the account to which it belongs",
  beginProof: "takes nothing",
  listPasskeys: "takes nothing",
  beginPasskey: "takes nothing",
  addPasskey: "takes the caller's own passkey",
  renamePasskey: "finds the caller's own passkeys only (access/passkeys)",
  removePasskey: "finds the caller's own passkeys only (access/passkeys)",
  sendPasswordLink: "what it takes names the account that gets the email",
  choosePassword: "what it takes opens the account that it names",
  listLetters: "takes a page and a state",
  listComing: "takes nothing",
  getUsage: "counts in the caller's organization only (test/usage)",
  downloadUsage: "counts what getUsage counts",
  listRoomUsage: "takes days; lists the caller's rooms only (test/usage)",
  listPeopleUsage: "takes days; lists the caller's people only (test/usage)",
  editOrganization: "takes settings",
  openRecordingLink: "what it takes opens the recording that it names",
  downloadRecordingLink: "what it takes opens the recording that it names",
  createWebhook: "its address is no ID",
  listWebhooks: "takes nothing",
  createProvider: "its address is no ID",
  listProviders: "takes nothing",
  findWaysIn: "answers the same whether there is an account (test/sign-in/ways.test.ts)",
  signOutOfProvider: "takes nothing",
  leaveRoom: "what it takes opens the seat that it names",
  rateMeeting: "what it takes opened the seat that it names",
  createSessionToken:
    "looks in the access key's organization only (test/meetings/invitations.test.ts)",
  revokeSessionToken:
    "looks among the access key's invitations only (test/meetings/invitations.test.ts)",
};

/** The fields of an operation's input, including those of array elements. */
const fieldsOf = (schema: z.ZodType): string[] => {
  if (schema instanceof z.ZodPipe) return fieldsOf(schema.in as z.ZodType);
  if (schema instanceof z.ZodArray) {
    const inner = fieldsOf(schema.element as z.ZodType);
    return inner.length > 0 ? inner.map((field) => `[].${field}`) : ["[]"];
  }
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
};

/** The fields that name something, in each operation. */
export const namingFields = (operation: Operation): string[] =>
  fieldsOf(operation.input).filter((field) =>
    /(^|\.)(id|email|room|search)$|Ids?$|Filter$|^\[\]$/.test(field),
  );

/** Returns whether a position is in this field. */
export const standsIn = ({ place }: Position, field: string): boolean =>
  place
    .replace(/, .*/, "")
    .replace(/\[\d+\]/g, "[]")
    .replace(/^userIds\[\]$/, "userIds") === field;

export const all = Object.entries(operations) as [OperationId, Operation][];
