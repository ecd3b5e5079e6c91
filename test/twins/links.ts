import type { Twin } from "./twin.ts";

/** Ends a link with every meeting, also with a lone visit. */
export const endsWithEveryVisit: Twin = {
  name: "ends a link with a lone visit",
  replaced: [
    {
      file: "meetings/together.ts",
      lines: "if (room.roomPermaLink || !wereTogether(stays)) return false;",
      by: "if (room.roomPermaLink || stays.length === 0) return false;",
    },
  ],
};
