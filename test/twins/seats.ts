import type { Twin } from "./twin.ts";

/** Counts the seats that were taken a moment ago. */
export const countsBefore: Twin = {
  name: "counts seats before the lock",
  replaced: [
    {
      file: "meetings/seats.ts",
      lines: "const { taken } = await occupancyOf(tx, meeting.id);",
      by: `const seen = (globalThis.seenSeats ??= new Map());
        const before = seen.get(meeting.id) ?? (await occupancyOf(tx, meeting.id));
        seen.set(meeting.id, before);
        setTimeout(() => seen.delete(meeting.id), 300);
        const { taken } = before;`,
    },
  ],
};

/** Keeps the seat of a lost connection for no time at all. */
export const freesAtOnce: Twin = {
  name: "frees a seat before the end of its lease",
  replaced: [{ file: "meetings/presence.ts", lines: "now(AWAY_MS)", by: "now(0)" }],
};

/** Takes the end of an earlier connection for the end of the present one. */
export const closesUnfenced: Twin = {
  name: "closes without the number of the connection",
  replaced: [{ file: "meetings/presence.ts", lines: '.where(connection, "=", number)', by: "" }],
};
