import type { Replacement, Twin } from "./twin.ts";

const changesLookOnce: Replacement = {
  file: "access/caller.ts",
  lines: "const { caller } = await recheck(change.tx, auth, access);",
  by: "const { caller } = auth;",
};

/** Knows who calls from the head of a request, and never looks again. */
export const looksOnce: Twin = {
  name: "looks at its caller once",
  replaced: [
    { file: "http/route.ts", lines: "if (auth && request.isLate) {", by: "if (false) {" },
    changesLookOnce,
  ],
};

/** Looks again once a body has arrived, and not under the row that it changes. */
export const looksBefore: Twin = {
  name: "looks at its caller before it takes the row",
  replaced: [changesLookOnce],
};
