import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { type TestContext, test } from "node:test";
import { resend } from "../world/ask.ts";
import { askAt } from "../world/place.ts";
import { startService } from "../world/service.ts";

/** A way to a PostgreSQL server whose answers come late once that is asked for. */
const startDelay = async (t: TestContext, databaseUrl: string) => {
  const { hostname, port } = new URL(databaseUrl);
  let lateMs = 0;
  const open = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect({ host: hostname, port: Number(port) });
    for (const socket of [client, upstream]) {
      open.add(socket);
      socket.setNoDelay().on("error", () => {});
    }
    client.pipe(upstream);
    upstream.on("data", (bytes) => void setTimeout(() => client.write(bytes), lateMs));
    upstream.on("close", () => client.destroy());
    client.on("close", () => upstream.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  const url = new URL(databaseUrl);
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    delay: (ms: number) => {
      lateMs = ms;
    },
  };
};

test("people sign in and renew their session while each answer of PostgreSQL comes half a second late", async (t) => {
  const first = await startService();
  t.after(() => first.stop());
  const { url, delay } = await startDelay(t, first.databaseUrl ?? "");
  const late = await startService({ on: first, env: { DATABASE_URL: url } });
  t.after(() => late.stop());
  const open = askAt(late, null);
  const { email: login, password } = first.admin;
  // A busy machine adds to the seconds of the database: what comes too late then is asked again.
  const ask = (path: string, body: unknown, cookie: string) =>
    resend(
      () => open(path, body, { headers: { cookie } }),
      ({ status }) => status === 503,
    );
  const signIn = (cookie = "") => ask("POST /api/session", { login, password }, cookie);
  // Its connections are open.
  await Promise.all(Array.from({ length: 4 }, () => signIn()));
  delay(500);
  const begun = performance.now();
  const answer = await signIn();
  t.diagnostic(`signed in after ${Math.round(performance.now() - begun)} ms`);
  assert.equal(answer.status, 200);
  const cookie = answer.headers
    .getSetCookie()
    .map((one) => one.split(";", 1)[0])
    .join("; ");
  assert.equal((await signIn(cookie)).status, 200);
  const renewed = await ask("POST /api/session/renew", undefined, cookie);
  assert.equal(renewed.status, 200);
  delay(0);
});
