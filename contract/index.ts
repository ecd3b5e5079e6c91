import * as history from "./history/history.ts";
import * as imports from "./imports/imports.ts";
import type { Operation } from "./kit/operation.ts";
import * as meetingBans from "./meetings/bans.ts";
import * as moderation from "./meetings/commands.ts";
import { roomDoor } from "./meetings/door.ts";
import * as live from "./meetings/live.ts";
import * as meetings from "./meetings/meetings.ts";
import * as recordings from "./meetings/recording.ts";
import * as meetingReports from "./meetings/reports.ts";
import * as transcripts from "./meetings/transcripts.ts";
import * as accessKeys from "./organization/access-keys.ts";
import * as bin from "./organization/bin.ts";
import * as brand from "./organization/brand.ts";
import * as organization from "./organization/organization.ts";
import * as providers from "./organization/providers.ts";
import * as takeout from "./organization/takeout.ts";
import * as usage from "./organization/usage.ts";
import * as access from "./people/access.ts";
import * as account from "./people/account.ts";
import * as userBulk from "./people/bulk.ts";
import { handOverRooms } from "./people/hand-over.ts";
import * as userLists from "./people/lists.ts";
import * as passkeys from "./people/passkeys.ts";
import * as factors from "./people/second-factor.ts";
import * as users from "./people/users.ts";
import * as userWays from "./people/ways.ts";
import * as library from "./recordings/library.ts";
import * as recordingLinks from "./recordings/links.ts";
import * as roomBulk from "./rooms/bulk.ts";
import * as rooms from "./rooms/rooms.ts";
import * as schedule from "./schedule/schedule.ts";
import * as webhooks from "./webhooks/webhooks.ts";

/** All operations by their ID; Parley's own come last. */
export const operations = {
  createRoom: rooms.createRoom,
  openPersonalRoom: rooms.openPersonalRoom,
  editRoom: rooms.editRoom,
  fetchRoom: rooms.fetchRoom,
  listRooms: rooms.listRooms,
  deleteRoom: rooms.deleteRoom,

  createUser: users.createUser,
  editUser: users.editUser,
  fetchUsers: userLists.fetchUsers,
  listUsers: userLists.listUsers,
  fetchRevokedUsers: userLists.fetchRevokedUsers,
  listRevokedUsers: userLists.listRevokedUsers,
  suspendRestoreUser: users.suspendRestoreUser,
  revokeUsers: users.revokeUsers,
  resetPassword: users.resetPassword,
  reactivateUser: users.reactivateUser,
  deleteUsers: users.deleteUsers,
  findUsers: userLists.findUsers,
  handOverRooms,
  exportUser: takeout.exportUser,
  suspendRestoreUsers: userBulk.suspendRestoreUsers,
  reactivateUsers: userBulk.reactivateUsers,
  changeRoles: userBulk.changeRoles,

  getAuthToken: access.getAuthToken,
  signIn: access.signIn,
  renewSession: access.renewSession,
  whoAmI: access.whoAmI,
  signOut: access.signOut,
  changePassword: access.changePassword,
  sendPasswordLink: access.sendPasswordLink,
  choosePassword: access.choosePassword,
  signInWithNewPassword: access.signInWithNewPassword,
  signInWithFactor: factors.signInWithFactor,
  fetchFactors: factors.fetchFactors,
  proveMyself: factors.proveMyself,
  beginAuthenticator: factors.beginAuthenticator,
  confirmAuthenticator: factors.confirmAuthenticator,
  removeAuthenticator: factors.removeAuthenticator,
  makeRecoveryCodes: factors.makeRecoveryCodes,
  resetFactors: factors.resetFactors,
  fetchUserWays: userWays.fetchUserWays,
  askForPasskey: passkeys.askForPasskey,
  signInWithPasskey: passkeys.signInWithPasskey,
  beginProof: passkeys.beginProof,
  listPasskeys: passkeys.listPasskeys,
  beginPasskey: passkeys.beginPasskey,
  addPasskey: passkeys.addPasskey,
  renamePasskey: passkeys.renamePasskey,
  removePasskey: passkeys.removePasskey,
  fetchAccount: account.fetchAccount,
  editAccount: account.editAccount,
  listSessions: account.listSessions,
  endSessions: account.endSessions,
  getOrganization: organization.getOrganization,
  editOrganization: organization.editOrganization,
  fetchBrand: brand.fetchBrand,
  setLogo: brand.setLogo,
  exportOrganization: takeout.exportOrganization,
  listAccessKeys: accessKeys.listAccessKeys,
  createAccessKey: accessKeys.createAccessKey,
  editAccessKey: accessKeys.editAccessKey,
  removeAccessKey: accessKeys.removeAccessKey,
  listLetters: organization.listLetters,
  retryLetter: organization.retryLetter,
  retryLetters: organization.retryLetters,
  listHistory: history.listHistory,
  exportHistory: history.exportHistory,
  undoChange: history.undoChange,
  continueUndo: history.continueUndo,
  editRooms: roomBulk.editRooms,
  deleteRooms: roomBulk.deleteRooms,
  findRoomsInUse: roomBulk.findRoomsInUse,

  binRooms: bin.binRooms,
  binUsers: bin.binUsers,
  listBin: bin.listBin,
  restoreFromBin: bin.restoreFromBin,
  deleteFromBin: bin.deleteFromBin,
  createWebhook: webhooks.createWebhook,
  listWebhooks: webhooks.listWebhooks,
  editWebhook: webhooks.editWebhook,
  removeWebhook: webhooks.removeWebhook,
  rotateWebhookSecret: webhooks.rotateWebhookSecret,
  testWebhook: webhooks.testWebhook,
  listDeliveries: webhooks.listDeliveries,
  replayDelivery: webhooks.replayDelivery,
  replayDeliveries: webhooks.replayDeliveries,
  createProvider: providers.createProvider,
  listProviders: providers.listProviders,
  editProvider: providers.editProvider,
  removeProvider: providers.removeProvider,
  testProvider: providers.testProvider,
  unlinkUser: providers.unlinkUser,
  findWaysIn: providers.findWaysIn,
  signOutOfProvider: providers.signOutOfProvider,

  readImport: imports.readImport,
  createImport: imports.createImport,
  continueImport: imports.continueImport,
  confirmImport: imports.confirmImport,
  listImports: imports.listImports,
  listImportLines: imports.listImportLines,
  removeImport: imports.removeImport,

  fetchInvitation: meetings.fetchInvitation,
  joinRoom: meetings.joinRoom,
  leaveRoom: meetings.leaveRoom,
  rateMeeting: meetings.rateMeeting,
  createSessionToken: meetings.createSessionToken,
  revokeSessionToken: meetings.revokeSessionToken,
  getRoomLink: meetingReports.getRoomLink,
  roomDoor,
  getMeeting: meetingReports.getMeeting,
  listMeetings: meetingReports.listMeetings,
  getAttendance: meetingReports.getAttendance,
  downloadAttendance: meetingReports.downloadAttendance,
  allowRoomJoin: moderation.allowRoomJoin,
  denyRoomJoin: moderation.denyRoomJoin,
  removePeer: moderation.removePeer,
  mutePeer: moderation.mutePeer,
  changePeer: moderation.changePeer,
  upgradeRequest: moderation.upgradeRequest,
  listBans: meetingBans.listBans,
  liftBan: meetingBans.liftBan,
  lockRoom: moderation.lockRoom,
  muteOnEntry: moderation.muteOnEntry,
  closeRoom: moderation.closeRoom,

  startStream: live.startStream,
  stopStream: live.stopStream,
  watchStream: live.watchStream,

  startTranscription: transcripts.startTranscription,
  stopTranscription: transcripts.stopTranscription,
  getTranscript: transcripts.getTranscript,
  searchTranscripts: transcripts.searchTranscripts,
  deleteTranscript: transcripts.deleteTranscript,

  listRecordings: library.listRecordings,
  fetchRecording: library.fetchRecording,
  openRecording: library.openRecording,
  downloadRecording: library.downloadRecording,
  renameRecording: library.renameRecording,
  deleteRecording: library.deleteRecording,
  createRecordingLink: recordingLinks.createRecordingLink,
  listRecordingLinks: recordingLinks.listRecordingLinks,
  revokeRecordingLink: recordingLinks.revokeRecordingLink,
  openRecordingLink: recordingLinks.openRecordingLink,
  downloadRecordingLink: recordingLinks.downloadRecordingLink,
  startRecording: recordings.startRecording,
  stopRecording: recordings.stopRecording,

  fetchSchedule: schedule.fetchSchedule,
  editSchedule: schedule.editSchedule,
  listComing: schedule.listComing,
  downloadSchedule: schedule.downloadSchedule,
  fetchNextDate: schedule.fetchNextDate,
  getUsage: usage.getUsage,
  downloadUsage: usage.downloadUsage,
  listRoomUsage: usage.listRoomUsage,
  listPeopleUsage: usage.listPeopleUsage,
} as const satisfies Record<string, Operation>;

export type Operations = typeof operations;
