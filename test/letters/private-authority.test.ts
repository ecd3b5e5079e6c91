// Runs: sqlite

import assert from "node:assert/strict";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { SMTPServer } from "smtp-server";
import { readConfig } from "../../server/config/config.ts";
import { checkMailServer } from "../../server/mail/check.ts";
import { openCertificates, withoutOpenssl } from "../world/certificates.ts";

test("SMTP_CA_FILE trusts a mail server with that private authority, and no other", {
  skip: withoutOpenssl,
}, async (t) => {
  const { make } = await openCertificates(t);
  const own = make("own");
  const server = new SMTPServer({
    secure: true,
    key: await readFile(own.key),
    cert: await readFile(own.cert),
    authOptional: true,
  });
  server.on("error", () => {});
  const listening = server.listen(0, "127.0.0.1");
  await once(listening, "listening");
  t.after(() => server.close());
  const { port } = listening.address() as AddressInfo;
  const problemWith = async (more: Readonly<Record<string, string>>) => {
    const SMTP_URL = `smtps://127.0.0.1:${port}?tls=required`;
    return (await checkMailServer(readConfig({ SMTP_URL, ...more }))).problem;
  };
  assert.match((await problemWith({})) ?? "", /certificate is not accepted/);
  const other = await problemWith({ SMTP_CA_FILE: make("other").cert });
  assert.match(other ?? "", /certificate is not accepted/);
  assert.equal(await problemWith({ SMTP_CA_FILE: own.cert }), null);
});
