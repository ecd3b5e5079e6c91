// Runs: sqlite
// Needs: haproxy, nginx

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { connect } from "node:http2";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { connect as connectTls } from "node:tls";
import { withoutHaproxy, withoutNginx } from "../run/programs.ts";
import { openCertificates, withoutOpenssl } from "../world/certificates.ts";
import { freePort } from "../world/free-port.ts";
import { until } from "../world/process.ts";
import { rawRequest } from "../world/raw.ts";
import { startWorld } from "../world/world.ts";

/** A sample of deploy/ with a test's files and ports. */
interface Fitting {
  readonly folder: string;
  readonly cert: string;
  readonly key: string;
  readonly plain: number;
  readonly tls: number;
  readonly service: number;
}

interface Proxy {
  readonly sample: string;
  readonly skip: string | false;
  /** The whole configuration of a test. */
  fitted(text: string, fitting: Fitting): string;
  /** The program with its arguments. */
  command(config: string, folder: string): readonly [string, ...string[]];
  /** What the proxy logs of a request to a path. */
  readonly logged: RegExp;
}

const read = (name: string): Promise<string> =>
  readFile(new URL(`../../deploy/${name}`, import.meta.url), "utf8");

const nginx: Proxy = {
  sample: await read("nginx.conf"),
  skip: withoutNginx() || withoutOpenssl,
  fitted: (text, { folder, cert, key, plain, tls, service }) => {
    const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
      (name) => `${name}_temp_path ${folder}/${name};`,
    );
    const placed = text
      .replace(/^\s*listen \[::\].*$/gm, "")
      .replace("listen 80;", `listen 127.0.0.1:${plain};`)
      .replace("listen 443 ", `listen 127.0.0.1:${tls} `)
      .replace(/ssl_certificate .*;/, `ssl_certificate ${cert};`)
      .replace(/ssl_certificate_key .*;/, `ssl_certificate_key ${key};`)
      .replace("127.0.0.1:3000", `127.0.0.1:${service}`)
      .replaceAll("/var/log/nginx", folder);
    return `daemon off; master_process off; pid ${folder}/pid; error_log ${folder}/error.log;
      events {}
      http { access_log ${folder}/access.log; ${temporary.join(" ")} ${placed} }`;
  },
  command: (config, folder) => ["nginx", "-p", folder, "-c", config],
  logged: /GET \/api\/meeting\/rtc\/v1(\?\S*)? HTTP\/1\.1" 40[34]/,
};

const haproxy: Proxy = {
  sample: await read("haproxy.cfg"),
  skip: withoutHaproxy() || withoutOpenssl,
  fitted: (text, { folder, plain, tls, service }) =>
    text
      .replace("/dev/log local0", "stdout format raw local0")
      .replace("bind :80", `bind 127.0.0.1:${plain}`)
      .replace("bind :443", `bind 127.0.0.1:${tls}`)
      .replace("/etc/haproxy/meet.example.org.pem", `${folder}/both.pem`)
      .replace("127.0.0.1:3000", `127.0.0.1:${service}`),
  command: (config) => ["haproxy", "-db", "-f", config],
  logged: / 40[34] .* GET \/api\/meeting\/rtc\/v1(\?\S*)? HTTP\/1\.1/,
};

/** A proxy in front of a service. @returns its port for TLS, and all that it logs */
const startProxy = async (t: TestContext, proxy: Proxy, text: string, service: string) => {
  const folder = await mkdtemp(join(tmpdir(), "parley-proxy-"));
  const { cert, key } = (await openCertificates(t)).make("proxy");
  const [plain, tls] = [await freePort(), await freePort()];
  const fitting = { folder, cert, key, plain, tls, service: Number(new URL(service).port) };
  await writeFile(join(folder, "both.pem"), (await readFile(cert)).toString());
  await appendFile(join(folder, "both.pem"), await readFile(key));
  const config = join(folder, "proxy.conf");
  await writeFile(config, proxy.fitted(text, fitting));
  const [program, ...given] = proxy.command(config, folder);
  const child = spawn(program, given, { stdio: ["ignore", "pipe", "ignore"] });
  let said = "";
  child.stdout.on("data", (data) => {
    said += data;
  });
  t.after(async () => {
    const ended = child.exitCode === null ? once(child, "exit") : undefined;
    child.kill("SIGKILL");
    await ended;
    await rm(folder, { recursive: true, force: true });
  });
  const file = (name: string) => readFile(join(folder, `${name}.log`), "utf8").catch(() => "");
  const logs = async () => said + (await file("access")) + (await file("error"));
  await until(
    "the proxy answers",
    async () => (await upgrade(tls, "/api/meeting/socket")) === "101",
  );
  return { tls, logs };
};

/** The status with which a proxy answers a WebSocket request; empty if it does not. */
const upgrade = async (port: number, path: string): Promise<string> => {
  const socket = connectTls({ port, host: "127.0.0.1", rejectUnauthorized: false });
  socket.write(
    rawRequest([
      ...[`GET ${path} HTTP/1.1`, "Host: meet.example.org", "Connection: Upgrade"],
      ...["Upgrade: websocket", "Sec-WebSocket-Version: 13"],
      "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    ]),
  );
  // Nothing where the proxy does not listen yet.
  const [answer = ""] = await Promise.race([once(socket, "data"), once(socket, "close")]).catch(
    () => [],
  );
  socket.destroy();
  return /^HTTP\/1\.1 (\d+)/.exec(String(answer))?.[1] ?? "";
};

/** Connects with a ticket, also while the service is away. Do the proxy's logs contain the ticket? */
const keepsTickets = async (t: TestContext, proxy: Proxy, text: string): Promise<void> => {
  const world = await startWorld(t);
  const { tls, logs } = await startProxy(t, proxy, text, world.url);
  const signaling = "/api/meeting/rtc/v1?access_token=the-ticket&join_request=AAAA";
  assert.match(await upgrade(tls, signaling), /^40[34]$/, "no such ticket, or no engine");
  assert.equal(await upgrade(tls, "/api/meeting/socket"), "101", "WebSockets are forwarded");
  await world.parley.stop();
  const away = [signaling, "/api/meeting/rtc/v1/validate?access_token=the-ticket"];
  for (const path of [...away, "/api/meeting/socket"]) {
    assert.match(await upgrade(tls, path), /^50[23]$/);
  }
  await until("the proxy has logged it", async () => /validate/.test(await logs()));
  await until("also the last one", async () =>
    /meeting\/socket.* 50[23]|50[23] .*meeting\/socket/.test(await logs()),
  );
  assert.match(await logs(), proxy.logged);
  assert.doesNotMatch(await logs(), /the-ticket/);
};

/** What a request by HTTP/2 gets. */
const byHttp2 = async (port: number, headers: Readonly<Record<string, string>>) => {
  const session = connect(`https://127.0.0.1:${port}`, { rejectUnauthorized: false });
  const request = session.request({ ":authority": "meet.example.org", ...headers });
  request.end();
  const [answer] = await once(request, "response");
  request.resume();
  await once(request, "end");
  session.close();
  return answer as Readonly<Record<string, string | number | undefined>>;
};

for (const [name, proxy] of Object.entries({ nginx, haproxy })) {
  const { skip, sample } = proxy;

  test(
    `${name} with the sample configuration forwards WebSockets, and logs no ticket`,
    {
      skip,
    },
    (t) => keepsTickets(t, proxy, sample),
  );

  test(`${name} with the sample configuration speaks HTTP/2, and tells where a client is`, {
    skip,
  }, async (t) => {
    const world = await startWorld(t, { environment: { TRUST_PROXY: "loopback" } });
    const tenant = await world.tenant();
    const { tls } = await startProxy(t, proxy, sample, world.url);
    const created = await byHttp2(tls, {
      ":method": "POST",
      ":path": "/api/accessKey",
      authorization: `Bearer ${tenant.token}`,
      "content-type": "application/json",
      "x-forwarded-for": "203.0.113.7",
    });
    assert.equal(created[":status"], 201);
    const { body } = await tenant.ask("listHistory", {});
    assert.equal(body.entries[0].actor.address, "127.0.0.1", "not what the client says of itself");
  });
}

test("nginx with its default logging writes tickets to both of its logs", {
  skip: nginx.skip,
}, async (t) => {
  const usual = nginx.sample.replace(/^\s*access_log [^;]*;$/gm, "");
  const noError = nginx.sample.replace(/^\s*error_log [^;]*;$/gm, "");
  for (const text of [usual, noError]) {
    assert.notEqual(text, nginx.sample);
    await assert.rejects(keepsTickets(t, nginx, text), /the-ticket/);
  }
});

test("haproxy with its default logging writes tickets to its log", {
  skip: haproxy.skip,
}, async (t) => {
  const usual = haproxy.sample.replace(/^\s*log-format .*$/m, "\toption httplog");
  assert.notEqual(usual, haproxy.sample);
  await assert.rejects(keepsTickets(t, haproxy, usual), /the-ticket/);
});
