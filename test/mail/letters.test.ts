import assert from "node:assert/strict";
import { test } from "node:test";
import { now } from "../../server/db/now.ts";
import { claimLetters, markRefused } from "../../server/mail/claims.ts";
import * as outbox from "../../server/mail/outbox.ts";
import { begin, claimOne } from "./posted-letters.ts";

test("a refused letter is visible and can be retried while its password is the account's", async (t) => {
  const { database, ids } = await begin(t);
  const id = ids[0] ?? "";
  const retry = (organization = "o1") =>
    database.change((tx) =>
      outbox.retryLetter({ tx, organization: { id: organization }, leaveWork() {} }, id),
    );
  await assert.rejects(retry(), { code: "letter_not_refused" });
  await markRefused(database, await claimOne(database), { error: "550 nobody" });
  const { waiting, refused } = await outbox.outboxState(database.read, "o1");
  assert.deepEqual([waiting, refused], [0, 1]);
  const page = await outbox.listLetters(database.read, "o1", {
    page: 1,
    limit: 10,
    state: "refused",
  });
  assert.equal(page.letters[0]?.last_error, "550 nobody");
  assert.equal("content" in (page.letters[0] ?? {}), false);
  await assert.rejects(retry("o2"), { code: "letter_not_found" });
  await retry();
  await markRefused(database, await claimOne(database), { error: "550 nobody" });
  await database.change((tx) => tx.updateTable("users").set({ credentials: 1 }).execute());
  await assert.rejects(retry(), { code: "letter_outdated" });
});

test("a refused letter's content is erased after 30 days, or when it is withdrawn", async (t) => {
  const { database, ids, row } = await begin(t, 3);
  for (const letter of await claimLetters(database, 3))
    await markRefused(database, letter, { error: "550" });
  const [old = "", young = "", gone = ""] = ids;
  const days = (n: number) => n * 24 * 60 * 60 * 1000;
  const ended = (id: string, ms: number) =>
    database.change((tx) =>
      tx
        .updateTable("letters")
        .set({ ended_at: now(ms) })
        .where("id", "=", id)
        .execute(),
    );
  await ended(old, -days(31));
  await ended(young, -days(29));
  await database.change(outbox.eraseOldContent);
  assert.deepEqual([(await row(old)).content, (await row(old)).state], [null, "refused"]);
  assert.notEqual((await row(young)).content, null);
  const organization = { id: "o1" };
  await assert.rejects(
    database.change((tx) => outbox.retryLetter({ tx, organization, leaveWork() {} }, old)),
    { code: "letter_outdated" },
  );
  await database.change((tx) => outbox.withdrawLetters(tx, ["u2", "u3"]));
  for (const id of [young, gone]) assert.equal((await row(id)).content, null);
});

test("pages of letters are newest first and end with the letters", async (t) => {
  const { database, ids } = await begin(t, 5);
  const page = (n: number) => outbox.listLetters(database.read, "o1", { page: n, limit: 2 });
  const [one, two, three, far] = [
    await page(1),
    await page(2),
    await page(3),
    await page(2 ** 53 - 1),
  ];
  assert.deepEqual(
    [one, two, three].flatMap(({ letters }) => letters.map(({ id }) => id)),
    ids.toReversed(),
  );
  assert.deepEqual(far, { letters: [], total: 5 });
});
