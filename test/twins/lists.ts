// Twins that list the wrong rooms.
import type { pageOfRooms } from "../../server/rooms/list.ts";
import type { createRoom } from "../../server/rooms/rooms.ts";
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

/** Counts all rooms instead of those that were searched. */
export const countsAll: Twin = {
  name: "counts what was not searched",
  replaced: [
    {
      file: "rooms/list.ts",
      export: "pageOfRooms",
      by:
        (real: typeof pageOfRooms): typeof pageOfRooms =>
        async (organization, asked) => {
          const { total } = await real(organization, { ...asked, search: "" });
          return { ...(await real(organization, asked)), total };
        },
    },
  ],
};

/** Refuses a room named "never made" at the very end, so that its change is rolled back. */
export const refusesLate: Twin = {
  name: "refuses at the end of a change",
  replaced: [
    {
      file: "rooms/rooms.ts",
      export: "createRoom",
      by:
        (real: typeof createRoom): typeof createRoom =>
        async (change, room) => {
          const record = await real(change, room);
          const { refuse } = await import("../../server/lib/refusal.ts");
          return room.name === "never made" ? refuse("room_limit") : record;
        },
    },
  ],
};
