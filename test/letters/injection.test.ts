// Runs: sqlite

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { create } from "../users/people.ts";
import { type SunkLetter, startSink } from "../world/sink.ts";
import { startWorld } from "../world/world.ts";
import { letterTo } from "./mailbox.ts";

const sink = await startSink();
after(() => sink.stop());
const { organization, database } = await startWorld(test, { environment: { SMTP_URL: sink.url } });
const { ask } = await organization("Evil <b>org</b>\r\nBcc: org@evil.example");

/** Keeps the text from being mistaken for a template of Parley. */
const dollar = "$";

const names = [
  "Ann\r\nBcc: victim@evil.example",
  "Ann\nContent-Type: text/plain\n\nBody",
  "Ann\r\n\r\n.\r\nMAIL FROM:<x@evil.example>",
  "Ann\u2028Bcc: x@evil.example\u2029\u0085\u000b\u000c",
  "=?utf-8?q?=0d=0aBcc:_x@evil.example?=",
  '"Ann" <x@evil.example>, y@evil.example',
  "<script>alert(1)</script>",
  "<img src=x onerror=alert(1)>&amp;&lt;",
  "</p></div></body></html><p>",
  "\"'><a href='https://evil.example'>x</a>",
  `{{7*7}} ${dollar}{7*7} <%= 7*7 %> #{7*7} {% raw %}`,
  "--parley\r\nContent-Type: text/html",
  "a\u202eexe.gpj\u202c",
  "$& $1 $` $'",
  "x".repeat(200),
  "\u{1F600}".repeat(200),
];

const headers = (letter: SunkLetter) => letter.parsed.headers.map(({ key }) => key).sort();
/** The elements of the HTML part, in order. */
const elements = ({ parsed }: SunkLetter) => (parsed.html ?? "").match(/<\/?[a-z!][a-z0-9]*/gi);
const parts = ({ raw }: SunkLetter) =>
  raw
    .toString("latin1")
    .split(/\r?\n/)
    .filter((line) => /^(content-type|--)/i.test(line))
    .map((line) => line.replace(/-[0-9a-f-]{36}/, ""));

/** A letter to a person of this name, which an earlier version may have stored. */
const letterFor = async (name: string) => {
  const { id, email } = await create(ask, { name: "Ann" });
  await letterTo(sink, email);
  sink.letters.length = 0;
  await database.change((tx) =>
    tx.updateTable("users").set({ name }).where("id", "=", id).execute(),
  );
  const { password } = (await ask("POST /api/user/adminPwdreset", { userId: id })).body;
  return { email, password, letter: await letterTo(sink, email) };
};

test("nothing that a person typed adds a header, a recipient, a part or an element", async (t) => {
  const { letter: innocent } = await letterFor("Ann");
  assert.deepEqual(headers(innocent), [
    "auto-submitted",
    "content-type",
    "date",
    "from",
    "message-id",
    "mime-version",
    "subject",
    "to",
  ]);
  for (const name of names) {
    await t.test(JSON.stringify(name.slice(0, 40)), async () => {
      const { email, password, letter } = await letterFor(name);
      assert.deepEqual(letter.to, [email]);
      assert.deepEqual(letter.parsed.to, [{ address: email, name: "" }]);
      assert.equal(letter.parsed.subject, innocent.parsed.subject);
      assert.deepEqual(headers(letter), headers(innocent));
      assert.deepEqual(elements(letter), elements(innocent));
      assert.deepEqual(parts(letter).length, parts(innocent).length);
      assert.equal(letter.parsed.attachments.length, 0);
      const shown = letter.parsed.text?.split("\n") ?? [];
      assert.equal(shown.length, innocent.parsed.text?.split("\n").length);
      assert.ok(shown.includes(`Password: ${password}`));
    });
  }
});

test("template signs stay text", async () => {
  const { email } = await create(ask, { name: `{{7*7}} ${dollar}{7*7} <%= 7*7 %>` });
  const { parsed } = await letterTo(sink, email);
  assert.ok(parsed.text?.includes(`Hello {{7*7}} ${dollar}{7*7} <%= 7*7 %>,`));
  assert.ok(parsed.html?.includes(`Hello <bdi>{{7*7}} ${dollar}{7*7} &lt;%= 7*7 %&gt;</bdi>,`));
});

test("a name and a receiver's answer turn no text of an email around", async () => {
  const { letter } = await letterFor("a\u202eb \u05d0\u05d1\u2069");
  assert.ok(letter.parsed.html?.includes("Hello <bdi>a b \u05d0\u05d1</bdi>,"));
  assert.ok(letter.parsed.text?.includes("Hello \u2068a b \u05d0\u05d1\u2069,"));
  assert.match(letter.parsed.html ?? "", /<a [^>]*dir="ltr">http/);
});
