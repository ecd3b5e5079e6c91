// Runs: postgres-first, complete

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { now } from "../../server/db/now.ts";
import { trustsItsClaim } from "../twins/postmen.ts";
import { testTwin } from "../twins/test-twin.ts";
import type { Twin } from "../twins/twin.ts";
import { onPostgres } from "../world/empty-database.ts";
import { until } from "../world/process.ts";
import { soaking } from "../world/seed.ts";
import { acknowledged, checkLedger, startPeople } from "./ledger.ts";
import { openMailHouse } from "./mail-house.ts";

/** A little longer than the lease of a letter. */
const PAUSE_MS = 62_000;

/**
 * Stops A when its letter has reached a given step, and resumes it when its lease is over; by then B, if
 * there is one, has sent the letter. Returns the senders of all letters that arrived.
 */
const pause = async (t: TestContext, stage: "recipient" | "data", twin?: Twin) => {
  const { house, sink, tenant, start, waiting } = await openMailHouse(t, twin);
  const a = await start("a");
  // Starts first: if A were stopped meanwhile, the twin's own timeouts would end its connection.
  const b = onPostgres ? await start("b") : undefined;
  b?.child.kill("SIGSTOP");
  let isStopped = false;
  sink.fate = (at, _address, sender) => {
    if (at === stage && sender === "a" && !isStopped) isStopped = a.child.kill("SIGSTOP");
    return undefined;
  };
  const people = startPeople();
  const ask = tenant.askAt(a.url);
  // May be answered only after A resumes.
  const created = people.create([ask], 1);
  await until("A is stopped", () => isStopped);
  b?.child.kill("SIGCONT");
  // After a real minute the twin's own timeouts would end its connection.
  if (soaking && !twin) await sleep(PAUSE_MS);
  else {
    // A cannot know that its claim is over: by its own clock there is time left.
    await house.beside(({ database }) =>
      database.change((tx) =>
        tx
          .updateTable("letters")
          .set({ due_at: now(-1) })
          .execute(),
      ),
    );
  }
  if (b) {
    await until("B has sent it", async () => (await waiting(tenant.askAt(b.url))) === 0);
  }
  a.child.kill("SIGCONT");
  await created;
  await until("the letter has left", async () => (await waiting(ask)) === 0);
  // Everything that A still has under way arrives before it is idle, and A continues to work.
  await until("nothing is on its way", () => sink.connections.open === 0);
  await people.create([ask], 1);
  await until("the next one has left", async () => (await waiting(ask)) === 0);
  const { history } = people;
  assert.equal(acknowledged(history).length, 2);
  await house.beside((world) => checkLedger(world, tenant, history, sink.letters));
  return sink.letters.slice(0, -1).map(({ sender }) => sender);
};

const beforeData = async (t: TestContext, twin?: Twin): Promise<void> => {
  assert.deepEqual(await pause(t, "recipient", twin), [onPostgres ? "b" : "a"]);
};

test("P-MAIL-5: a postman that pauses before sending sends nothing after its lease, and the letter arrives once", (t) =>
  beforeData(t));

testTwin(
  "P-MAIL-5: a twin that trusts its claim forever, and sends a second letter, is detected",
  async (t) => {
    await assert.rejects(beforeData(t, trustsItsClaim), { code: "ERR_ASSERTION" });
  },
  { skip: !onPostgres && "needs two processes" },
);

test("P-MAIL-5: a letter that left before its postman paused may arrive twice, and is identical", async (t) => {
  const senders = await pause(t, "data");
  t.diagnostic(`arrived from ${senders.join(" and ")}`);
  assert.ok(onPostgres ? senders.join() === "a,b" : senders.length <= 2);
});
