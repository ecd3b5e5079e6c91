import type { takeTurns } from "../../server/turns.ts";
import type { Twin } from "./twin.ts";

/** Lets everybody wait in one lane: first come, first served. */
export const oneLane: Twin = {
  name: "lets everybody wait in one lane",
  replaced: [
    {
      file: "turns.ts",
      export: "takeTurns",
      by:
        (real: typeof takeTurns): typeof takeTurns =>
        (...given) => {
          const turns = real(...given);
          return { ...turns, run: (_, work) => turns.run("everybody", work) };
        },
    },
  ],
};
