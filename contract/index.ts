import * as access from "./access.ts";
import type { Operation } from "./operation.ts";
import * as rooms from "./rooms.ts";
import * as users from "./users.ts";

/** All operations by their id, those of interface.md first: what the service is. */
export const operations = {
  createRoom: rooms.createRoom,
  editRoom: rooms.editRoom,
  fetchRoom: rooms.fetchRoom,
  listRooms: rooms.listRooms,
  deleteRoom: rooms.deleteRoom,

  createUser: users.createUser,
  editUser: users.editUser,
  fetchUsers: users.fetchUsers,
  listUsers: users.listUsers,
  fetchRevokedUsers: users.fetchRevokedUsers,
  listRevokedUsers: users.listRevokedUsers,
  suspendRestoreUser: users.suspendRestoreUser,
  revokeUsers: users.revokeUsers,
  resetPassword: users.resetPassword,
  reactivateUser: users.reactivateUser,
  deleteUsers: users.deleteUsers,
  findUsers: users.findUsers,

  getAuthToken: access.getAuthToken,
  signIn: access.signIn,
  renewSession: access.renewSession,
  whoAmI: access.whoAmI,
  signOut: access.signOut,
  changePassword: access.changePassword,
  getOrganization: access.getOrganization,
  listAccessKeys: access.listAccessKeys,
  createAccessKey: access.createAccessKey,
  removeAccessKey: access.removeAccessKey,
  listLetters: access.listLetters,
  retryLetter: access.retryLetter,
} as const satisfies Record<string, Operation>;

export type Operations = typeof operations;
