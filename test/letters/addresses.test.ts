// Runs: sqlite

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { domainToASCII } from "node:url";
import { newPerson } from "../users/people.ts";
import { emailAddresses } from "../world/corpora.ts";
import { startSink } from "../world/sink.ts";
import { startWorld } from "../world/world.ts";

const sink = await startSink();
after(() => sink.stop());
const { organization } = await startWorld(test, { environment: { SMTP_URL: sink.url } });
const { ask } = await organization("Mailboxes");

const own = [
  "Kept.As.Typed+tag@Example.ORG",
  "o'brien@example.org",
  "{x}|y=z@example.org",
  "!#$%&'*+/=?^_`{|}~-@example.org",
  "idn@bücher.example",
  "idn@例え.テスト",
  "a@sub.domain.example.museum",
];

/** The address as sent by SMTP: with a non-ASCII domain in its ASCII form. */
const mailboxOf = (address: string): string => {
  const at = address.lastIndexOf("@");
  return `${address.slice(0, at)}@${domainToASCII(address.slice(at + 1))}`;
};

test("mail to an accepted address goes to exactly that mailbox", async () => {
  const accepted: string[] = [];
  for (const email of [...own, ...emailAddresses().map(({ address }) => address)]) {
    const { status } = await ask("POST /api/user/orgUser", newPerson({ email }));
    // The sink's own limit is one character below that of RFC 5321.
    if (status === 201 && email.length < 254) accepted.push(email);
  }
  for (const email of own) assert.ok(accepted.includes(email), email);
  await sink.waitFor(accepted.length);
  // The sink decodes a domain to Unicode.
  const mailboxes = sink.letters.map(({ to }) => to.map(mailboxOf).join());
  assert.deepEqual(mailboxes.sort(), accepted.map(mailboxOf).sort());
  for (const { to, raw, parsed } of sink.letters) {
    assert.deepEqual(parsed.to?.length, 1);
    const header = `\r\nTo: ${mailboxOf(to[0] ?? "")}\r\n`;
    assert.ok(
      raw
        .toString("latin1")
        .replace(/\r\n[ \t]+/g, " ")
        .includes(header),
      header,
    );
  }
});
