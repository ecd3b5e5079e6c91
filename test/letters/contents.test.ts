import assert from "node:assert/strict";
import { after, test } from "node:test";
import { create } from "../users/people.ts";
import { startSink } from "../world/sink.ts";
import { startWorld } from "../world/world.ts";
import { letterIn, lettersTo, letterTo, linksOf, unescapeHtml } from "./mailbox.ts";

const sink = await startSink();
after(() => sink.stop());
const { open, organization, log } = await startWorld(test, {
  environment: {
    LOG_LEVEL: "info",
    SMTP_URL: sink.url,
    MAIL_FROM: "Parley <parley@meet.example.org>",
    PUBLIC_URL: "https://meet.example.org/video",
    MAIL_RETRY_SECONDS: "0.2",
  },
});
const { ask } = await organization("Letters");

const loginUrl = "https://Meet.Example.org/a%20b?x=1&y=<z>#é";
const href = "https://meet.example.org/a%20b?x=1&y=%3Cz%3E#%C3%A9";
const signInStatus = async (login: string, password: string) =>
  (await open("POST /api/session", { login, password })).status;

for (const kind of ["welcome", "password-reset"] as const) {
  test(`a ${kind} letter has name, link, username and the password that was answered and signs in`, async () => {
    const name = "Zoë & Søn <zoe>";
    const created = await create(ask, { name, loginUrl });
    const address = created.email;
    if (kind === "password-reset") {
      await letterTo(sink, address);
      sink.letters.length = 0;
    }
    const { password } =
      kind === "welcome"
        ? created
        : (await ask("POST /api/user/adminPwdreset", { userId: created.id, loginUrl })).body;
    const letter = await letterTo(sink, address);
    const { text = "", html = "" } = letter.parsed;
    const lines = text.split("\n");
    assert.ok(lines.includes(`Username: ${created.username}`), text);
    assert.ok(lines.includes(`Password: ${password}`), text);
    assert.ok(lines.includes(`Sign in: ${href}`), text);
    assert.ok(lines.includes(`Hello ${name},`), text);
    assert.deepEqual(new Set(linksOf(letter)), new Set([href]));
    const shown = unescapeHtml(html.replace(/<\/?bdi>/g, "").replace(/<[^>]*>/g, "\n")).split("\n");
    for (const part of [created.username, password, href, `Hello ${name},`]) {
      assert.ok(shown.includes(part), `${part} in ${html}`);
    }
    assert.equal(await signInStatus(created.username, password), 200);
    assert.deepEqual(letter.to, [address]);
    assert.equal(letter.from, "parley@meet.example.org");
    const subjects = {
      welcome: "Your Parley account",
      "password-reset": "Your new Parley password",
    };
    assert.equal(letter.parsed.subject, subjects[kind]);
  });
}

test("a creation and a reset send one letter each, with different Message-IDs", async () => {
  const { id, email } = await create(ask);
  await letterTo(sink, email);
  await ask("POST /api/user/adminPwdreset", { userId: id });
  const ids = (await lettersTo(sink, email, 2)).map(({ parsed }) => parsed.messageId);
  assert.equal(new Set(ids).size, 2);
  for (const kind of ["welcome", "password-reset"]) {
    const letter = await letterIn(ask, id, "sent", kind);
    assert.ok(ids.includes(`<${letter.id}@meet.example.org>`));
    assert.equal(letter.attempts, 1);
  }
});

test("a reset without loginUrl has the default login address", async () => {
  const { id, email } = await create(ask);
  await letterTo(sink, email);
  await ask("POST /api/user/adminPwdreset", { userId: id });
  const [, letter] = await lettersTo(sink, email, 2);
  assert.deepEqual(
    letter && new Set(linksOf(letter)),
    new Set(["https://meet.example.org/video/"]),
  );
});

test("a refused request sends nothing", async () => {
  const { email } = await create(ask);
  await letterTo(sink, email);
  const before = (await ask("GET /api/letter")).body.pagination.total;
  const loginUrl = "https://e.org/";
  await ask("POST /api/user/orgUser", { email, name: "Again", loginUrl });
  await ask("POST /api/user/orgUser", { email: "new@example.org", name: "", loginUrl });
  await ask("POST /api/user/adminPwdreset", { userId: ["a", "b"] });
  await ask("POST /api/user/adminPwdreset", { userId: "unknown" });
  assert.equal((await ask("GET /api/letter")).body.pagination.total, before);
});

test("a letter goes to the address that the account has when it leaves", async () => {
  const moved = "moved-to@example.org";
  sink.fate = (stage, address) =>
    stage === "recipient" && address !== moved ? { code: 450 } : undefined;
  const { id, email } = await create(ask);
  await letterIn(ask, id, "waiting");
  await ask("PUT /api/user/orgUser", { userId: id, email: moved });
  sink.fate = () => undefined;
  const letter = await letterTo(sink, moved);
  assert.ok(!letter.raw.includes(email));
  assert.equal((await letterIn(ask, id, "sent")).recipient, moved);
});

test("a deleted person's letters leave the list", async () => {
  const { id, email } = await create(ask);
  await letterTo(sink, email);
  await letterIn(ask, id, "sent");
  await ask("POST /api/user/revokeOrgUsers", [{ userId: id }]);
  await ask("POST /api/user/permDeleteOrgUsers", [id]);
  const { letters } = (await ask("GET /api/letter")).body;
  assert.ok(letters.length > 0);
  assert.ok(!JSON.stringify(letters).includes(email));
});

test("no password is in the logs", async () => {
  const { email, password } = await create(ask);
  await letterTo(sink, email);
  assert.ok(log.join("").includes("Email sent."));
  assert.ok(!log.join("").includes(password));
});
