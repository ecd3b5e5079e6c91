import { counted } from "./plural.ts";

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
