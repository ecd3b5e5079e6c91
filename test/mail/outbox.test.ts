import assert from "node:assert/strict";
import { tmpdir } from "node:os";
import { test } from "node:test";
import { type Change, openOrganization, service } from "../../server/change/organization.ts";
import { now } from "../../server/db/now.ts";
import { DAY_MS } from "../../server/lib/durations.ts";
import {
  claimLetters,
  markRefused,
  markSent,
  mayLeave,
  postponeLetter,
  releaseLetter,
} from "../../server/mail/claims.ts";
import * as outbox from "../../server/mail/outbox.ts";
import { removeOver } from "../../server/mail/tidy.ts";
import { user } from "../world/empty-database.ts";
import { begin, claimOne, content } from "./posted-letters.ts";

test("postmen that look at the same time share the letters, each once", async (t) => {
  const { database, seal, ids } = await begin(t, 20);
  const claimed = (
    await Promise.all(Array.from({ length: 10 }, () => claimLetters(database, 4)))
  ).flat();
  for (
    let more = await claimLetters(database, 4);
    more.length > 0;
    more = await claimLetters(database, 4)
  ) {
    claimed.push(...more);
  }
  assert.deepEqual(claimed.map(({ id }) => id).sort(), ids);
  for (const letter of claimed) assert.deepEqual(outbox.openContent(seal, letter, ""), content);
});

test("a failed change leaves no letter", async (t) => {
  const { database, seal } = await begin(t, 0);
  const failing = database.change(async (tx) => {
    await tx.insertInto("users").values(user("u1")).execute();
    const whose = { organizationId: "o1", userId: "u1", recipient: "u1", credentials: 0 };
    await outbox.postLetter({ tx, leaveWork() {} }, seal, { ...whose, kind: "welcome", content });
    throw new Error("no");
  });
  await assert.rejects(failing);
  assert.deepEqual(await claimLetters(database, 4), []);
});

test("a change that posts or retries a letter wakes the postman after its commit, a failed one does not", async (t) => {
  const { database, seal } = await begin(t);
  const { change, attempt } = openOrganization(database, "o1", service);
  let woken = 0;
  database.leftWork.listen("emails", () => {
    woken += 1;
  });
  const whose = { organizationId: "o1", userId: "u1", recipient: "u1", credentials: 0 };
  const changed = { language: "en", name: "Ann", changed: "passwordChanged" } as const;
  const notice = { ...whose, content: { ...changed, changedAt: "", from: "", browser: "" } };
  const steps: readonly ((one: Change) => Promise<unknown>)[] = [
    (one) => outbox.postLetter(one, seal, { ...whose, kind: "welcome", content }),
    (one) => outbox.postNotice(one, notice),
    outbox.retryLetters,
  ];
  for (const [at, step] of steps.entries()) {
    await change(async (one) => {
      await step(one);
      assert.equal(woken, at);
    });
    assert.equal(woken, at + 1);
    await attempt(step);
    assert.equal(woken, at + 1);
  }
  await change(async ({ leaveWork }) => leaveWork("chores"));
  assert.equal(woken, steps.length);
});

test("a sent letter's content is erased and its row stays", async (t) => {
  const { database, row } = await begin(t);
  assert.equal(await markSent(database, await claimOne(database), "server"), true);
  const { state, content: left, ended_at } = await row();
  assert.deepEqual([state, left, ended_at !== null], ["sent", null, true]);
});

test("the database shows no password of a waiting letter", async (t) => {
  const { row } = await begin(t);
  assert.doesNotMatch(JSON.stringify(await row()), /SENTINEL/);
});

test("marks of a postman that lost its claim do nothing", async (t) => {
  const { database, row } = await begin(t);
  const slow = await claimOne(database);
  assert.deepEqual(await claimLetters(database, 1), []);
  await database.change((tx) =>
    tx
      .updateTable("letters")
      .set({ due_at: now(-1) })
      .execute(),
  );
  assert.equal(await mayLeave(database, slow), false);
  const quick = await claimOne(database);
  assert.equal(await mayLeave(database, slow), false);
  assert.equal(await mayLeave(database, quick), true);
  assert.equal(await markSent(database, slow, "server"), false);
  assert.equal(await releaseLetter(database, slow), false);
  assert.equal(await postponeLetter(database, slow, 0, { error: "x" }), false);
  assert.equal((await row()).state, "waiting");
  assert.equal(await markSent(database, quick, "server"), true);
  assert.equal(await markRefused(database, slow, { error: "x" }), false);
  assert.equal((await row()).state, "sent");
});

const changes = [
  ["the password was replaced", { credentials: 1 }],
  ["the account was revoked", { account_deleted: true }],
] as const;
for (const [what, change] of changes) {
  test(`a letter is withdrawn when ${what}, before and after its claim`, async (t) => {
    const { database, ids, row } = await begin(t, 2);
    const claimed = await claimOne(database);
    await database.change((tx) => tx.updateTable("users").set(change).execute());
    assert.equal(await mayLeave(database, claimed), false);
    await releaseLetter(database, claimed);
    assert.deepEqual(await claimLetters(database, 4), []);
    for (const id of ids) {
      const { state, content: left } = await row(id);
      assert.deepEqual([state, left], ["withdrawn", null]);
    }
  });
}

test("a letter goes to the address that the account has at delivery", async (t) => {
  const { database, row } = await begin(t);
  const early = await claimOne(database);
  await database.change((tx) =>
    tx.updateTable("users").set({ email: "new@example.org" }).execute(),
  );
  assert.equal(await mayLeave(database, early), false);
  await releaseLetter(database, early);
  assert.equal((await claimOne(database)).recipient, "new@example.org");
  assert.equal((await row()).recipient, "new@example.org");
});

test("emails whose days are raised during a removal stay, and the removal ends", async (t) => {
  const { database, ids } = await begin(t, 2);
  for (const letter of await claimLetters(database, 2)) await markSent(database, letter, "server");
  await database.change((tx) =>
    tx
      .updateTable("letters")
      .set({ created_at: now(-100 * DAY_MS) })
      .execute(),
  );
  const { change } = openOrganization(database, "o1", service);
  const raised: Promise<unknown>[] = [];
  // It asks after it has read how long emails are kept, and before its change.
  const stopping = (): boolean => {
    const raise = change(({ tx }) =>
      tx
        .updateTable("organizations")
        .set({ settings: JSON.stringify({ letterDays: 365 }) })
        .execute(),
    );
    return raised.push(raise) > 10;
  };
  await removeOver(database, { dataDir: tmpdir(), mailFileDays: 7 }, stopping);
  await Promise.all(raised);
  assert.equal(raised.length, 1);
  const left = await database.read.selectFrom("letters").select("id").orderBy("id").execute();
  assert.deepEqual(
    left.map(({ id }) => id),
    [...ids].sort(),
  );
});
