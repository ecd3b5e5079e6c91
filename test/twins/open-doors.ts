import type { findCaller } from "../../server/access/tokens.ts";
import type { inputCheck } from "../../server/http/check.ts";
import type { findUser, userOf } from "../../server/records/user-queries.ts";
import type { pageOfRooms } from "../../server/rooms/list.ts";
import type { Replacement, Twin } from "./twin.ts";

/** Finds accounts in a change as the twin finds them elsewhere. */
export const throughFindUser: Replacement = {
  file: "records/user-queries.ts",
  export: "userOf",
  by:
    (real: typeof userOf): typeof userOf =>
    async (change, id) => {
      const queries = await import("../../server/records/user-queries.ts");
      const found = await queries.findUser(change.tx, change.organization.id, id);
      return found ?? real(change, id);
    },
};

/** Finds an account by its ID alone, whatever the caller's organization. */
export const findsEverybody: Twin = {
  name: "finds accounts of every organization",
  replaced: [
    {
      file: "records/user-queries.ts",
      export: "findUser",
      by: (): typeof findUser => (db, _organizationId, id) =>
        db
          .selectFrom("users")
          .selectAll()
          .where("id", "=", id)
          .where("gone_at", "is", null)
          .executeTakeFirst(),
    },
    throughFindUser,
  ],
};

/** Lists the rooms of every organization, one after the other. */
export const seesEveryRoom: Twin = {
  name: "lists rooms of every organization",
  replaced: [
    {
      file: "rooms/list.ts",
      export: "pageOfRooms",
      by:
        (real: typeof pageOfRooms): typeof pageOfRooms =>
        async (organization, asked) => {
          const all = await organization.read.selectFrom("organizations").select("id").execute();
          const pages = await Promise.all(
            all.map(({ id }) => real({ ...organization, id }, asked)),
          );
          const pieces = async function* () {
            for (const page of pages) {
              for await (const piece of page.pieces) if (piece !== "") yield piece;
            }
          };
          const total = pages.reduce((sum, page) => sum + Number(page.total), 0);
          return { total, pieces: pieces() };
        },
    },
  ],
};

/** Remembers for a minute whom a token belongs to. */
export const remembersCallers: Twin = {
  name: "remembers who calls",
  replaced: [
    {
      file: "access/tokens.ts",
      export: "findCaller",
      by: (real: typeof findCaller): typeof findCaller => {
        const known = new Map<string, Awaited<ReturnType<typeof findCaller>>>();
        return async (database, token) => {
          const found = known.get(token) ?? (await real(database, token));
          known.set(token, found);
          setTimeout(() => known.delete(token), 60_000).unref();
          return found;
        };
      },
    },
  ],
};

/** Does not check the caller's input against the operation's schema. */
export const fieldsUnchecked: Twin = {
  name: "takes what it is given",
  replaced: [
    {
      file: "http/check.ts",
      export: "inputCheck",
      by:
        (real: typeof inputCheck): typeof inputCheck =>
        (operation) => {
          const whole = real(operation);
          const check = (raw: unknown) => (raw ?? {}) as ReturnType<typeof whole.check>;
          return operation.id === "editUser" ? { ...whole, check } : whole;
        },
    },
  ],
};
