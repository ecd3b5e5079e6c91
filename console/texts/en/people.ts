import type { createUser } from "../../../contract/users.ts";
import { counted } from "./plural.ts";

/** A field without a label does not compile. */
const labels: Record<keyof typeof createUser.input.shape, string> = {
  email: "Email",
  name: "Name",
  loginUrl: "Address to sign in",
  admin: "Administrator",
  meetNowEnabled: "Instant meetings",
  tags: "Tags",
  displayRating: "Show ratings",
  location: "Location",
  role: "Role",
};

export const people = {
  title: "People",
  description: "Who can own rooms and sign in.",
  what: "people",
  one: "person",
  labels,
  active: "Active",
  revoked: "Revoked",
  tabs: "Which people",
  columns: {
    name: "Name",
    role: "Role",
    state: "State",
    rooms: "Rooms",
    createdAt: "Created",
  },
  states: { active: "Active", suspended: "Suspended", revoked: "Revoked" },
  admin: "Administrator",
  you: "You",
  searchLabel: "Search people by name, email or username",
  roleFilter: "Roles",
  allRoles: "All roles",
  roomCount: (count: number) => counted(count, "room", "rooms"),
  create: "New person",
  edit: "Edit",
  open: "Open",
  seeRooms: "See the rooms",
  suspend: "Suspend",
  restore: "Restore",
  revoke: "Revoke",
  reactivate: "Reactivate",
  resetPassword: "Reset password",
  delete: "Delete for good",
  empty: "No people yet",
  emptyHelp: "Create the first person: they get a letter with how to sign in.",
  noRevoked: "Nobody is revoked",
  noRevokedHelp:
    "People whose access you revoke stay here until you reactivate them or delete them for good.",
  noMatch: "Nobody matches",
  noMatchHelp: "Try another search, or clear the filters.",
  newTitle: "New person",
  nameHelp: "How the person is shown to others.",
  emailHelp: "Where letters go; also good for signing in. No other account may have it.",
  loginUrlHelp: "The link in the welcome letter.",
  tagsPlaceholder: "Type a tag and press Enter",
  account: "Account",
  details: "Details",
  meetings: "Instant meetings",
  welcome: "Welcome letter",
  save: "Save changes",
  saveNew: "Create person",
  saved: (name: string) => `${name} is saved.`,
  username: "Username",
  password: "Password",
  profileId: "Profile ID",
  userId: "User ID",
  since: "Created",
  credentials: {
    created: (name: string) => `${name} can sign in`,
    reset: (name: string) => `${name} has a new password`,
    once: "The password is shown only this once. Copy it now if you want to hand it over yourself.",
    letter: (email: string) => `A letter with the way to sign in is on its way to ${email}.`,
    copyBoth: "Copy both",
  },
  suspendTitle: (name: string) => `Suspend ${name}?`,
  suspended: (name: string) => `${name} is suspended.`,
  restored: (name: string) => `${name} can sign in again.`,
  resetTitle: (name: string) => `Give ${name} a new password?`,
  resetHelp:
    "The old password and all sessions end at once. The new one is shown to you once and sent by letter.",
  resetConfirm: "Reset password",
  revokeTitle: (count: number, name: string) =>
    count === 1 ? `Revoke ${name}?` : `Revoke ${count.toLocaleString("en")} people?`,
  revokeHelp:
    "They are signed out at once and cannot sign in. Their data and rooms stay, and you can reactivate them.",
  revokeConfirm: (count: number) =>
    count === 1 ? "Revoke" : `Revoke ${count.toLocaleString("en")} people`,
  revokedDone: (count: number, name: string) =>
    count === 1 ? `${name} is revoked.` : `${counted(count, "person", "people")} revoked.`,
  reactivated: (count: number, name: string) =>
    count === 1
      ? `${name} is active again.`
      : `${counted(count, "person", "people")} active again.`,
  reactivatedSome: (done: number, count: number) =>
    `${done.toLocaleString("en")} of ${counted(count, "person", "people")} active again.`,
  deleteTitle: (count: number, name: string) =>
    count === 1
      ? `Delete ${name} for good?`
      : `Delete ${counted(count, "person", "people")} for good?`,
  deleteHelp:
    "The accounts and their data are removed; their rooms stay without them as owners. This cannot be undone.",
  deleteWord: "delete",
  deleteConfirm: "Delete for good",
  deletedDone: (count: number, name: string) =>
    count === 1
      ? `${name} is deleted for good.`
      : `${counted(count, "person", "people")} deleted for good.`,
  nothingChanged: "Nothing was changed.",
  inTheWay: (name: string) => `In the way: ${name}.`,
  ownedRooms: "Rooms",
  formerRooms: "Rooms formerly owned",
  noRooms: "Owns no room.",
  allTheirRooms: "All their rooms",
  actions: "Account",
  suspendHelp: "Ends their sessions and keeps them from signing in until restored.",
  restoreHelp: "Lets them sign in again.",
  revokeOneHelp: "Takes the account away; it can be reactivated.",
  reactivateHelp: "Gives full access back; the password stays as it was.",
  resetRowHelp: "Makes a new password, shows it once and sends it by letter.",
  deleteRowHelp: "Removes the account; this cannot be undone.",
  goneTitle: "This person does not exist",
};
