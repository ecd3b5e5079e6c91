// Runs: sqlite

import assert from "node:assert/strict";
import { test } from "node:test";
import PostalMime from "postal-mime";
import { writeLetter } from "../../server/mail/letters.ts";
import { composeMessage } from "../../server/mail/message.ts";

const letter = {
  id: "01a1fc08-7e28-77ec-856b-4e89f4538e28",
  createdAt: "2026-01-31T09:30:00.000Z",
  recipient: "ann@example.org",
};
const from = { name: "Parley", address: "no-reply@meet.example.org" };
const content = {
  name: "Ann Lee",
  loginUrl: "https://meet.example.org/",
  username: "ann_lee_4821",
  password: "kT7w9mQpR4xZsHd3vBnYcF2j",
};
const headers = [
  "auto-submitted",
  "from",
  "to",
  "subject",
  "message-id",
  "date",
  "mime-version",
  "content-type",
];

const hostile = [
  "Ann\r\nBcc: evil@example.org",
  "Ann\n\n--parley\nContent-Type: text/html",
  "Ann\u2028Bcc: evil@example.org\u2029",
  "Ann\0\u001b[31m\u202Egpj",
  "=?utf-8?q?Bcc:_evil=40example.org?=",
  '"Ann" <evil@example.org>, other@example.org',
  "<script>alert(1)</script><img src=x onerror=alert(1)>",
  `{{7*7}} $${"{process.exit()}"} <%= 1 %> %s #{x}`,
  ".\r\n.\r\nQUIT",
];

for (const kind of ["welcome", "password-reset"] as const) {
  for (const name of hostile) {
    test(`${kind}: ${JSON.stringify(name)} adds no header, recipient, part or markup`, async () => {
      const text = await writeLetter(kind, { ...content, name });
      const plain = await writeLetter(kind, content);
      const { raw, to } = await composeMessage(letter, from, text);
      const mail = await PostalMime.parse(raw);
      assert.equal(to, "ann@example.org");
      assert.deepEqual(
        mail.headers.map(({ key }) => key),
        headers,
      );
      assert.deepEqual(mail.to, [{ address: "ann@example.org", name: "" }]);
      assert.equal(mail.attachments.length, 0);
      const tags = (html = "") => html.replaceAll(/[^<>]+(?=<)/g, "").match(/<[^>]*>/g);
      assert.deepEqual(tags(mail.html), tags(plain.html));
      assert.equal(mail.text?.split("\n").length, plain.text.split("\n").length + 1);
    });
  }
}

test("text and HTML have the password, the username and the login address letter for letter", async () => {
  const loginUrl = `https://meet.example.org/a?b=1&c='"<>${"x".repeat(1_900)}`;
  const { raw } = await composeMessage(
    letter,
    from,
    await writeLetter("welcome", { ...content, loginUrl }),
  );
  const mail = await PostalMime.parse(raw);
  const href = new URL(loginUrl).href;
  for (const value of [content.password, content.username, href])
    assert.ok(mail.text?.includes(value));
  for (const value of [content.password, content.username])
    assert.ok(mail.html?.includes(`>${value}<`));
  assert.ok(
    mail.html?.includes(`href="${href.replaceAll("&", "&amp;").replaceAll("'", "&#39;")}"`),
  );
  assert.ok(
    raw
      .toString()
      .split("\r\n")
      .every((line) => line.length <= 998),
  );
});

test("a letter made twice is identical byte for byte, with its own Message-ID", async () => {
  const make = async () => composeMessage(letter, from, await writeLetter("welcome", content));
  const [one, two] = [await make(), await make()];
  assert.ok(one.raw.equals(two.raw));
  const mail = await PostalMime.parse(one.raw);
  assert.equal(mail.messageId, `<${letter.id}@meet.example.org>`);
  assert.equal(mail.date, letter.createdAt);
});

for (const [domain, ascii] of [
  ["Bücher.example", "xn--bcher-kva.example"],
  ["bu\u0308cher.example", "xn--bcher-kva.example"],
  ["ｗｉｄｅ．example", "wide.example"],
  ["wide。example", "wide.example"],
]) {
  test(`an email to ${domain} goes to ${ascii}`, async () => {
    const text = await writeLetter("welcome", content);
    const { to, raw } = await composeMessage({ ...letter, recipient: `Ann@${domain}` }, from, text);
    assert.equal(to, `Ann@${ascii}`);
    const mail = await PostalMime.parse(raw);
    assert.deepEqual(mail.to, [{ address: `Ann@${ascii}`, name: "" }]);
  });
}

test("no letter is made with a login address that is not http or https", async () => {
  for (const loginUrl of ["javascript:alert(1)", "data:text/html,x", "/login", ""]) {
    await assert.rejects(writeLetter("welcome", { ...content, loginUrl }), TypeError);
  }
});
