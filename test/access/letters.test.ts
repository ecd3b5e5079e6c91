import assert from "node:assert/strict";
import { after, test } from "node:test";
import { letterIn, letterTo } from "../letters/mailbox.ts";
import { create } from "../users/people.ts";
import { assertFails, failure, fieldFailure } from "../world/refusals.ts";
import { startSink } from "../world/sink.ts";
import { startWorld } from "../world/world.ts";

const sink = await startSink();
after(() => sink.stop());
const { database, organization } = await startWorld(test, {
  environment: {
    SMTP_URL: sink.url,
    MAIL_RETRY_SECONDS: "0.2",
  },
});
const { ask } = await organization("The state of letters");
const request = "GET /api/letter";

const refusedHere = new Set<string>();
sink.fate = (stage, address) =>
  stage === "recipient" && refusedHere.has(address)
    ? { code: 550, text: "5.1.1 no such mailbox" }
    : undefined;

/** A person whose letter was refused for good. */
const refused = async (email: string) => {
  refusedHere.add(email);
  const person = await create(ask, { email });
  return { person, letter: await letterIn(ask, person.id, "refused") };
};
const retry = (id: string) => ask(`POST /api/letter/${id}/retry`);

test("a letter is answered with exactly its twelve keys, and never with its content", async () => {
  const person = await create(ask);
  const sent = await letterIn(ask, person.id, "sent");
  const { status, headers, body } = await ask(request);
  assert.equal(status, 200);
  assert.equal(headers.get("cache-control"), "no-store");
  assert.deepEqual(Object.keys(body), ["success", "letters", "pagination"]);
  const { id, createdAt, endedAt } = sent;
  assert.deepEqual(sent, {
    id,
    userId: person.id,
    kind: "welcome",
    recipient: person.email,
    state: "sent",
    attempts: 1,
    dueAt: null,
    lastError: null,
    lastReason: null,
    createdAt,
    endedAt,
    sentTo: "server",
  });
  assert.match(id, /^[0-9a-f-]{36}$/);
  for (const time of [createdAt, endedAt]) assert.equal(new Date(time).toISOString(), time);
  assert.ok(!JSON.stringify(body).includes(person.password));
});

test("a letter that is refused for good shows the server's words and blocks no other", async () => {
  const { person, letter } = await refused("nobody@example.org");
  assert.match(letter.lastError, /^550 5\.1\.1 no such mailbox/);
  assert.deepEqual([letter.attempts, letter.dueAt], [1, null]);
  assert.ok(Date.parse(letter.endedAt) > 0);
  const { body } = await ask("GET /api/organization");
  assert.deepEqual(body.organization.letters, { waiting: 0, refused: 1 });
  const other = await create(ask);
  await letterTo(sink, other.email);
  const { letters, pagination } = (await ask(`${request}?state=refused`)).body;
  assert.deepEqual([letters[0].userId, pagination.total], [person.id, 1]);
});

test("a refused letter is retried on request, with the same Message-ID and password", async () => {
  const { person, letter } = await refused("retried@example.org");
  assert.equal((await retry(letter.id)).status, 200);
  await letterIn(ask, person.id, "refused");
  refusedHere.delete(person.email);
  const { status, body } = await retry(letter.id);
  assert.deepEqual([status, body], [200, { success: true }]);
  const { parsed } = await letterTo(sink, person.email);
  assert.ok(parsed.messageId?.includes(letter.id));
  assert.ok(parsed.text?.includes(person.password));
  const sent = await letterIn(ask, person.id, "sent");
  assert.deepEqual([sent.id, sent.attempts, sent.lastError], [letter.id, 3, null]);
});

test("only a refused letter can be retried", async () => {
  const person = await create(ask);
  const { id } = await letterIn(ask, person.id, "sent");
  const message = "Only a refused email can be tried again.";
  await assertFails(retry(id), 409, failure("letter_not_refused", message));
});

test("a refused letter is withdrawn at once with its password or its person", async () => {
  const ends = [
    (userId: string) => ask("POST /api/user/adminPwdreset", { userId }),
    (userId: string) => ask("POST /api/user/revokeOrgUsers", [{ userId }]),
  ];
  for (const [n, end] of ends.entries()) {
    const { person, letter } = await refused(`withdrawn-${n}@example.org`);
    await end(person.id);
    const { state, content } = await database.read
      .selectFrom("letters")
      .select(["state", "content"])
      .where("id", "=", letter.id)
      .executeTakeFirstOrThrow();
    assert.deepEqual([state, content], ["withdrawn", null]);
    assert.deepEqual((await retry(letter.id)).body.code, "letter_not_refused");
  }
});

test("a letter whose content was erased is out of date", async () => {
  const { letter } = await refused("erased@example.org");
  await database.change((tx) =>
    tx.updateTable("letters").set({ content: null }).where("id", "=", letter.id).execute(),
  );
  const message =
    "The email's content is gone or out of date. Reset the password to send a new one.";
  await assertFails(retry(letter.id), 409, failure("letter_outdated", message));
});

test("an unknown letter and one of another organization get the same answer", async () => {
  const other = await organization("Next door");
  const person = await create(other.ask);
  const { id } = await letterIn(other.ask, person.id, "sent");
  const notFound = failure("letter_not_found", "Email not found.");
  for (const unknown of [id, "unknown", "%27"]) await assertFails(retry(unknown), 404, notFound);
  const { letters } = (await ask(`${request}?limit=100`)).body;
  assert.ok(!letters.some((letter: { readonly id: string }) => letter.id === id));
  assert.equal((await other.ask(request)).body.pagination.total, 1);
});

test("the list is paginated, newest first; empty parameters count as omitted", async () => {
  const { ask: fresh } = await organization("Pages");
  const ids: string[] = [];
  for (let n = 0; n < 5; n += 1) ids.unshift((await create(fresh)).id);
  const page = async (query: string) => (await fresh(`${request}?${query}`)).body;
  const usersOf = (body: { readonly letters: { readonly userId: string }[] }) =>
    body.letters.map((l) => l.userId);
  const whole = await page("page=&limit=&state=");
  assert.deepEqual(usersOf(whole), ids);
  assert.deepEqual(whole.pagination, { page: 1, limit: 25, total: 5, totalPages: 1 });
  const second = await page("page=2&limit=2");
  assert.deepEqual(usersOf(second), ids.slice(2, 4));
  assert.deepEqual(second.pagination, { page: 2, limit: 2, total: 5, totalPages: 3 });
  assert.deepEqual(usersOf(await page("page=9007199254740991&limit=100")), []);
});

test("wrong parameters are refused by name", async () => {
  const pages = ["0", "-1", "1.5", "1e3", "x", "%2B1", "9007199254740993"];
  const message = "Invalid pagination parameters";
  for (const field of ["page", "limit"]) {
    for (const value of pages) {
      const errors = [{ field, message: `${field} must be a whole number from 1` }];
      const expected = failure("invalid_pagination", message, errors);
      await assertFails(ask(`${request}?${field}=${value}`), 400, expected);
    }
    const twice = await ask(`${request}?${field}=1&${field}=2`);
    assert.deepEqual([twice.status, twice.body.message], [400, message]);
  }
  const limit = fieldFailure("limit", "limit must be at most 100");
  await assertFails(ask(`${request}?limit=101`), 400, limit);
  const state = fieldFailure("state", "state must be one of waiting, sent, refused, withdrawn");
  for (const value of ["Sent", "x", "__proto__"]) {
    await assertFails(ask(`${request}?state=${value}`), 400, state);
  }
});

test("a search finds a literal part of the address, in any case", async () => {
  const { ask: fresh } = await organization("Searched");
  await create(fresh, { email: "Anna.Lee@example.org" });
  await create(fresh, { email: "under_score@example.org" });
  const found = async (query: string) => {
    const { body } = await fresh(`${request}?${query}`);
    assert.equal(body.pagination.total, body.letters.length);
    return body.letters.map(({ recipient }: { readonly recipient: string }) => recipient);
  };
  assert.deepEqual(await found("search=ANNA.l"), ["Anna.Lee@example.org"]);
  assert.deepEqual(await found("search=_"), ["under_score@example.org"]);
  assert.deepEqual(await found("search=%25"), []);
  assert.deepEqual(await found("search=%5C"), []);
  assert.deepEqual(await found("search=anna&state=refused"), []);
  assert.equal((await found("search=")).length, 2);
  await assertFails(
    fresh(`${request}?search=${"x".repeat(201)}`),
    400,
    fieldFailure("search", "search must be text of at most 200 characters"),
  );
});
