import type { Twin } from "./twin.ts";

/** Leaves the order of texts to PostgreSQL's own collation: it is not that of bytes. */
export const ownOrder: Twin = {
  name: "leaves the order of texts to the database",
  replaced: [{ file: "db/postgres/schema.ts", lines: 'text collate "C"', by: "text" }],
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
      lines:
        "return rule({ tx, organization, caller, now: new Date().toISOString() });\n    }, id),",
      by: "return rule({ tx, organization: seen ?? organization, caller, now: new Date().toISOString() });\n    }, id);},",
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
      lines: "const record = await organization.change((c) => rooms.createRoom(c, input));",
      by: "if (input.room && (await fetchRecord(organization, input.room))) refuse('room_taken'); const record = await organization.change((c) => rooms.createRoom(c, input));",
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
      lines:
        "return rule({ tx, organization, caller, now: new Date().toISOString() });\n    }, id),",
      by: `const value = await rule({ tx, organization, caller, now: new Date().toISOString() });
      done(value);
      await new Promise((later) => setTimeout(later, 10));
      return value;
    }, id).catch(failed); }),`,
    },
  ],
};

/** Reads the whole room, changes what is asked for, and saves the whole room. */
export const savesWhole: Twin = {
  name: "saves the whole room",
  replaced: [
    {
      file: "http/routes.ts",
      lines: "await organization.change((c) => rooms.editRoom(c, { ...input, ifMatch }));",
      by: `await (async () => {
      const { readRoom } = await import("../../contract/room-record.ts");
      const seen = await fetchRecord(organization, input.room);
      await new Promise((later) => setTimeout(later, 3));
      const { name, noOfViewers, roomAgenda } = seen ? readRoom(seen, "{}") : {};
      const changes = { name, noOfViewers, roomAgenda, ...input.changes };
      return organization.change((c) => rooms.editRoom(c, { ...input, ifMatch, changes }));
    })();`,
    },
  ],
};

/** Revokes the entries of an array one after the other. */
export const revokesOneByOne: Twin = {
  name: "revokes one after the other",
  replaced: [
    {
      file: "http/routes.ts",
      lines: "await organization.change((c) => accounts.revokeUsers(c, ids));",
      by: "for (const id of ids) await organization.change((c) => accounts.revokeUsers(c, [id]));",
    },
  ],
};

/** Leaves it to chance which of two rooms of one name comes first. */
export const anyOrder: Twin = {
  name: "orders equal names as it likes",
  replaced: [
    {
      file: "rooms/list.ts",
      lines: '.orderBy("rooms.id", walked)',
      by: ".orderBy(sql`random()`)",
    },
  ],
};

/** Sends every letter that was posted, whatever became of its password. */
export const sendsOldLetters: Twin = {
  name: "sends letters whose password was replaced",
  replaced: [
    { file: "users/reset.ts", lines: "await withdrawLetters(tx, [user.id]);", by: "" },
    { file: "mail/claims.ts", lines: "letter.present === letter.credentials &&", by: "" },
    {
      file: "mail/claims.ts",
      lines: '.whereRef("users.credentials", "=", "letters.credentials")',
      by: "",
    },
  ],
};
