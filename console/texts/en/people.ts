import type { createUser } from "../../../contract/people/users.ts";
import { counted } from "./plural.ts";

/** The texts of a field: its label, and help if the label is not enough. */
interface FieldTexts {
  readonly label: string;
  readonly help?: string;
}

/** A field without a line here is a compile error. */
const fields: Record<keyof typeof createUser.input.shape, FieldTexts> = {
  email: {
    label: "Email",
    help: "Parley sends emails to this address, and the person can sign in with it. No other account can have it.",
  },
  name: { label: "Name", help: "Other people see it." },
  loginUrl: { label: "Sign-in address", help: "The link in the welcome email." },
  admin: {
    label: "Administrator",
    help: "May do everything in the organization: rooms, people and access keys.",
  },
  meetNowEnabled: { label: "Instant meetings", help: "The person can take part in them." },
  tags: { label: "Tags", help: "Instant meetings use them." },
  displayRating: { label: "Show ratings", help: "Shows the ratings of instant meetings." },
  location: { label: "Location" },
  role: { label: "Role", help: "You can filter lists by it." },
};

const labels = Object.fromEntries(
  Object.entries(fields).map(([name, { label }]) => [name, label]),
) as Record<keyof typeof fields, string>;

export const people = {
  title: "People",
  description: "People can own rooms and sign in.",
  what: (count: number) => counted(count, "person", "people"),
  one: "person",
  labels,
  help: (name: keyof typeof fields): string | undefined => fields[name].help,
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
  searchHint: "Name, email or username",
  roleFilter: "Roles",
  allRoles: "All roles",
  stateFilter: "State",
  anyState: "Any state",
  adminFilter: "Administrators",
  everyone: "Everyone",
  adminsOnly: "Administrators only",
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
  delete: "Delete permanently",
  empty: "No people yet",
  emptyHelp: "Create the first person. They get an email that says how to sign in.",
  noRevoked: "Nobody is revoked",
  noRevokedHelp:
    "People whose access you revoke stay here until you reactivate them or delete them permanently.",
  noMatch: "Nobody matches",
  noMatchHelp: "Try another search, or clear the filters.",
  newTitle: "New person",
  account: "Account",
  groups: { details: "Details", meetings: "Instant meetings" },
  welcome: "Welcome email",
  save: "Save changes",
  saveNew: "Create person",
  saved: (name: string) => `${name} is saved.`,
  conflictTitle: (name: string) => `${name} has changed since you opened it`,
  username: "Username",
  password: "Password",
  profileId: "Profile ID",
  userId: "User ID",
  since: "Created",
  credentials: {
    created: (name: string) => `${name} can sign in`,
    reset: (name: string) => `${name} has a new password`,
    once: "The password is shown only this once.",
    email: (address: string) =>
      `An email that says how to sign in is on its way to ${address}. Copy the password only if you want to hand it over yourself.`,
    noMail:
      "No email is sent, because SMTP_URL is not set. Copy the password now, and hand it over yourself.",
    copyBoth: "Copy both",
  },
  suspended: (name: string) => `${name} is suspended.`,
  resetFactors: "Reset second factor",
  resetFactorsTitle: (name: string) => `Reset the second factor of ${name}?`,
  resetFactorsHelp:
    "The person signs in with the password alone, until they set up another app. Their sessions end at once.",
  resetFactorsRowHelp: "For a person who has lost the phone and the recovery codes.",
  factorsReset: (name: string) => `The second factor of ${name} is removed.`,
  resetTitle: (name: string) => `Give ${name} a new password?`,
  resetHelpNoMail:
    "The old password and all sessions end at once. The new password is shown to you once. No email is sent, because SMTP_URL is not set.",
  resetHelp:
    "The old password and all sessions end at once. The new password is shown to you once and sent by email.",
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
  suspendSeveralTitle: (count: number, name: string) =>
    count === 1 ? `Suspend ${name}?` : `Suspend ${counted(count, "person", "people")}?`,
  suspendSeveralHelp:
    "They are signed out at once and cannot sign in until you restore them. Their data and rooms stay.",
  suspendedDone: (count: number, name: string) =>
    count === 1 ? `${name} is suspended.` : `${counted(count, "person", "people")} suspended.`,
  restored: (count: number, name: string) =>
    count === 1
      ? `${name} can sign in again.`
      : `${counted(count, "person", "people")} can sign in again.`,
  changeRole: "Change role",
  roleTitle: (count: number, name: string) =>
    count === 1
      ? `Change the role of ${name}`
      : `Change the role of ${counted(count, "person", "people")}`,
  roleHelp: "Nothing else changes. A role does not make anybody an administrator.",
  roleChanged: (count: number, name: string, role: string) =>
    count === 1
      ? `${name} is now ${role}.`
      : `${counted(count, "person", "people")} are now ${role}.`,
  deleteTitle: (count: number, name: string) =>
    count === 1
      ? `Delete ${name} permanently?`
      : `Delete ${counted(count, "person", "people")} permanently?`,
  deleteHelp: (count: number) =>
    count === 1
      ? "The account and its data are deleted. Its rooms stay, without this owner. You cannot undo this."
      : "The accounts and their data are deleted. Their rooms stay, without these owners. You cannot undo this.",
  deleteWord: "delete",
  deleteConfirm: "Delete permanently",
  deletedDone: (count: number, name: string) =>
    count === 1
      ? `${name} is deleted permanently.`
      : `${counted(count, "person", "people")} deleted permanently.`,
  nothingChanged: "Nothing was changed.",
  refusedFor: (name: string) => `Refused for: ${name}.`,
  ownedRooms: "Rooms",
  formerRooms: "Rooms formerly owned",
  noRooms: "Owns no room.",
  allTheirRooms: "All their rooms",
  data: "Save their data",
  dataHelp: "Everything that Parley knows about the person, as one file. No passwords.",
  actions: "Account",
  suspendHelp: "Signs them out. They cannot sign in until you restore them.",
  restoreHelp: "Lets them sign in again.",
  revokeOneHelp: "Signs them out and ends their access. You can reactivate the account.",
  reactivateHelp: "Gives full access back. The password stays the same.",
  resetRowHelp: "Creates a new password and shows it once.",
  deleteRowHelp: "Deletes the account. You cannot undo this.",
};

export const handOver = {
  action: "Hand over…",
  title: (name: string) => `Hand over the rooms of ${name}`,
  help: "The new owners replace the current one in every room, together.",
  confirm: "Hand over",
  owns: (people: number, rooms: number) =>
    people === 1
      ? `Owns ${counted(rooms, "room", "rooms")}. You can hand them over.`
      : `They own ${counted(rooms, "room", "rooms")}. You can hand them over.`,
  heirs: "New owners",
  add: "Add a new owner",
  placeholder: "Search by name, email or username",
  remove: (name: string) => `Remove ${name}`,
  done: (rooms: number) => `${counted(rooms, "room", "rooms")} handed over.`,
  goesOn: (rooms: number, left: number) =>
    `${counted(rooms, "room", "rooms")} handed over; ${left.toLocaleString("en")} more follow automatically.`,
  alreadyDone: "Rooms were handed over already. You can undo that in the history.",
  orListed: "Rooms that nobody else owns are then listed under",
  withoutOwner: "Rooms without an owner",
};
