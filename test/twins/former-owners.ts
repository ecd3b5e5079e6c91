import type { Twin } from "./twin.ts";

/** Takes a former owner out of all rooms in the change that deletes them. */
export const mendsAtOnce: Twin = {
  name: "mends all rooms at once",
  replaced: [{ file: "rooms/owners.ts", lines: "MENDED = 50", by: "MENDED = 1_000_000" }],
};

/** Mends what the deletion mends, and nothing behind it: what is answered meanwhile can be looked at. */
export const neverMends: Twin = {
  name: "never mends rooms",
  replaced: [
    {
      file: "users/mender.ts",
      lines: "let waiting = await organizations();",
      by: "let waiting: string[] = [];",
    },
  ],
};

/** The same, and answers records as they are stored. */
export const showsFormerOwners: Twin = {
  name: "shows former owners",
  replaced: [
    ...neverMends.replaced,
    {
      file: "rooms/stored.ts",
      lines: "return former === null ? present : withoutOwners(present, former);",
      by: "return present;",
    },
  ],
};

/** The same, and knows former people still. */
export const knowsFormerPeople: Twin = {
  name: "knows former people",
  replaced: [
    ...neverMends.replaced,
    {
      file: "users/queries.ts",
      lines: '.where("id", "=", id)\n    .where("gone_at", "is", null)',
      by: '.where("id", "=", id)',
    },
  ],
};

/** Mends only what is deleted while it runs. */
export const forgetsAtStart: Twin = {
  name: "does not look for former owners at its start",
  replaced: [
    { file: "users/mender.ts", lines: "wake();\n  return {\n    wake,", by: "return {\n    wake," },
  ],
};
