import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { SMTPServer } from "smtp-server";
import { readConfig } from "../../server/config.ts";
import { checkMailServer } from "../../server/mail/check.ts";

const withoutTool = spawnSync("openssl", ["version"]).status === 0 ? false : "no openssl here";

test("SMTP_CA_FILE makes a mail server of a private authority trusted, and it alone", {
  skip: withoutTool,
}, async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "parley-authority-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const make = (name: string): void => {
    const [key, cert] = [join(folder, `${name}.key`), join(folder, `${name}.pem`)];
    const ec = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
    const about = ["-subj", `/CN=${name}`, "-addext", "subjectAltName=IP:127.0.0.1"];
    execFileSync("openssl", ["req", "-x509", ...ec, "-keyout", key, "-out", cert, ...about], {
      stdio: "ignore",
    });
  };
  make("own");
  make("other");
  const server = new SMTPServer({
    secure: true,
    key: await readFile(join(folder, "own.key")),
    cert: await readFile(join(folder, "own.pem")),
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
  const other = await problemWith({ SMTP_CA_FILE: join(folder, "other.pem") });
  assert.match(other ?? "", /certificate is not accepted/);
  assert.equal(await problemWith({ SMTP_CA_FILE: join(folder, "own.pem") }), null);
});
