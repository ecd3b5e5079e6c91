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

/** Holds addresses for the same when lower() makes them so. */
export const emailsByLower: Twin = {
  name: "compares addresses by lower()",
  replaced: ["users/create.ts", "users/edit.ts"].map((file) => ({
    file,
    lines: file.includes("create") ? "emailKey(account.email)" : "emailKey(edit.email)",
    by: file.includes("create") ? "account.email.toLowerCase()" : "edit.email.toLowerCase()",
  })),
};

/** Looks whether a room ID is taken before it stores it, and trusts that. */
export const roomsWithoutIndex: Twin = {
  name: "looks for a room ID before it stores it",
  replaced: [
    {
      file: "db/migrations/0001-first-indexes.ts",
      lines: 'await uniqueIndex(db, "rooms", ["organization_id", "room"]);',
      by: 'await index(db, "rooms", ["organization_id", "room"]);',
    },
    {
      file: "http/routes.ts",
      lines: "scoped(o.createRoom, async ({ input, organization }) =>",
      by: "scoped(o.createRoom, async ({ input, organization }) => input.room && (await fetchRecord(organization, input.room)) ? refuse('room_taken') :",
    },
  ],
};

/** Answers when the rule is done, and commits a little later. */
export const answersBefore: Twin = {
  name: "answers before its commit",
  replaced: [
    {
      file: "organization.ts",
      lines: "change: (rule) =>\n    database.change(async (tx) => {",
      by: "change: (rule) => new Promise((done, failed) => {\n    database.change(async (tx) => {",
    },
    {
      file: "organization.ts",
      lines: "return rule({ tx, organization, caller, now: new Date().toISOString() });\n    }),",
      by: `const value = await rule({ tx, organization, caller, now: new Date().toISOString() });
      done(value);
      await new Promise((later) => setTimeout(later, 10));
      return value;
    }).catch(failed); }),`,
    },
  ],
};
