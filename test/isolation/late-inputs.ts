import type { OperationId } from "../world/ask.ts";

/** The things that the inputs name: each exists, and each request would succeed. */
export interface Own {
  readonly user: string;
  readonly email: string;
  readonly revoked: string;
  readonly room: string;
  readonly accessKey: string;
  readonly letter: string;
  readonly importId: string;
  readonly peer: string;
  readonly webhook: string;
  readonly provider: string;
  readonly delivery: string;
  readonly meeting: string;
  readonly recording: string;
  readonly recordingLink: string;
}

/** An input for each operation that may have a body and that knows its caller. */
export const inputs: Partial<Record<OperationId, (own: Own) => unknown>> = {
  createRoom: ({ user }) => ({ name: "Late", roomOwnerId: user }),
  openPersonalRoom: () => ({}),
  editRoom: ({ room, user }) => ({ room, roomOwnerId: user, name: "Late" }),
  deleteRoom: ({ room }) => ({ id: room }),
  editRooms: ({ room }) => ({ rooms: [room], enableChatOption: false }),
  deleteRooms: ({ room }) => ({ rooms: [room] }),
  findRoomsInUse: ({ room }) => ({ rooms: [room] }),
  createUser: () => ({
    email: "late@example.org",
    name: "Late",
    admin: true,
    loginUrl: "https://x.org",
  }),
  editUser: ({ user }) => ({ userId: user, name: "Late" }),
  fetchUsers: () => ({}),
  listUsers: () => ({ role: "moderator" }),
  fetchRevokedUsers: () => ({}),
  listRevokedUsers: () => ({ role: "moderator" }),
  suspendRestoreUser: ({ user }) => ({ userId: user, action: "suspend" }),
  revokeUsers: ({ user }) => [{ userId: user }],
  resetFactors: ({ user }) => ({ userId: user }),
  proveMyself: () => ({ password: "x" }),
  beginAuthenticator: () => ({}),
  removeAuthenticator: () => ({}),
  makeRecoveryCodes: () => ({}),
  beginProof: () => ({}),
  beginPasskey: () => ({}),
  addPasskey: () => ({
    name: "X",
    passkey: { id: "x", response: { clientDataJSON: "x", attestationObject: "x" } },
  }),
  renamePasskey: () => ({ id: "x", name: "X" }),
  removePasskey: () => ({ id: "x" }),
  confirmAuthenticator: () => ({ code: "000000" }),
  resetPassword: ({ user }) => ({ userId: user }),
  reactivateUser: ({ revoked }) => ({ userId: revoked }),
  deleteUsers: ({ revoked }) => [revoked],
  suspendRestoreUsers: ({ user }) => ({ userIds: [user], action: "suspend" }),
  reactivateUsers: ({ revoked }) => ({ userIds: [revoked] }),
  changeRoles: ({ user }) => ({ userIds: [user], role: "late" }),
  findUsers: ({ user }) => ({ userIds: [user] }),
  handOverRooms: ({ user, revoked }) => ({ userId: revoked, heirs: [user] }),
  signOut: () => ({}),
  editAccount: () => ({ name: "Late" }),
  endSessions: () => ({}),
  setLogo: () => ({ image: null }),
  changePassword: () => ({ password: "x", newPassword: "sesquipedalian otters juggle" }),
  editOrganization: () => ({ recordingDays: 1 }),
  undoChange: () => ({ number: 1 }),
  continueUndo: () => ({ number: 1 }),
  readImport: () => ({ kind: "users", format: "csv", text: "email\nx" }),
  createImport: () => ({ kind: "users", format: "csv", text: "email\nx" }),
  continueImport: ({ importId }) => ({ importId }),
  confirmImport: ({ importId }) => ({ importId, mode: "possible" }),
  removeImport: ({ importId }) => ({ id: importId }),
  editSchedule: ({ room }) => ({ roomId: room, startsAt: null }),
  binRooms: ({ room }) => ({ rooms: [room] }),
  binUsers: ({ revoked }) => ({ userIds: [revoked] }),
  restoreFromBin: ({ room }) => ({ ids: [room] }),
  deleteFromBin: ({ room }) => ({ id: room }),
  createAccessKey: () => ({}),
  editAccessKey: ({ accessKey }) => ({ accessKey, name: "Late", scope: "everything" }),
  removeAccessKey: ({ accessKey }) => ({ id: accessKey }),
  retryLetter: ({ letter }) => ({ id: letter }),
  retryLetters: () => ({}),
  createProvider: () => ({ name: "Late", issuer: "http://127.0.0.1:9/" }),
  editProvider: ({ provider }) => ({ id: provider, name: "Late" }),
  removeProvider: ({ provider }) => ({ id: provider }),
  testProvider: ({ provider }) => ({ id: provider }),
  unlinkUser: ({ user }) => ({ userId: user }),
  signOutOfProvider: () => ({}),
  createWebhook: () => ({ url: "http://127.0.0.1:9/", events: ["roomEdited"] }),
  editWebhook: ({ webhook }) => ({ id: webhook, description: "Late" }),
  removeWebhook: ({ webhook }) => ({ id: webhook }),
  rotateWebhookSecret: ({ webhook }) => ({ id: webhook }),
  testWebhook: ({ webhook }) => ({ id: webhook }),
  replayDelivery: ({ delivery }) => ({ id: delivery }),
  replayDeliveries: ({ webhook }) => ({
    webhookId: webhook,
    from: "2020-01-01T00:00:00Z",
    to: "2100-01-01T00:00:00Z",
  }),
  fetchInvitation: ({ room }) => ({ roomId: room }),
  fetchNextDate: ({ room }) => ({ roomId: room }),
  joinRoom: ({ room }) => ({ roomId: room, peerName: "Late" }),
  roomDoor: ({ room }) => ({ roomId: room, waitsForHost: true }),
  getRoomLink: ({ room }) => ({ roomId: room, renew: true }),
  allowRoomJoin: ({ room }) => ({ roomId: room, all: true }),
  denyRoomJoin: ({ room }) => ({ roomId: room, all: true }),
  removePeer: ({ room, peer }) => ({ roomId: room, peerId: peer, ban: "always" }),
  liftBan: ({ room, peer }) => ({ roomId: room, peerId: peer }),
  mutePeer: ({ room }) => ({ roomId: room, all: true }),
  changePeer: ({ room, peer }) => ({ roomId: room, peerId: peer, peerType: "viewer" }),
  upgradeRequest: ({ room, peer }) => ({ roomId: room, peerId: peer, action: "offer" }),
  lockRoom: ({ room }) => ({ roomId: room, action: "lock" }),
  muteOnEntry: ({ room }) => ({ roomId: room, on: true }),
  closeRoom: ({ room }) => ({ roomId: room }),
  startStream: ({ room }) => ({ roomId: room, url: "rtmp://127.0.0.1:9/live", key: "late" }),
  stopStream: ({ room }) => ({ roomId: room }),
  watchStream: ({ room }) => ({ roomId: room, peerName: "Late" }),
  startTranscription: ({ room }) => ({ roomId: room }),
  stopTranscription: ({ room }) => ({ roomId: room }),
  deleteTranscript: ({ meeting }) => ({ meetingId: meeting }),
  startRecording: ({ room }) => ({ roomId: room }),
  stopRecording: ({ room }) => ({ roomId: room }),
  openRecording: ({ recording }) => ({ recordingId: recording }),
  downloadRecording: ({ recording }) => ({ recordingId: recording }),
  renameRecording: ({ recording }) => ({ recordingId: recording, name: "Late" }),
  deleteRecording: ({ recording }) => ({ recordingId: recording }),
  createRecordingLink: ({ recording }) => ({ recordingId: recording }),
  revokeRecordingLink: ({ recordingLink }) => ({ linkId: recordingLink }),
};
