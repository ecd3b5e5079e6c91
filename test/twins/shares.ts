import type { startChanges } from "../../server/db/changes.ts";
import type { takeTurns } from "../../server/turns.ts";
import type { Twin } from "./twin.ts";

/** Puts everybody into one queue: first come, first served. */
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

/** Refuses every waiting change as soon as one of them gets no transaction. */
export const refusesAll: Twin = {
  name: "refuses all that wait",
  replaced: [
    {
      file: "db/changes.ts",
      export: "startChanges",
      by:
        (real: typeof startChanges): typeof startChanges =>
        (begin, limits) =>
          real(begin, { ...limits, beginMs: 0 }),
    },
  ],
};
