import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { type TestContext, test } from "node:test";
import { WebSocket } from "ws";
import { shareConnections } from "../../server/http/connections.ts";
import type { limits } from "../../server/http/limits.ts";
import { assertLimited } from "../access/tries.ts";
import { openCertificates, servedWith, trust, withoutOpenssl } from "../world/certificates.ts";
import { until } from "../world/process.ts";
import { openRaw, type Raw } from "../world/raw.ts";
import { startWorld } from "../world/world.ts";

const PATH = "/api/meeting/socket";

/** Sends a WebSocket request like a browser's, and returns the head of the answer. */
const ask = async (
  url: string,
  path: string,
  more: Readonly<Record<string, string>> = {},
): Promise<{ readonly raw: Raw; readonly head: string }> => {
  const headers = {
    Host: "meet.local",
    Connection: "Upgrade",
    Upgrade: "websocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
    ...more,
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const raw = openRaw(url);
  raw.send(`GET ${path} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`);
  return { raw, head: await raw.wait(/\r\n\r\n/) };
};

test("WebSockets open only at their own path", async (t) => {
  const { url } = await startWorld(t);
  const others = ["/", "/api", `${PATH}/more`, "/api/roomSetting/paginated", "/healthz"];
  for (const path of [...others, "http://meet.local/", `http://meet.local${PATH}#f`]) {
    const { raw, head } = await ask(url, path);
    assert.match(head, /^HTTP\/1\.1 404 Not Found\r\n/, path);
    await raw.closed;
  }
  for (const path of [PATH, `${PATH}?a=b`, `http://meet.local${PATH}?a=b`]) {
    const { raw, head } = await ask(url, path);
    assert.match(head, /^HTTP\/1\.1 101 /, path);
    raw.socket.destroy();
  }
  const twoHosts = await ask(url, PATH, { host: "other.local" });
  assert.match(twoHosts.head, /^HTTP\/1\.1 400 /);
});

test("a handshake without Upgrade, as some proxies send it, gets 426, and the log says once what to set", async (t) => {
  const { url, log } = await startWorld(t);
  const handshake = {
    "sec-websocket-version": "13",
    "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
  };
  for (const headers of [{}, handshake, { ...handshake, origin: url }]) {
    const answer = await fetch(`${url}${PATH}`, { headers });
    const { code } = (await answer.json()) as { readonly code: string };
    assert.deepEqual(
      [answer.status, answer.headers.get("upgrade"), code],
      [426, "websocket", "upgrade_needed"],
    );
  }
  const told = log.filter((line) => line.includes("a proxy lets no WebSocket through"));
  assert.equal(told.length, 1, told.join());
});

test("only pages of the service's origin and of CORS_ORIGINS can open a WebSocket", async (t) => {
  const environment = {
    PUBLIC_URL: "https://meet.example.org",
    CORS_ORIGINS: "https://portal.example.org",
  };
  const { url } = await startWorld(t, { environment });
  const status = async (origin: string): Promise<string> => {
    const { raw, head } = await ask(url, PATH, { Origin: origin });
    raw.socket.destroy();
    return head.slice(9, 12);
  };
  for (const own of ["https://meet.example.org", "http://meet.local", "https://portal.example.org"])
    assert.equal(await status(own), "101", own);
  const others = ["https://evil.example.org", "https://meet.example.org.evil.org", "null", "x"];
  for (const other of others) assert.equal(await status(other), "403", other);
});

test("a request that offers another protocol is answered as if it offered none", async (t) => {
  const { url } = await startWorld(t);
  const { raw, head } = await ask(url, "/healthz", {
    Connection: "Upgrade, HTTP2-Settings",
    Upgrade: "h2c",
    "HTTP2-Settings": "AAMAAABkAAQAAP__",
  });
  assert.match(head, /^HTTP\/1\.1 200 OK/);
  raw.send("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n");
  assert.match(await raw.wait(/"ok"}.*"ok"}$/s), /200 OK.*200 OK/s);
  raw.socket.destroy();
});

test("a busy service refuses a WebSocket, and says when to come back", async (t) => {
  const twin = {
    name: "takes no request",
    replaced: [
      {
        file: "http/limits.ts",
        export: "limits",
        by: (real: typeof limits) => ({ ...real, requests: 0 }),
      },
    ],
  };
  const { url } = await startWorld(t, { twin });
  const { raw, head } = await ask(url, PATH);
  assert.match(head, /^HTTP\/1\.1 503 .*Retry-After: 2\r\n/s);
  await raw.closed;
});

test("WebSockets are limited by their address, apart from its other requests", async (t) => {
  const { url, open } = await startWorld(t, {
    environment: { RATE_LIMIT: "10", TRUST_PROXY: "loopback" },
  });
  const status = async (address: string): Promise<number> => {
    const { raw, head } = await ask(url, PATH, { "X-Forwarded-For": address });
    raw.socket.destroy();
    return Number(head.slice(9, 12));
  };
  const many = await assertLimited(101, async () => ({ status: await status("198.51.100.1") }));
  assert.ok(many.filter((one) => one.status !== 429).length >= 50);
  assert.equal(await status("203.0.113.1"), 101);
  const asGuest = () =>
    open("joinRoom", { roomId: "unknown" }, { "x-forwarded-for": "198.51.100.1" });
  await assertLimited(404, asGuest);
  assert.equal((await open("joinRoom", { roomId: "unknown" })).status, 404);
});

test("clients that disconnect while opening a WebSocket do no harm", async (t) => {
  const { url } = await startWorld(t);
  for (const path of [PATH, "/nowhere"]) {
    for (let n = 0; n < 20; n += 1) {
      const raw = openRaw(url);
      await once(raw.socket, "connect");
      raw.send(
        `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n\x88`,
      );
      raw.socket.resetAndDestroy();
    }
  }
  assert.equal((await fetch(`${url}/healthz`)).status, 200);
});

/** Opens WebSockets, stops the service, and returns the codes with which they were closed. */
const stopped = async (t: TestContext, environment: Readonly<Record<string, string>>) => {
  const world = await startWorld(t, { environment });
  const codes = await Promise.all(
    [1, 2, 3].map(async () => {
      const socket = new WebSocket(`${world.url.replace("http", "ws")}${PATH}`);
      await once(socket, "open");
      return { closed: once(socket, "close") };
    }),
  );
  await world.parley.stop();
  return Promise.all(codes.map(async ({ closed }) => (await closed)[0]));
};

test("a service that stops asks its WebSockets to connect elsewhere", async (t) => {
  assert.deepEqual(await stopped(t, {}), [1012, 1012, 1012]);
});

test("with TLS, WebSockets open and are asked to connect elsewhere", {
  skip: withoutOpenssl,
}, async (t) => {
  const files = (await openCertificates(t)).make("own");
  await trust(files);
  assert.deepEqual(await stopped(t, servedWith(files)), [1012, 1012, 1012]);
});

test("the connection of an authenticated person is not closed in favor of waiting ones", async (t) => {
  const server = createServer();
  const keep = shareConnections(server, { trustProxy: false }, (socket) => socket);
  const taken: Socket[] = [];
  server.on("connection", (socket) => void taken.push(socket));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const all: Raw[] = [];
  t.after(() => {
    for (const { socket } of all) socket.destroy();
    server.closeAllConnections();
    server.close();
  });
  const open = async (many: number): Promise<void> => {
    const before = taken.length;
    all.push(...Array.from({ length: many }, () => openRaw(url)));
    await until("they are taken", () => taken.length === before + many);
  };
  await open(1);
  const [known] = taken;
  assert.ok(known);
  keep(known);
  // One address's share of connections; the first one waits longest.
  while (taken.length < 2_000) await open(Math.min(100, 2_000 - taken.length));
  await open(20);
  await until("those that wait are closed", () => taken[20]?.destroyed === true);
  assert.deepEqual(
    taken.slice(0, 22).map(({ destroyed }) => destroyed),
    [false, ...Array.from({ length: 20 }, () => true), false],
  );
});
