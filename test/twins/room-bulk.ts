import type { Twin } from "./twin.ts";

/** Counts each of several deletions from the counters as the change has found them. */
export const countsFromTheStart: Twin = {
  name: "counts several deleted rooms as one",
  replaced: [
    { file: "bin/rooms.ts", lines: "const next = await renewed(one);", by: "const next = one;" },
  ],
};
