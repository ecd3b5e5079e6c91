import type { Twin } from "./twin.ts";

/** Ends a link with every meeting, also with a lone visit. */
export const endsWithEveryVisit: Twin = {
  name: "ends a link with a lone visit",
  replaced: [
    {
      file: "meetings/state/link-end.ts",
      lines: "if (room.roomPermaLink || !wereTogether(stays)) return false;",
      by: "if (room.roomPermaLink || stays.length === 0) return false;",
    },
  ],
};

/** Lets in everybody who waits for a seat as soon as one is free. */
export const letsEverybodyIn: Twin = {
  name: "lets in everybody who waits for a seat",
  replaced: [
    {
      file: "meetings/state/waiting-queue.ts",
      lines: "if (whyFull(room, meeting, taken, seat.role)) others.push(seat);",
      by: "if (queued.every((one) => whyFull(room, meeting, taken, one.role))) others.push(seat);",
    },
    { file: "meetings/state/waiting-queue.ts", lines: "taken[seat.role] += 1;", by: "" },
  ],
};

/** Lets guests in although no host has come. */
export const waitsForNobody: Twin = {
  name: "waits for no host",
  replaced: [
    {
      file: "meetings/state/waiting-queue.ts",
      lines: "if (!waits_for_host) return false;",
      by: "if (waits_for_host || !waits_for_host) return false;",
    },
  ],
};
