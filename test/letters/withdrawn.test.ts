// Runs: waits

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { now } from "../../server/db/now.ts";
import { DAY_MS } from "../../server/lib/durations.ts";
import { create } from "../users/people.ts";
import { bearer } from "../world/ask.ts";
import { until } from "../world/process.ts";
import { startSink } from "../world/sink.ts";
import { startWorld } from "../world/world.ts";
import { letterIn, lettersTo, letterTo } from "./mailbox.ts";

const sink = await startSink();
after(() => sink.stop());
const { database, open, organization } = await startWorld(test, {
  environment: {
    SMTP_URL: sink.url,
    MAIL_RETRY_SECONDS: "0.2",
  },
});
const { ask } = await organization("Withdrawing");

/** Addresses that the mail server currently refuses. */
const busy = new Set<string>();
sink.fate = (stage, address) =>
  stage === "recipient" && busy.has(address) ? { code: 450, text: "4.2.0 later" } : undefined;

let people = 0;
/** A person whose letter cannot leave yet. */
const waiting = async () => {
  const email = `waits-${++people}@example.org`;
  busy.add(email);
  const person = await create(ask, { email });
  await letterIn(ask, person.id, "waiting");
  return person;
};

/** How many letters with a password have arrived: those about a change hold none, and leave. */
const arrived = (email: string) =>
  sink.letters.filter(({ to, parsed }) => to.includes(email) && parsed.text?.includes("Password: "))
    .length;

/** Once this letter has been sent, any earlier one would have been sent too. */
const afterAnother = async (email: string) => {
  busy.delete(email);
  const other = await create(ask);
  await letterTo(sink, other.email);
};

const contentOf = (id: string) =>
  database.read
    .selectFrom("letters")
    .select(["state", "content"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow();

test("a letter does not leave once its person is revoked, and stays withdrawn after reactivation", async () => {
  const { id, email } = await waiting();
  await ask("POST /api/user/revokeOrgUsers", [{ userId: id }]);
  const letter = await letterIn(ask, id, "withdrawn");
  assert.equal(letter.dueAt, null);
  assert.ok(Date.parse(letter.endedAt) > 0);
  assert.equal((await contentOf(letter.id)).content, null);
  await ask("POST /api/user/reactivateOrgUser", { userId: id });
  await afterAnother(email);
  assert.equal(arrived(email), 0);
});

test("a letter does not leave once its password was reset: the newest alone arrives, and it works", async () => {
  const { id, email, username, password } = await waiting();
  const passwords: string[] = [];
  for (let n = 0; n < 3; n += 1) {
    passwords.push((await ask("POST /api/user/adminPwdreset", { userId: id })).body.password);
  }
  await letterIn(ask, id, "withdrawn");
  busy.delete(email);
  const [letter] = await lettersTo(sink, email);
  assert.ok(letter?.parsed.text?.includes(`Password: ${passwords[2]}\n`));
  for (const old of [password, ...passwords.slice(0, 2)]) {
    assert.ok(!letter?.raw.includes(old));
  }
  const login = { login: username, password: passwords[2] };
  assert.equal((await open("POST /api/session", login)).status, 200);
  await afterAnother(email);
  assert.equal(arrived(email), 1);
});

test("a letter does not leave once the person chose another password", async () => {
  const { id, email, password } = await waiting();
  const { token } = (await open("POST /api/session", { login: email, password })).body;
  const body = { password, newPassword: "sesquipedalian otters juggle" };
  assert.equal((await open("PUT /api/session/password", body, bearer(token))).status, 200);
  await letterIn(ask, id, "withdrawn");
  await afterAnother(email);
  assert.equal(arrived(email), 0);
});

test("a letter to a suspended person leaves", async () => {
  const { id, email } = await waiting();
  await ask("POST /api/user/suspendRestoreUser", { userId: id, action: "suspend" });
  busy.delete(email);
  await letterTo(sink, email);
});

test("a sent letter's content is erased; a waiting one's is sealed", async () => {
  const { id, email, password } = await waiting();
  const { id: letterId } = await letterIn(ask, id, "waiting");
  const { content } = await contentOf(letterId);
  const bytes = Buffer.from(content ?? "", "base64");
  for (const form of [password, Buffer.from(password).toString("base64")]) {
    assert.ok(!content?.includes(form) && !bytes.includes(form));
  }
  busy.delete(email);
  await letterIn(ask, id, "sent");
  assert.equal((await contentOf(letterId)).content, null);
});

test("a letter whose arrival was not acknowledged is sent again, identical byte for byte", async () => {
  const email = "twice@example.org";
  let lost = false;
  const before = sink.fate;
  sink.fate = (stage, address, sender) => {
    if (stage !== "data" || address !== email || lost) return before(stage, address, sender);
    lost = true;
    return "hang up";
  };
  await create(ask, { email });
  const [first, second] = await lettersTo(sink, email, 2);
  assert.deepEqual(first?.raw, second?.raw);
  assert.deepEqual([first?.acknowledged, second?.acknowledged], [false, true]);
});

test("an email that was given up after four days is tried for four more days when retried", async () => {
  const { id, email } = await waiting();
  const { id: letterId } = await letterIn(ask, id, "waiting");
  await database.change((tx) =>
    tx
      .updateTable("letters")
      .set({ created_at: now(-5 * DAY_MS) })
      .where("id", "=", letterId)
      .execute(),
  );
  const { attempts } = await letterIn(ask, id, "refused");
  await ask("retryLetter", { id: letterId });
  let again = { state: "waiting", attempts };
  await until("it is tried twice again, or given up", async () => {
    again = await database.read
      .selectFrom("letters")
      .select(["state", "attempts"])
      .where("id", "=", letterId)
      .executeTakeFirstOrThrow();
    return again.attempts > attempts + 1 || again.state !== "waiting";
  });
  assert.equal(again.state, "waiting");
  busy.delete(email);
  await letterTo(sink, email);
});
