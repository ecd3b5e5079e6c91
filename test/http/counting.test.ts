import assert from "node:assert/strict";
import { test } from "node:test";
import { all } from "../isolation/rows.ts";
import { bearer, requestFor, send } from "../world/ask.ts";
import { openRaw } from "../world/raw.ts";
import { startWorld } from "../world/world.ts";

const world = await startWorld(test, {
  environment: { RATE_LIMIT: "1", TRUST_PROXY: "loopback", METRICS_TOKEN: "m".repeat(32) },
});

let addresses = 0;
/** A simulated address that has sent nothing yet. */
const newAddress = (): string => {
  addresses += 1;
  return `10.9.${addresses}.1`;
};

type Status = (address: string) => Promise<number>;

/** Sends requests of one address until one is refused; each round is more than is taken in its time. */
const isLimited = async (status: Status): Promise<boolean> => {
  const address = newAddress();
  for (let round = 0; round < 20; round += 1) {
    const statuses = await Promise.all(Array.from({ length: 12 }, () => status(address)));
    if (statuses.includes(429)) return true;
  }
  return false;
};

const asking =
  (method: string, path: string, headers: Readonly<Record<string, string>> = {}): Status =>
  async (address) => {
    const body = method === "GET" || method === "HEAD" ? undefined : "{}";
    const more = { "x-forwarded-for": address, ...headers };
    return (await send(world.url, { method, path, body }, more)).status;
  };

test("every operation counts requests without a valid token by their address", async () => {
  for (const [id, operation] of all) {
    const { method, path } = requestFor(operation, operation.in === "path" ? { id: "x" } : {});
    const open = operation.access === "anyone";
    const headers = open ? {} : bearer("an-unknown-token");
    assert.ok(await isLimited(asking(method, path, headers)), id);
    if (operation.access === "anyone or token")
      assert.ok(await isLimited(asking(method, path)), id);
  }
});

test("requests without an operation count by their address, except probes and the pages' files", async () => {
  const counted: Readonly<Record<string, Status>> = {
    "an unknown path": asking("GET", "/api/nothing", bearer("unknown")),
    "a path without a token": asking("GET", "/api/nothing"),
    "another method": asking("GET", "/api/meeting/join"),
    "a file of a recording": asking("GET", "/api/recording/media/x/index.m3u8"),
    "a part of a stream": asking("GET", "/api/liveStream/media/x/index.m3u8"),
    "the document": asking("GET", "/openapi.json"),
    "its head": asking("HEAD", "/openapi.json"),
    metrics: asking("GET", "/metrics", bearer("wrong")),
    "a WebSocket": async (address) => {
      const raw = openRaw(world.url);
      raw.send(
        `GET /api/meeting/rtc/v1 HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nX-Forwarded-For: ${address}\r\n\r\n`,
      );
      const head = await raw.wait(/\r\n\r\n/);
      raw.socket.destroy();
      return Number(head.slice(9, 12));
    },
  };
  for (const [what, status] of Object.entries(counted)) assert.ok(await isLimited(status), what);
  for (const path of ["/healthz", "/readyz"]) {
    const address = newAddress();
    const statuses = await Promise.all(
      Array.from({ length: 40 }, () => asking("GET", path)(address)),
    );
    assert.deepEqual([...new Set(statuses)], [200], path);
  }
});

test("unknown tokens use nothing of what token holders at the same address may send", async () => {
  const { token } = await world.tenant();
  const address = newAddress();
  const headers = { "x-forwarded-for": address, ...bearer(token) };
  const flood = Array.from({ length: 30 }, () =>
    asking("GET", "/api/session", bearer("unknown"))(address),
  );
  assert.ok((await Promise.all(flood)).includes(429));
  const own = await send(world.url, { method: "GET", path: "/api/session" }, headers);
  assert.equal(own.status, 200);
});

test("a person whose ID is an address or an access key counts for neither", async () => {
  const [one, other] = [await world.tenant(), await world.tenant()];
  const victim = newAddress();
  const own = asking("GET", "/api/session", bearer(one.token));
  for (const id of [victim, one.accessKey.accessKey]) {
    const added = await other.addPerson(`${id}@example.org`, { id });
    assert.equal(added.id, id);
    const theirs = bearer(await other.tokenOf(id));
    assert.ok(await isLimited(asking("GET", "/api/session", theirs)), id);
  }
  assert.equal(await asking("GET", "/api/nothing")(victim), 401);
  assert.equal(await own(newAddress()), 200);
});
