import type { startChanges } from "../../server/db/changes.ts";
import type { changeTurns } from "../../server/db/turns.ts";
import type { takeTurns } from "../../server/lib/turns.ts";
import type { Twin } from "./twin.ts";

/** Puts everybody into one queue: first come, first served. */
export const oneLane: Twin = {
  name: "lets everybody wait in one lane",
  replaced: [
    {
      file: "lib/turns.ts",
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

/** Counts each try to sign in at once, whatever row it waits for, with a connection of its own. */
export const triesAtOnce: Twin = {
  name: "counts tries at once",
  replaced: [
    {
      file: "db/turns.ts",
      export: "changeTurns",
      by: (): typeof changeTurns => () => (_key, run) => run(),
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

/** Answers changes as done although their statements have failed. */
export const commitsWhatFailed: Twin = {
  name: "commits what has failed",
  replaced: [
    {
      file: "db/changes.ts",
      lines: "await Promise.all([...sent.map(({ done }) => done), transaction.commit()]);",
      by: "await transaction.commit();",
    },
    {
      file: "db/postgres/held-connection.ts",
      lines: 'if (command !== "COMMIT")',
      by: "if (command === undefined)",
    },
  ],
};

/** Goes on, from an earlier savepoint, in a transaction that has failed. */
export const revivesWhatFailed: Twin = {
  name: "goes on behind what has failed",
  replaced: [
    {
      file: "db/changes.ts",
      lines: "await saved; await transaction.undo();",
      by: "await transaction.undo();",
    },
  ],
};
