// Twins that remember wrongly where pages begin, and what rooms are called.
import type { Twin } from "./twin.ts";

/** Forgets that a page may begin elsewhere after another process changed a room. */
export const remembersPages: Twin = {
  name: "remembers where pages began before an edit",
  replaced: [
    {
      file: "rooms/list.ts",
      lines: "const version = counted?.rooms_version ?? 0;",
      by: "const version = counted ? 1 : 0;",
    },
    {
      file: "rooms/list.ts",
      lines: "part.end?.version === version",
      by: "part.end",
    },
  ],
};

/** Forgets that its own changes move the places at which pages begin. */
export const movesNoPages: Twin = {
  name: "leaves the beginnings of pages where they were",
  replaced: [
    {
      file: "rooms/page-starts.ts",
      lines: "known.places = movedBy(known.places, moves, order);",
      by: "",
    },
  ],
};

const slowly = { file: "rooms/known-names.ts", lines: "PIECE = 1_024", by: "PIECE = 100" };

/** Reads names so slowly into memory that much changes meanwhile. */
export const readsSlowly: Twin = { name: "reads names a few at a time", replaced: [slowly] };

/** Forgets what changed among the names that it had read when it reads the next. */
export const readsOnly: Twin = {
  name: "reads names as if nothing changed meanwhile",
  replaced: [
    slowly,
    {
      file: "rooms/known-names.ts",
      lines: "const renamings = end ? renamingsOf(moves, end) : [];",
      by: "const renamings: [] = [];",
    },
  ],
};

/** Forgets that its own changes rename what a search has in memory. */
export const renamesNothing: Twin = {
  name: "leaves the names in memory as they were",
  replaced: [
    {
      file: "rooms/known-names.ts",
      lines: 'do: "find", renamings: renamingsOf(moves), asked',
      by: 'do: "find", renamings: [], asked',
    },
  ],
};

/** Believes that what it has in memory follows from whatever another process changed. */
export const trustsNames: Twin = {
  name: "searches the names in memory after another process's change",
  replaced: [
    {
      file: "rooms/known-names.ts",
      lines: "return moves ?? (movesBetween(organizationId, version, known.version) && []);",
      by: "return moves ?? [];",
    },
  ],
};

/** Refuses a room of the name "never made" when all is done: the change is rolled back. */
export const refusesLate: Twin = {
  name: "refuses at the end of a change",
  replaced: [
    {
      file: "rooms/rooms.ts",
      lines: "await countRooms(change, undefined, row);",
      by: `await countRooms(change, undefined, row);
        if (name === "never made") refuse("room_limit");`,
    },
  ],
};
