// Runs: always

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { ConfigError, describeConfig, readConfig } from "../../server/config/config.ts";
import { variables } from "../../server/config/variables.ts";

const secret = "0123456789abcdef".repeat(4);

test("without any variable, Parley listens on this machine and keeps everything in ./data", () => {
  const config = readConfig({ PORT: "", SMTP_URL: "" });
  assert.equal(config.publicUrl, "http://127.0.0.1:3000");
  assert.equal(config.publicUrlGiven, false);
  assert.equal(config.smtp, undefined);
  assert.deepEqual(config.mailFrom, { name: "Parley", address: "no-reply@localhost" });
  assert.equal(config.mailRetrySeconds, 30);
  assert.equal(config.trustProxy, false);
});

test("every variable is read", () => {
  const config = readConfig({
    HOST: "::1",
    PORT: "0",
    DATABASE_URL: "postgres://u:p@h/d",
    PARLEY_SECRET: secret,
    PUBLIC_URL: "https://Meet.example.org/",
    TRUST_PROXY: "loopback, 10.0.0.0/8",
    SMTP_URL: "smtp://us%40er:p%23w@mail.example.org",
    MAIL_RETRY_SECONDS: "0.5",
  });
  assert.equal(config.publicUrl, "https://meet.example.org");
  assert.deepEqual(config.trustProxy, ["loopback", "10.0.0.0/8"]);
  assert.deepEqual(config.mailFrom, { name: "Parley", address: "no-reply@meet.example.org" });
  assert.deepEqual(config.smtp?.credentials, { user: "us@er", password: "p#w" });
  assert.equal(config.smtp?.port, 587);
});

test("Parley introduces itself to the mail server by a name if it knows one", () => {
  const hello = (env: Record<string, string>, query = "") =>
    readConfig({ SMTP_URL: `smtp://mail.example.org${query}`, ...env }).smtp?.name;
  assert.equal(hello({ PUBLIC_URL: "https://meet.example.org/parley" }), "meet.example.org");
  assert.equal(hello({ MAIL_FROM: "Us <us@example.org>" }), "example.org");
  const both = { PUBLIC_URL: "https://meet.example.org", MAIL_FROM: "us@example.com" };
  assert.equal(hello(both), "meet.example.org");
  assert.equal(hello(both, "?name=other.example.org"), "other.example.org");
  for (const PUBLIC_URL of [
    "http://127.0.0.1:3000",
    "http://[::1]:3000",
    "http://localhost",
    "http://meet",
  ]) {
    assert.equal(hello({ PUBLIC_URL, MAIL_FROM: "us@example.org" }), "example.org");
  }
  assert.equal(hello({ PUBLIC_URL: "http://meet" }), "meet");
  assert.equal(hello({ PUBLIC_URL: "http://192.0.2.1" }), undefined);
  assert.equal(hello({}), undefined);
});

test("letters leave this machine encrypted unless the operator allows otherwise", () => {
  const tls = (url: string) => readConfig({ SMTP_URL: url }).smtp?.tls;
  assert.equal(tls("smtp://mail.example.org"), "required");
  assert.equal(tls("smtps://mail.example.org"), "required");
  assert.equal(tls("smtp://127.0.0.1:25"), "optional");
  assert.equal(tls("smtp://[::1]:25"), "optional");
  assert.equal(tls("smtp://mail.example.org?tls=none"), "none");
});

test("LiveKit's API and browsers' servers are accepted in the usual spellings", () => {
  const { media } = readConfig({
    LIVEKIT_URL: "wss://livekit.example.org/",
    LIVEKIT_API_KEY: "k",
    MEDIA_TCP: "off",
    LIVEKIT_API_SECRET: secret,
    TURN_SECRET: "shared-secret",
    TURN_URLS: "turn:turn.example.org:3478?transport=udp, turns:[2001:db8::1]:443",
  });
  assert.deepEqual(media.cluster, { url: "https://livekit.example.org", key: "k", secret });
  assert.equal(media.tcpPort, "off");
  assert.equal(media.turnUrls.length, 2);
});

test("a media setting that needs another one names it", () => {
  const problemsOf = (env: Record<string, string>) => {
    try {
      readConfig(env);
      return [];
    } catch (error) {
      return error instanceof ConfigError ? error.problems : [];
    }
  };
  assert.match(problemsOf({ LIVEKIT_URL: "ws://127.0.0.1" }).join(), /needs LIVEKIT_API_KEY and/);
  assert.match(problemsOf({ TURN_URLS: "turn:t.example.org" }).join(), /needs TURN_SECRET/);
});

const wrong: [name: string, value: string][] = [
  ["HOST", "a b"],
  ["PORT", "abc"],
  ["PORT", "65536"],
  ["DATABASE_URL", "mysql://user:SENTINEL@host/d"],
  ["DATABASE_URL", "postgres://user:p#SENTINEL@host/d"],
  ["DATABASE_URL", "postgres://user:12/SENTINEL@host/d"],
  ["DATABASE_URL", "postgres://user:%SENTINEL@host/d"],
  ["PUBLIC_URL", "localhost:3000"],
  ["PUBLIC_URL", "https://user:SENTINEL@host"],
  ["PUBLIC_URL", "javascript:alert(1)"],
  ["PUBLIC_URL", "https://meet.example.org/api"],
  ["PUBLIC_URL", "https://meet.example.org/m/parley"],
  ["PUBLIC_URL", "https://meet.example.org/par;ley"],
  ["PUBLIC_URL", "https://meet.example.org/a//b"],
  ["TRUST_PROXY", "1"],
  ["TRUST_PROXY", "10.0.0.0/33"],
  ["SMTP_URL", "http://user:SENTINEL@host"],
  ["SMTP_URL", "smtp://user:SENT/INEL@host"],
  ["SMTP_URL", "smtp://user:12/SENTINEL@host"],
  ["SMTP_URL", "smtp://user:SENTINEL"],
  ["SMTP_URL", "smtp://user:SENTINEL@host?tls=maybe"],
  ["SMTP_URL", "smtps://host?tls=none"],
  ["MAIL_FROM", "Parley"],
  ["MAIL_FROM", "Par\r\nley <a@example.org>"],
  ["MAIL_RETRY_SECONDS", "0"],
  ["MAIL_FILE_DAYS", "0"],
  ["SMTP_CA_FILE", "/nowhere/ca.pem"],
  ["LOG_LEVEL", "loud"],
  ["PARLEY_SECRET", "SENTINEL"],
  ["PARLEY_ADMIN_EMAIL", "nobody"],
  ["PARLEY_ADMIN_PASSWORD", "SENTINEL"],
  ["LIVEKIT_URL", "wss://user:SENTINEL@host"],
  ["LIVEKIT_API_SECRET", "SENTINEL"],
  ["MEDIA_TCP", "none"],
  ["MEDIA_ADDRESS", "meet.example.org"],
  ["TURN_URLS", "turn:user:SENTINEL@host"],
  ["TURN_URLS", "https://turn.example.org"],
  ["TURN_SECRET", "SENT\tINEL"],
];

for (const [name, value] of wrong) {
  test(`${name}=${JSON.stringify(value)} is refused in one line that shows no secret`, () => {
    assert.throws(
      () => readConfig({ [name]: value }),
      (error: unknown) =>
        error instanceof ConfigError &&
        error.message.startsWith(`${name} is `) &&
        !/[\r\n]|SENTINEL|INEL/.test(error.message),
    );
  });
}

test("PostgreSQL requires PARLEY_SECRET, because its processes must share one", () => {
  assert.throws(
    () => readConfig({ DATABASE_URL: "postgres://h/d" }),
    /^ConfigError: PARLEY_SECRET is not set/,
  );
});

test("the list of variables shows values but no secret", () => {
  const rows = describeConfig({
    PORT: "8080",
    SMTP_URL: "smtp://user:SENTINEL@host",
    PARLEY_SECRET: "SENTINEL",
    DATABASE_URL: "postgres://user:SENTINEL@host/d",
    PARLEY_ADMIN_PASSWORD: "SENTINEL",
  });
  assert.equal(rows.find(({ name }) => name === "PORT")?.value, "8080");
  assert.equal(rows.find(({ name }) => name === "HOST")?.value, null);
  assert.doesNotMatch(JSON.stringify(rows), /SENTINEL/);
});

test("docs/operating.md has every setting as parley config shows it", () => {
  const rows = describeConfig({}).map(
    ({ name, default: usual, accepted, meaning }) =>
      `| \`${name}\` | ${usual} | ${accepted} | ${meaning} |`,
  );
  const table = ["| Variable | Default | Accepted | Meaning |", "|---|---|---|---|", ...rows].join(
    "\n",
  );
  const text = readFileSync(new URL("../../docs/operating.md", import.meta.url), "utf8");
  const standing = text.split("\n").filter((line) => line.startsWith("| `"));
  assert.ok(text.includes(`${table}\n`), `The table of settings has to be:\n${table}\n`);
  for (const row of rows) assert.equal(standing.filter((line) => line === row).length, 1);
});

test("every default is an accepted value", () => {
  assert.doesNotThrow(() =>
    readConfig(
      Object.fromEntries(
        Object.values(variables).flatMap((one) =>
          "default" in one ? [[one.name, one.default]] : [],
        ),
      ),
    ),
  );
});

test("every wrong value is reported at once", () => {
  assert.throws(
    () => readConfig({ PORT: "x", HOST: "a b", MAIL_FILE_DAYS: "0", DATABASE_URL: "mysql://h/d" }),
    (error: unknown) =>
      error instanceof ConfigError &&
      error.problems.map((line) => line.split(" ")[0]).join() ===
        "HOST,PORT,DATABASE_URL,MAIL_FILE_DAYS,PARLEY_SECRET",
  );
});
