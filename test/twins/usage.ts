import type { Twin } from "./twin.ts";

/** Counts a meeting as another one whenever it comes by. */
export const countsAgain: Twin = {
  name: "counts a meeting whenever it comes by",
  replaced: [
    {
      file: "usage/count.ts",
      lines: "id, organization_id, room_id, room_type, started_at, ended_at, seconds,",
      by: "id: crypto.randomUUID(), organization_id, room_id, room_type, started_at, ended_at, seconds,",
    },
    {
      file: "usage/count.ts",
      lines: 'insertInto("usage_people").values(piece)',
      by: 'insertInto("usage_people").values(piece).onConflict((conflict) => conflict.doNothing())',
    },
  ],
};

/** Adds up the peaks of meetings that run at the same time only where they overlap with their beginning. */
export const looksAtBeginnings: Twin = {
  name: "counts a peak without the meetings that began earlier",
  replaced: [
    {
      file: "usage/count.ts",
      lines: '.where("ended_at", ">", started_at)',
      by: '.where("started_at", ">=", started_at)',
    },
  ],
};
