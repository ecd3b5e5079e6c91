import type { Twin } from "./twin.ts";

/** Gives a userName to a second person. */
export const usesNamesAgain: Twin = {
  name: "uses a userName again",
  replaced: [
    {
      file: "scim/people.ts",
      lines: "if (holders.some((holder) => holder.id !== id)) {",
      by: "if (holders.length > 1) {",
    },
  ],
};
