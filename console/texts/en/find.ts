import { counted } from "./plural.ts";

const roomsOf = (count: number, name: string): string =>
  count === 1 ? name : counted(count, "room", "rooms");

/** Changing many rooms at once. */
export const roomBulk = {
  setting: "Change a setting",
  settingTitle: (count: number, name: string) => `Change a setting of ${roomsOf(count, name)}`,
  which: "Setting",
  choose: "Choose a setting",
  confirm: "Change",
  handOver: "Hand over",
  handOverTitle: (count: number, name: string) => `Hand over ${roomsOf(count, name)}`,
  handOverHelp: "These people own the rooms from now on, in place of the current owners.",
  delete: "Delete",
  deleteTitle: (count: number, name: string) => `Delete ${roomsOf(count, name)}?`,
  deleteConfirm: (count: number) => (count === 1 ? "Delete room" : "Delete rooms"),
  deleteWord: "delete",
  tooMany: (most: number) => `At most ${most} rooms at a time.`,
  changed: (count: number, name: string) =>
    count === 1 ? `${name} is changed.` : `${roomsOf(count, name)} are changed.`,
  deleted: (count: number, name: string) =>
    count === 1 ? `${name} is deleted.` : `${roomsOf(count, name)} are deleted.`,
  undone: "The change was undone.",
  undoneBut: (count: number) => `Undone, except ${counted(count, "room", "rooms")}.`,
  unchanged: (count: number) =>
    `${counted(count, "room stays as it is", "rooms stay as they are")}:`,
  refused: (name: string, message: string) => `${name}: ${message}`,
  andMore: (count: number) => `and ${count.toLocaleString("en")} more`,
  inUse: (people: number, since: string) => `${people.toLocaleString("en")} inside since ${since}`,
  typeFilter: "Type",
  anyType: "Any type",
  statusFilter: "Status",
  anyStatus: "Any status",
};

/** The palette that finds everything, and the keys of the console. */
export const palette = {
  open: "Find anything",
  title: "Find people, rooms, pages and actions",
  search: "Find people, rooms, pages and actions",
  nothing: "Nothing matches",
  searching: "Searching…",
  pages: "Pages",
  rooms: "Rooms",
  people: "People",
  actions: "Actions",
  scheme: { light: "Light colors", dark: "Dark colors", auto: "Colors of the system" },
  keys: {
    title: "Keys",
    open: "Show the keys",
    palette: "Find anything",
    search: "Go to the search of the page",
    help: "Show these keys",
    close: "Close what is open",
    or: "or",
    fields: "While you type in a field, these keys do nothing.",
  },
};
