import { counted } from "./plural.ts";

export const bin = {
  title: "Recycle bin",
  description: "Deleted rooms and people stay here for some days, and can be restored.",
  searchLabel: "Search by name",
  filter: "Filter by kind",
  all: "Rooms and people",
  kinds: { room: "Rooms", user: "People" },
  kind: { room: "Room", user: "Person" },
  columns: { name: "Name", kind: "Kind", deletedAt: "Deleted", endsAt: "Deleted permanently" },
  what: (count: number) => counted(count, "entry", "entries"),
  restore: "Restore",
  delete: "Delete permanently",
  deleteTitle: (name: string) => `Delete ${name} permanently?`,
  deleteRoomHelp:
    "The room, its settings, recordings and meeting history are deleted. You cannot undo this.",
  deletePersonHelp:
    "The account and its data are deleted. Its rooms stay, without this owner. You cannot undo this.",
  deleted: (name: string) => `${name} is deleted permanently.`,
  restored: (count: number, name: string) =>
    count === 1 ? `${name} is restored.` : `${counted(count, "entry", "entries")} restored.`,
  binned: (count: number, name: string) =>
    count === 1
      ? `${name} is in the recycle bin.`
      : `${counted(count, "person", "people")} in the recycle bin.`,
  roomRests: (days: number) =>
    `The room stays in the recycle bin for ${counted(days, "day", "days")}. Until then it can be restored, with its recordings and meeting history.`,
  peopleRest: (count: number, days: number) =>
    count === 1
      ? `The account stays in the recycle bin for ${counted(days, "day", "days")}. Until then it can be restored. Its rooms stay, without this owner.`
      : `The accounts stay in the recycle bin for ${counted(days, "day", "days")}. Until then they can be restored. Their rooms stay, without these owners.`,
  deletePeople: "Delete",
  deletePeopleTitle: (count: number, name: string) =>
    count === 1 ? `Delete ${name}?` : `Delete ${counted(count, "person", "people")}?`,
  empty: "The recycle bin is empty",
  emptyHelp: "Rooms and people that are deleted in the console come here first.",
  off: "The recycle bin is off",
  offHelp:
    "Deleted rooms and people are gone at once. To keep them for some days, change the settings.",
  toSettings: "Open the settings",
  noMatch: "Nothing matches",
  noMatchHelp: "Change the search or the filter.",
  hint: "A recycle bin would keep deleted rooms and people for some days.",
  settings: {
    title: "Recycle bin",
    help: "Keeps deleted rooms and people for some days, so that they can be restored.",
    binDays: "Days in the recycle bin",
    binDaysHelp: "Then they are deleted permanently. If this is empty, they are deleted at once.",
    binFor: "What goes into the recycle bin",
    choices: {
      console: "What is deleted in the console",
      everything: "Everything, including what applications delete",
    },
  },
};
