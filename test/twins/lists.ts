// Twins that list the wrong rooms.
import type { Twin } from "./twin.ts";

/** Walks from the end as if the list had one row less. */
export const turnsWrong: Twin = {
  name: "turns the wrong page round",
  replaced: [
    {
      file: "rooms/list.ts",
      lines: "const behind = sql`total -",
      by: "const behind = sql`total - 1 -",
    },
  ],
};

/** Counts all rooms where some were searched. */
export const countsAll: Twin = {
  name: "counts what was not searched",
  replaced: [
    {
      file: "rooms/list.ts",
      lines: "? chosen(db, narrowed, which)",
      by: "? chosen(db, { ...narrowed, searched: false }, which)",
    },
  ],
};

/** Refuses a room of the name "never made" when all is done: the change is rolled back. */
export const refusesLate: Twin = {
  name: "refuses at the end of a change",
  replaced: [
    {
      file: "rooms/rooms.ts",
      lines: "await Promise.all([addOwners(change, id, owners), countRooms(change, 1)]);",
      by: `await Promise.all([addOwners(change, id, owners), countRooms(change, 1)]);
        if (name === "never made") refuse("room_limit");`,
    },
  ],
};
