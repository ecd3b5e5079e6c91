// Runs: sqlite

import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { type TestContext, test } from "node:test";
import type { MailCause } from "../../contract/kit/mail-causes.ts";
import type { SmtpServer } from "../../server/config/smtp-url.ts";
import { deliverBySmtp } from "../../server/mail/smtp.ts";
import { freePort } from "../world/free-port.ts";

/** A minimal mail server: `answers` has its reply to each command, by verb. */
const serve = async (t: TestContext, greeting: string, answers: Record<string, string> = {}) => {
  const bodies: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on("error", () => {}));
    socket.write(greeting);
    let inBody = false;
    socket.on("data", (chunk) => {
      const text = chunk.toString("latin1");
      if (inBody) bodies.push(text);
      const verb = inBody ? "." : text.slice(0, 4).trim();
      if (inBody && !text.endsWith("\r\n.\r\n")) return;
      const reply =
        answers[verb] ?? { EHLO: "250 hi\r\n", DATA: "354 go\r\n" }[verb] ?? "250 ok\r\n";
      inBody = verb === "DATA" && reply.startsWith("354");
      if (reply === "(hang up)") socket.destroy();
      else socket.write(reply);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, bodies };
};

const message = {
  id: "1",
  createdAt: "2026-01-31T09:30:00.000Z",
  from: "a@example.org",
  to: "b@example.org",
  raw: Buffer.from("Subject: x\r\n\r\nhello\r\n"),
};
const here = {
  host: "127.0.0.1",
  secure: false,
  tls: "none",
  name: "test",
  credentials: undefined,
} as const;

const deliver = (
  port: number,
  more: Partial<SmtpServer> = {},
  mayLeave = async () => true,
  ms = 120_000,
) => {
  const escort = { signal: AbortSignal.timeout(ms), mayLeave, secrets: ["LETTERSECRET"] };
  return deliverBySmtp({ ...here, port, ...more }, message, escort);
};

const cases: [
  what: string,
  greeting: string,
  answers: Record<string, string>,
  kind: string,
  error?: RegExp,
][] = [
  ["a server that takes the letter", "220 hi\r\n", {}, "sent"],
  [
    "550 to the recipient",
    "220 hi\r\n",
    { RCPT: "550 5.1.1 nobody\x07\r\n" },
    "refused",
    /^550 5.1.1 nobody$/,
  ],
  ["550 to the sender", "220 hi\r\n", { MAIL: "550 no\r\n" }, "unreachable", /^550 no$/],
  ["451 to the sender", "220 hi\r\n", { MAIL: "451 later\r\n" }, "unreachable"],
  [
    "554 to the letter, because of its sender",
    "220 hi\r\n",
    { ".": "554 5.2.252 SendAsDenied; a@example.org not allowed to send as b@example.org\r\n" },
    "unreachable",
    /SendAsDenied/,
  ],
  [
    "554 to the recipient, because nothing is relayed",
    "220 hi\r\n",
    { RCPT: "554 5.7.1 <b@example.org>: Relay access denied\r\n" },
    "unreachable",
  ],
  [
    "554 to the letter, which it repeats",
    "220 hi\r\n",
    { ".": "554 LETTERSECRET\r\n" },
    "refused",
    /^554 \*\*\*$/,
  ],
  ["451 to the recipient", "220 hi\r\n", { RCPT: "451 later\r\n" }, "failed", /^451 later$/],
  ["452 to the letter", "220 hi\r\n", { ".": "452 full\r\n" }, "failed"],
  ["421 to the recipient", "220 hi\r\n", { RCPT: "421 closing\r\n" }, "failed", /^421 closing$/],
  ["hanging up before the answer to the letter", "220 hi\r\n", { ".": "(hang up)" }, "failed"],
  ["554 as greeting", "554 no\r\n", {}, "unreachable", /^554 no$/],
  ["421 as greeting", "421 busy\r\n", {}, "unreachable"],
  ["530 to the sender", "220 hi\r\n", { MAIL: "530 sign in\r\n" }, "unreachable"],
  ["another protocol", "HTTP/1.1 400 Bad Request\r\n\r\n", {}, "unreachable"],
  ["a banner without end", "220-hi\r\n".repeat(100_000), {}, "unreachable", /does not speak SMTP/],
  [
    "an answer of 10 MiB",
    `220 ${"x".repeat(10 * 1024 * 1024)}\r\n`,
    {},
    "unreachable",
    /does not speak SMTP/,
  ],
];

for (const [what, greeting, answers, kind, error] of cases) {
  test(`${what}: ${kind}`, async (t) => {
    const server = await serve(t, greeting, answers);
    const outcome = await deliver(server.port);
    assert.equal(outcome.kind, kind);
    if (error !== undefined) assert.match("error" in outcome ? outcome.error : "", error);
  });
}

test("without STARTTLS nothing is sent where encryption is required", async (t) => {
  const server = await serve(t, "220 hi\r\n", { STAR: "502 no\r\n" });
  const outcome = await deliver(server.port, { tls: "required" });
  assert.equal(outcome.kind, "unreachable");
  assert.match("error" in outcome ? outcome.error : "", /not with the encryption .* 502 no$/);
});

test("a server's refusal that contains the password is not quoted", async (t) => {
  const plain = Buffer.from("\0user\0SENTINEL").toString("base64");
  const answers = { EHLO: "250-hi\r\n250 AUTH PLAIN\r\n", AUTH: `535 ${plain} SENTINEL\r\n` };
  const server = await serve(t, "220 hi\r\n", answers);
  const outcome = await deliver(server.port, {
    credentials: { user: "user", password: "SENTINEL" },
  });
  assert.equal(outcome.kind === "unreachable" && outcome.error, "535 *** ***");
});

test("no byte of a withdrawn letter is sent", async (t) => {
  const server = await serve(t, "220 hi\r\n");
  assert.deepEqual(await deliver(server.port, {}, async () => false), { kind: "held" });
  assert.deepEqual(server.bodies, []);
});

test("a silent server is abandoned at the deadline", async (t) => {
  const server = await serve(t, "");
  const outcome = await deliver(server.port, {}, async () => true, 300);
  assert.equal(
    outcome.kind === "unreachable" && outcome.error,
    "The mail server did not answer in time.",
  );
});

const login = { credentials: { user: "user", password: "SENTINEL" } };
const LOGIN = "250-hi\r\n250 AUTH PLAIN\r\n";
/** Why no connection is as it should be, and the cause that is named. */
const connections: readonly [
  what: string,
  greeting: string,
  answers: Record<string, string>,
  server: Partial<SmtpServer>,
  cause: MailCause,
][] = [
  ["answers plain where TLS is expected", "220 hi\r\n", {}, { secure: true }, "encryption"],
  ["offers no STARTTLS", "220 hi\r\n", { STAR: "502 no\r\n" }, { tls: "required" }, "encryption"],
  ["hangs up at STARTTLS", "220 hi\r\n", { STAR: "(hang up)" }, { tls: "required" }, "closed"],
  [
    "speaks no TLS after STARTTLS",
    "220 hi\r\n",
    { STAR: "220 go\r\nno\r\n" },
    { tls: "required" },
    "encryption",
  ],
  ["refuses the login", "220 hi\r\n", { EHLO: LOGIN, AUTH: "535 5.7.8 no\r\n" }, login, "login"],
  [
    "refuses the login for now",
    "220 hi\r\n",
    { EHLO: LOGIN, AUTH: "454 4.7.0 no\r\n" },
    login,
    "login",
  ],
  ["wants a login", "220 hi\r\n", { MAIL: "530 5.7.0 Authentication required\r\n" }, {}, "login"],
  [
    "wants STARTTLS",
    "220 hi\r\n",
    { MAIL: "530 5.7.0 Must issue a STARTTLS command first\r\n" },
    {},
    "encryption",
  ],
  ["is on a block list", "554 5.7.1 blocked using zen.spamhaus.org\r\n", {}, {}, "blocked"],
  ["is busy", "421 4.3.2 try again later\r\n", {}, {}, "busy"],
  [
    "wants another name",
    "220 hi\r\n",
    { EHLO: "550 no\r\n", HELO: "550 5.7.1 Helo command rejected\r\n" },
    {},
    "blocked",
  ],
  ["speaks another protocol", "HTTP/1.1 400 Bad Request\r\n\r\n", {}, {}, "protocol"],
  ["hangs up before the sender is answered", "220 hi\r\n", { EHLO: "(hang up)" }, {}, "closed"],
];
for (const [what, greeting, answers, server, cause] of connections) {
  test(`a server that ${what} is not called unreachable: ${cause}`, async (t) => {
    const { port } = await serve(t, greeting, answers);
    const outcome = await deliver(port, server);
    const { error, cause: found } = outcome.kind === "unreachable" ? outcome : assert.fail();
    assert.equal(found, cause, error);
    assert.doesNotMatch(error, /cannot be reached|SENTINEL|127\.0\.0\.1|unexpected/i);
  });
}

test("only a server without a connection is called unreachable", async (t) => {
  const { port } = await serve(t, "220 hi\r\n");
  const free = await freePort();
  assert.notEqual(free, port);
  const refused = await deliver(free);
  assert.equal(refused.kind === "unreachable" && refused.cause, "unreachable");
  const unknown = await deliver(port, { host: "mail.invalid" });
  assert.equal(unknown.kind === "unreachable" && unknown.cause, "name");
});
