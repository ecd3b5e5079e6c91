// Runs: sqlite
// Needs: haproxy, nginx

import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:http2";
import { type TestContext, test } from "node:test";
import { until } from "../world/process.ts";
import { startWorld } from "../world/world.ts";
import { proxies, type SampleProxy, startProxy, upgrade } from "./sample-proxies.ts";

const { nginx, haproxy } = proxies;

/** Connects with a ticket, also while the service is away. Do the proxy's logs contain the ticket? */
const keepsTickets = async (t: TestContext, proxy: SampleProxy, text: string): Promise<void> => {
  const world = await startWorld(t);
  const { tls, logs } = await startProxy(t, proxy, text, [world.url]);
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
    /meeting\/socket.*[ :]50[23]|50[23] .*meeting\/socket/.test(await logs()),
  );
  assert.match(await logs(), proxy.logged);
  assert.doesNotMatch(await logs(), /the-ticket/);
};

/** The response to a request by HTTP/2. */
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

for (const [name, proxy] of Object.entries(proxies)) {
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
    const { tls } = await startProxy(t, proxy, sample, [world.url]);
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
