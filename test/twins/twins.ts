import type { openOrganization } from "../../server/change/organization.ts";
import type { postgresSchema } from "../../server/db/postgres/schema.ts";
import type { claimLetters, mayLeave } from "../../server/mail/claims.ts";
import type { withdrawLetters } from "../../server/mail/outbox.ts";
import type { storedEmail } from "../../server/records/user-columns.ts";
import { around, type Twin } from "./twin.ts";

/** Leaves the order of texts to PostgreSQL's own collation, which is not byte order. */
export const ownOrder: Twin = {
  name: "leaves the order of texts to the database",
  replaced: [
    {
      file: "db/postgres/schema.ts",
      export: "postgresSchema",
      by: async (real: typeof postgresSchema): Promise<typeof postgresSchema> => {
        const { sql } = await import("kysely");
        return (openPool) => {
          const schema = real(openPool);
          return { ...schema, types: { ...schema.types, text: sql`text` } };
        };
      },
    },
  ],
};

/** Reads the organization before the change that relies on it: a limit checked before the insert. */
export const readsBefore: Twin = {
  name: "reads the organization before its change",
  replaced: [
    {
      file: "change/organization.ts",
      export: "openOrganization",
      by:
        (real: typeof openOrganization): typeof openOrganization =>
        (...given) => {
          const opened = real(...given);
          return {
            ...opened,
            async change(rule, ahead) {
              const organization = await opened.read
                .selectFrom("organizations")
                .selectAll()
                .where("id", "=", opened.id)
                .executeTakeFirstOrThrow();
              return opened.change(
                (change, read) => rule({ ...change, organization }, read),
                ahead,
              );
            },
          };
        },
    },
  ],
};

/** Treats addresses as equal if lower() makes them equal. */
export const emailsByLower: Twin = {
  name: "compares addresses by lower()",
  replaced: [
    {
      file: "records/user-columns.ts",
      export: "storedEmail",
      by:
        (real: typeof storedEmail): typeof storedEmail =>
        (email) => ({ ...real(email), email_key: email.toLowerCase() }),
    },
  ],
};

/** Checks whether a room ID is taken before it stores it, and relies on that. */
export const roomsWithoutIndex: Twin = {
  name: "looks for a room ID before it stores it",
  replaced: [
    {
      file: "db/migrations/table.ts",
      export: "uniqueIndex",
      by: `(real) => async (db, table, columns, ...more) => {
        const { index } = await import("./table.ts");
        const make = table === "rooms" && columns.includes("room") ? index : real;
        await make(db, table, columns, ...more);
      }`,
    },
    around("createRoom", (real) => async (service, call, auth) => {
      const { room } = call.input as { readonly room?: string };
      const taken = await service.database.read
        .selectFrom("rooms")
        .select("id")
        .where("organization_id", "=", auth?.organizationId ?? "")
        .where("room", "=", room ?? "")
        .executeTakeFirst();
      const { refuse } = await import("../../server/lib/refusal.ts");
      return taken ? refuse("room_taken") : real(service, call, auth);
    }),
  ],
};

/** Answers when the rule is done, and commits a little later. */
export const answersBefore: Twin = {
  name: "answers before its commit",
  replaced: [
    {
      file: "change/organization.ts",
      export: "openOrganization",
      by:
        (real: typeof openOrganization): typeof openOrganization =>
        (...given) => {
          const opened = real(...given);
          return {
            ...opened,
            change: (rule, ahead) =>
              new Promise((done, failed) => {
                opened
                  .change(async (change, read) => {
                    done(await rule(change, read));
                    await new Promise((later) => setTimeout(later, 10));
                  }, ahead)
                  .catch(failed);
              }),
          };
        },
    },
  ],
};

/** Reads the whole room, changes the requested fields, and saves the whole room. */
export const savesWhole: Twin = {
  name: "saves the whole room",
  replaced: [
    around("editRoom", (real) => async (service, call, auth) => {
      const { readRoom } = await import("../../contract/rooms/record.ts");
      const input = call.input as { readonly room: string; readonly changes: object };
      const seen = await service.database.read
        .selectFrom("rooms")
        .select(["record", "extras"])
        .where("organization_id", "=", auth?.organizationId ?? "")
        .where("room", "=", input.room)
        .executeTakeFirstOrThrow();
      await new Promise((later) => setTimeout(later, 3));
      const { name, noOfViewers, roomAgenda } = readRoom(seen.record, seen.extras);
      const changes = { name, noOfViewers, roomAgenda, ...input.changes };
      return real(service, { ...call, input: { ...input, changes } as typeof call.input }, auth);
    }),
  ],
};

/** Revokes the entries of an array one after the other. */
export const revokesOneByOne: Twin = {
  name: "revokes one after the other",
  replaced: [
    around("revokeUsers", (real) => async (service, call, auth) => {
      let answer: unknown;
      for (const one of call.input as readonly unknown[]) {
        answer = await real(service, { ...call, input: [one] as typeof call.input }, auth);
      }
      return answer;
    }),
  ],
};

/** Leaves it to chance which of two rooms with one name comes first. */
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

/** Sends every letter that was posted, even if its password has been replaced. */
export const sendsOldLetters: Twin = {
  name: "sends letters whose password was replaced",
  replaced: [
    {
      file: "mail/outbox.ts",
      export: "withdrawLetters",
      by: (): typeof withdrawLetters => async () => {},
    },
    {
      file: "mail/claims.ts",
      export: "claimLetters",
      by:
        (real: typeof claimLetters): typeof claimLetters =>
        async (database, most) => {
          // As if each were for the current password.
          await database.change((tx) =>
            tx
              .updateTable("letters")
              .from("users")
              .set(({ ref }) => ({ credentials: ref("users.credentials") }))
              .whereRef("users.id", "=", "letters.user_id")
              .whereRef("users.credentials", "!=", "letters.credentials")
              .where("letters.state", "=", "waiting")
              .execute(),
          );
          return real(database, most);
        },
    },
    {
      file: "mail/claims.ts",
      export: "mayLeave",
      by: (): typeof mayLeave => async () => true,
    },
  ],
};
