import * as access from "./access.ts";
import type { Operation } from "./operation.ts";
import * as organization from "./organization.ts";
import * as rooms from "./rooms.ts";
import * as userLists from "./user-lists.ts";
import * as users from "./users.ts";

/** All operations by their ID; those of Parley's own come last. */
export const operations = {
  createRoom: rooms.createRoom,
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

  getAuthToken: access.getAuthToken,
  signIn: access.signIn,
  renewSession: access.renewSession,
  whoAmI: access.whoAmI,
  signOut: access.signOut,
  changePassword: access.changePassword,
  getOrganization: organization.getOrganization,
  listAccessKeys: organization.listAccessKeys,
  createAccessKey: organization.createAccessKey,
  removeAccessKey: organization.removeAccessKey,
  listLetters: organization.listLetters,
  retryLetter: organization.retryLetter,
} as const satisfies Record<string, Operation>;

export type Operations = typeof operations;
