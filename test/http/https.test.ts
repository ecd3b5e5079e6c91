// Runs: complete, waits

import assert from "node:assert/strict";
import { once } from "node:events";
import { readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { connect, type SecureVersion } from "node:tls";
import { readConfig } from "../../server/config/config.ts";
import type { Twin } from "../twins/twin.ts";
import {
  type CertificateFiles,
  openCertificates,
  replace,
  servedWith,
  trust,
  withoutOpenssl,
} from "../world/certificates.ts";
import { until } from "../world/process.ts";
import { openRaw } from "../world/raw.ts";
import { startWorld } from "../world/world.ts";

const skip = withoutOpenssl;
/** Checks so often that four changes take less than a minute; renewal itself is unchanged. */
const looksOften: Twin = {
  name: "looks at its certificate often",
  replaced: [
    {
      file: "http/certificate.ts",
      lines: "const LOOK_MS = 5_000;",
      by: "const LOOK_MS = 1_000;",
    },
  ],
};
const GET = "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n";

/** A service with a certificate that this process trusts. */
const startTls = async (
  t: TestContext,
  environment: Readonly<Record<string, string>> = {},
  twin?: Twin,
) => {
  const { make } = await openCertificates(t);
  const files = make("first");
  await trust(files);
  const world = await startWorld(t, {
    environment: { ...environment, ...servedWith(files) },
    twin,
  });
  return { ...world, files, make };
};

/** The name in the certificate that a new connection gets. */
const shownBy = async (url: string): Promise<string> => {
  const socket = connect({ port: Number(new URL(url).port), host: "127.0.0.1" });
  await once(socket, "secureConnect");
  const { CN } = socket.getPeerCertificate().subject;
  socket.destroy();
  return String(CN);
};

test("with a certificate the service speaks HTTPS, and its own address and cookies say so", {
  skip,
}, async (t) => {
  const world = await startTls(t);
  assert.match(world.url, /^https:\/\/127\.0\.0\.1:\d+$/);
  assert.match(world.config.publicUrl, /^https:\/\/127\.0\.0\.1:/);
  const { email, password } = world.parley.firstStart?.admin ?? {};
  const answer = await fetch(`${world.url}/api/session`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ login: email, password }),
  });
  assert.equal(answer.status, 200);
  const cookies = answer.headers.getSetCookie();
  assert.ok(cookies.length > 0);
  for (const cookie of cookies) assert.match(cookie, /; Secure/);
  assert.equal(answer.headers.get("strict-transport-security"), null);
});

test("the service sends its certificate with those that signed it", { skip }, async (t) => {
  const { make, folder } = await openCertificates(t);
  const root = make("root");
  const middle = make("middle", { by: root });
  const own = make("own", { by: middle });
  const cert = join(folder, "chain.pem");
  await writeFile(cert, (await readFile(own.cert, "utf8")) + (await readFile(middle.cert, "utf8")));
  const world = await startWorld(t, { environment: servedWith({ cert, key: own.key }) });
  await assert.rejects(fetch(`${world.url}/healthz`));
  await trust(root);
  assert.equal((await fetch(`${world.url}/healthz`)).status, 200);
});

test("TLS 1.2 and 1.3 are spoken, older versions are refused", { skip }, async (t) => {
  const { url } = await startTls(t);
  const speaks = (version: SecureVersion): Promise<boolean> => {
    const socket = connect({
      port: Number(new URL(url).port),
      host: "127.0.0.1",
      minVersion: version,
      maxVersion: version,
      ciphers: "DEFAULT:@SECLEVEL=0",
    });
    const spoken = once(socket, "secureConnect").then(
      () => true,
      () => false,
    );
    return spoken.finally(() => socket.destroy());
  };
  assert.deepEqual(
    await Promise.all((["TLSv1", "TLSv1.1", "TLSv1.2", "TLSv1.3"] as const).map(speaks)),
    [false, false, true, true],
  );
});

test("a client that speaks HTTP to an HTTPS port gets an error that says so", {
  skip,
}, async (t) => {
  const world = await startTls(t);
  const plain = world.url.replace("https:", "http:");
  const raw = openRaw(plain);
  raw.send(GET);
  const [head = "", body = ""] = (await raw.wait(/}$/)).split("\r\n\r\n");
  assert.match(head, /^HTTP\/1\.1 400 Bad Request\r\n/);
  assert.deepEqual(JSON.parse(body), {
    success: false,
    message: "Here is HTTPS only: the address begins with https://.",
    code: "invalid_request",
  });
  await raw.closed;
  const noise = openRaw(plain);
  noise.send("\0\u0001 neither of them \r\n\r\n");
  await noise.closed;
  assert.doesNotMatch(noise.said(), /HTTP/);
  assert.equal((await fetch(`${world.url}/healthz`)).status, 200);
});

test("a renewed certificate is served to new connections, and open ones stay open", {
  skip,
}, async (t) => {
  const { make, folder } = await openCertificates(t);
  const first = make("first");
  await trust(first);
  // As certbot stores them: links, which a renewal replaces.
  const live = { cert: join(folder, "live.pem"), key: join(folder, "live.key") };
  const link = async (to: CertificateFiles): Promise<void> => {
    for (const part of ["cert", "key"] as const) {
      await symlink(to[part], `${live[part]}.new`);
      await rename(`${live[part]}.new`, live[part]);
    }
  };
  await link(first);
  const METRICS_TOKEN = "a-token-for-metrics";
  const environment = { ...servedWith(live), METRICS_TOKEN };
  const world = await startWorld(t, { environment });
  const kept = openRaw(world.url);
  kept.send(GET);
  await kept.wait(/"ok"}$/);
  assert.equal(await shownBy(world.url), "first");
  const endsIn = async (): Promise<number> => {
    const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
    const text = await (await fetch(`${world.url}/metrics`, { headers })).text();
    return Number(/^parley_certificate_valid_to_timestamp_seconds (\S+)$/m.exec(text)?.[1]);
  };
  const before = await endsIn();
  assert.ok(Math.abs(before * 1000 - Date.now() - 30 * 24 * 3_600_000) < 3_600_000, `${before}`);
  const second = make("second", { days: 60 });
  await trust(second);
  await link(second);
  await until("the renewed one is served", async () => (await shownBy(world.url)) === "second");
  assert.ok((await endsIn()) > before + 29 * 24 * 3600);
  kept.send(GET);
  assert.match(await kept.wait(/"ok"}.*"ok"}$/s), /200 OK.*200 OK/s);
  assert.equal(kept.socket.destroyed, false);
  assert.equal(world.log.join(""), "");
  kept.socket.destroy();
});

test("an unusable renewal keeps the former certificate in use, and is logged once", {
  skip,
}, async (t) => {
  const world = await startTls(t, {}, looksOften);
  const { files, make } = world;
  const good = { cert: `${files.cert}.good`, key: `${files.key}.good` };
  for (const part of ["cert", "key"] as const)
    await writeFile(good[part], await readFile(files[part]));
  const errors = () =>
    world.log.filter((line) => line.includes("the certificate from before stays"));
  const broken: [problem: RegExp, breakIt: () => Promise<void>][] = [
    [
      /TLS_KEY is .*, which is not the key of the certificate in TLS_CERT; accepted: /,
      () => replace(files, { cert: make("other").cert, key: good.key }),
    ],
    [/TLS_CERT is .*, which holds no certificate; accepted: /, () => writeFile(files.cert, "half")],
    [/TLS_CERT is .*, which cannot be read \(ENOENT\); accepted: /, () => rm(files.cert)],
  ];
  for (const [at, [problem, breakIt]] of broken.entries()) {
    await breakIt();
    await until("it is said", () => errors().length > at);
    assert.match(errors()[at] ?? "", problem);
    assert.equal(await shownBy(world.url), "first");
  }
  const renewed = make("renewed");
  await trust(renewed);
  await replace(files, renewed);
  await until("the next one is served", async () => (await shownBy(world.url)) === "renewed");
  assert.equal(errors().length, broken.length);
  assert.doesNotMatch(world.log.join(""), /PRIVATE KEY/);
});

test("HSTS is sent only if the host of PUBLIC_URL serves nothing else", {
  skip,
}, async (t) => {
  const headerOf = async (PUBLIC_URL: string, host: string): Promise<string | undefined> => {
    const { url } = await startTls(t, { PUBLIC_URL });
    const raw = openRaw(url);
    raw.send(`GET /healthz HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    const said = await raw.wait(/"ok"}$/);
    assert.match(said, /200 OK/);
    return /^strict-transport-security: (.*)\r$/im.exec(said)?.[1];
  };
  assert.equal(await headerOf("https://meet.example.org", "meet.example.org"), "max-age=31536000");
  assert.equal(await headerOf("https://meet.example.org", "localhost"), undefined);
  assert.equal(await headerOf("https://meet.example.org:8443", "meet.example.org:8443"), undefined);
});

test("a certificate without its key, and a key without its certificate, are refused by their names", () => {
  assert.throws(
    () => readConfig({ TLS_CERT: "/c.pem" }),
    /TLS_CERT is set and TLS_KEY is not; accepted: both, or neither of them\./,
  );
  assert.throws(() => readConfig({ TLS_KEY: "/c.key" }), /TLS_KEY is set and TLS_CERT is not/);
});
