// Runs: waits

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { MailCause } from "../../contract/kit/mail-causes.ts";
import { blamesRecipients, probesTheSame } from "../twins/postmen.ts";
import { testTwin } from "../twins/test-twin.ts";
import type { Twin } from "../twins/twin.ts";
import { create, revoke } from "../users/people.ts";
import type { Ask } from "../world/ask.ts";
import { until } from "../world/process.ts";
import { type Sink, type Stage, startSink } from "../world/sink.ts";
import { startWorld } from "../world/world.ts";
import { letterIn, letterTo } from "./mailbox.ts";

/* An email does not leave through a fault of the server, the sender, or its recipient. */

const begin = async (t: TestContext, twin?: Twin) => {
  const sink = await startSink();
  t.after(() => sink.stop());
  const environment = {
    SMTP_URL: sink.url,
    MAIL_RETRY_SECONDS: "0.2",
    MAIL_FROM: "Parley <no-reply@mail.example.org>",
  };
  const world = await startWorld(t, { environment, twin });
  const { ask } = await world.organization("Writing");
  return { ...world, sink, ask };
};

const lettersOf = async (ask: Ask) => (await ask("GET /api/letter?limit=100")).body.letters;
const overviewOf = async (ask: Ask) => (await ask("getOrganization")).body.organization;
const isTried = ({ lastError }: { readonly lastError: string | null }) => lastError !== null;

/** A server's answer to every email, where it comes, and the cause that is named. */
const faults: readonly (readonly [Stage, number, string, MailCause])[] = [
  ["connect", 554, "5.7.1 Client host blocked using zen.spamhaus.org", "blocked"],
  ["sender", 550, "5.7.60 Client does not have permissions to send as this sender", "sender"],
  ["recipient", 554, "5.7.1 Relay access denied", "relay"],
  ["recipient", 550, "5.7.1 Delivery not authorized, message refused", "refused"],
  ["data", 554, "5.2.252 SendAsDenied; a@b.example not allowed to send as c@b.example", "sender"],
  ["data", 454, "Throttling failure: Daily message quota exceeded", "limit"],
];

/** The server refuses everything, and then nothing any more. */
const holds = async (
  { sink, ask }: { readonly sink: Sink; readonly ask: Ask },
  [stage, code, text, cause]: (typeof faults)[number],
): Promise<void> => {
  sink.fate = (at) => (at === stage ? { code, text } : undefined);
  const people = [await create(ask), await create(ask), await create(ask)];
  await until("the cause is named", async () => {
    const { letters, mailProblem } = await overviewOf(ask);
    assert.equal(letters.refused, 0, "an email was given up for a fault of somebody else");
    return mailProblem?.cause === cause && mailProblem.answer !== null;
  });
  const { message, answer, lastReason } = (await overviewOf(ask)).mailProblem;
  assert.deepEqual([answer, lastReason], [`${code} ${text}`, null]);
  assert.match(message, /^The mail server .+\. .+\.$/);
  await until(
    "another one is tried",
    async () => (await lettersOf(ask)).filter(isTried).length > 1,
  );
  const { letters } = await overviewOf(ask);
  assert.deepEqual(letters, { waiting: people.length, refused: 0 });
  sink.fate = () => undefined;
  for (const { email } of people) {
    assert.equal((await letterTo(sink, email)).sender, "mail.example.org");
  }
  await until("they are sent", async () => (await overviewOf(ask)).letters.waiting === 0);
  assert.equal((await overviewOf(ask)).mailProblem, undefined);
};

test("a fault of the server or the sender ends no email: all wait, administrators read the remedy, and they go on by themselves", async (t) => {
  const house = await begin(t);
  for (const fault of faults) {
    await t.test(fault.join(" "), async () => {
      const { ask } = await house.organization(`Refused at ${fault.join(" ")}`);
      await holds({ sink: house.sink, ask }, fault);
    });
  }
});

testTwin("a twin that takes every refusal for the recipient's fault is detected", async (t) => {
  const house = await begin(t, blamesRecipients);
  await assert.rejects(holds(house, ["data", 554, "5.2.252 SendAsDenied", "sender"]), /given up/);
});

/** One recipient alone is refused; the others' emails arrive. */
const blocksNobody = async (t: TestContext, withinMs: number, twin?: Twin) => {
  const house = await begin(t, twin);
  const { sink, ask } = house;
  let text = "";
  sink.fate = (stage, address) =>
    stage === "recipient" && address.startsWith("poisoned") ? { code: 550, text } : undefined;
  for (const [n, words] of ["5.7.1 Refused by policy", "5.7.1 Relay access denied"].entries()) {
    text = words;
    const { id } = await create(ask, { email: `poisoned-${n}@example.org` });
    await until("it is refused", async () => (await lettersOf(ask))[0].lastError !== null);
    const others = [await create(ask), await create(ask), await create(ask)];
    for (const { email } of others) {
      await sink.waitFor(({ to }) => to.includes(email), withinMs);
    }
    // The one that is refused while others arrive has no fault of the server's.
    await until("it is tried again", async () => {
      const { letters, mailProblem } = await overviewOf(ask);
      const one = (await lettersOf(ask)).find(
        ({ userId }: { readonly userId: string }) => userId === id,
      );
      return mailProblem === undefined && letters.waiting <= 1 && one.attempts > 1;
    });
    if (n === 0) await letterIn(ask, id, "refused");
  }
  const { letters } = await overviewOf(ask);
  assert.deepEqual(letters, { waiting: 1, refused: 1 });
};

test("P-MAIL-4: a single refused recipient blocks nobody, whatever the server calls it", (t) =>
  blocksNobody(t, 120_000));

testTwin(
  "P-MAIL-4: a twin that probes with the same letter again and again is detected",
  async (t) => {
    await assert.rejects(blocksNobody(t, 20_000, probesTheSame), /Waited in vain/);
  },
);

test("a recipient's own fault is final after one try, even while the server refuses other emails", async (t) => {
  const { sink, ask } = await begin(t);
  sink.fate = (stage, address) => {
    if (stage === "recipient" && address.startsWith("nobody")) {
      return { code: 550, text: "5.1.1 User unknown" };
    }
    return stage === "data" ? { code: 554, text: "5.2.252 SendAsDenied" } : undefined;
  };
  const { email } = await create(ask);
  await until("it waits", async () => (await overviewOf(ask)).mailProblem !== undefined);
  const { id } = await create(ask, { email: "nobody@example.org" });
  const { attempts } = await letterIn(ask, id, "refused");
  assert.equal(attempts, 1);
  sink.fate = () => undefined;
  await letterTo(sink, email);
});

test("a server is asked again when it says, within an hour", async (t) => {
  const { sink, ask } = await begin(t);
  const pauses = { "in 300 seconds": [290, 400], "in 2 days": [3_500, 3_700] };
  for (const [words, [least = 0, most = 0]] of Object.entries(pauses)) {
    sink.fate = (stage) =>
      stage === "recipient"
        ? { code: 450, text: `4.7.1 Greylisted, try again ${words}` }
        : undefined;
    await create(ask);
    await until("it is tried", async () => (await lettersOf(ask))[0].lastError !== null);
    const [{ dueAt }] = await lettersOf(ask);
    const seconds = (Date.parse(dueAt) - Date.now()) / 1000;
    assert.ok(seconds > least - 60 && seconds < most, `${words}: ${seconds} s`);
  }
});

test("all refused emails of an organization are retried at once, except those out of date", async (t) => {
  const { sink, ask, organization, database } = await begin(t);
  const { ask: others } = await organization("Another");
  const nobody = { code: 550, text: "5.1.1 User unknown" };
  sink.fate = (stage) => (stage === "recipient" ? nobody : undefined);
  const people = [await create(ask), await create(ask), await create(ask), await create(ask)];
  const stranger = await create(others);
  for (const { id } of people) await letterIn(ask, id, "refused");
  await letterIn(others, stranger.id, "refused");
  const [first, second, revoked, erased] = people;
  await revoke(ask, revoked?.id ?? "");
  await database.change((tx) =>
    tx
      .updateTable("letters")
      .set({ content: null })
      .where("user_id", "=", erased?.id ?? "")
      .execute(),
  );
  sink.fate = () => undefined;
  const { status, body } = await ask("retryLetters");
  assert.deepEqual([status, body], [200, { success: true, retried: 2 }]);
  for (const person of [first, second]) {
    await letterTo(sink, person?.email ?? "");
    await letterIn(ask, person?.id ?? "", "sent");
  }
  assert.deepEqual((await overviewOf(ask)).letters, { waiting: 0, refused: 1 });
  assert.deepEqual((await overviewOf(others)).letters, { waiting: 0, refused: 1 });
  assert.deepEqual((await ask("retryLetters")).body, { success: true, retried: 0 });
});
