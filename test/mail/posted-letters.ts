import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { openSeal } from "../../server/db/seal.ts";
import { claimLetters } from "../../server/mail/claims.ts";
import * as outbox from "../../server/mail/outbox.ts";
import { emptyDatabase, user } from "../world/empty-database.ts";

export const content = {
  language: "en",
  name: "Ann",
  loginUrl: "https://example.org/",
  username: "ann_1",
  password: "SENTINEL",
} as const;

/** A database of people with one waiting welcome letter each, u1 to the last. */
export const begin = async (t: TestContext, people = 1) => {
  const database = await emptyDatabase(t);
  const seal = await openSeal({ secret: "ab".repeat(32), dataDir: "" });
  const ids: string[] = [];
  for (let i = 1; i <= people; i++) {
    const id = await database.change(async (tx) => {
      await tx
        .insertInto("users")
        .values(user(`u${i}`))
        .execute();
      const whose = { organizationId: "o1", userId: `u${i}`, recipient: `u${i}`, credentials: 0 };
      return await outbox.postLetter({ tx, leaveWork() {} }, seal, {
        ...whose,
        kind: "welcome",
        content,
      });
    });
    ids.push(id);
  }
  const row = (id = ids[0] ?? "") =>
    database.read.selectFrom("letters").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
  return { database, seal, ids, row };
};

/** Claims the only letter that is due. */
export const claimOne = async (database: Awaited<ReturnType<typeof begin>>["database"]) => {
  const [letter] = await claimLetters(database, 1);
  assert.ok(letter);
  return letter;
};
