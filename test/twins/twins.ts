import type { Twin } from "./twin.ts";

/** Leaves the order of texts to PostgreSQL's own collation: it is not that of bytes. */
export const ownOrder: Twin = {
  name: "leaves the order of texts to the database",
  replaced: [{ file: "db/postgres-schema.ts", lines: 'text collate "C"', by: "text" }],
};

/** Reads the organization before the change that counts on it: a limit checked before the insert. */
export const readsBefore: Twin = {
  name: "reads the organization before its change",
  replaced: [
    {
      file: "organization.ts",
      lines: "change: (rule) =>\n    database.change(async (tx) => {",
      by: `change: async (rule) => {
    const seen = await database.read.selectFrom("organizations").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
    return database.change(async (tx) => {`,
    },
    {
      file: "organization.ts",
      lines: "return rule({ tx, organization, caller, now: new Date().toISOString() });\n    }),",
      by: "return rule({ tx, organization: seen ?? organization, caller, now: new Date().toISOString() });\n    });},",
    },
  ],
};
