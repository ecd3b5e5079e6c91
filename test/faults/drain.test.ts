// Runs: postgres-first, first

import assert from "node:assert/strict";
import { once } from "node:events";
import { type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { startHistory, tally } from "../races/history.ts";
import { testTwin } from "../twins/test-twin.ts";
import { onPostgres } from "../world/empty-database.ts";
import { type House, openHouse } from "../world/house.ts";
import { startProcess, until } from "../world/process.ts";
import { headOf, openRaw } from "../world/raw.ts";
import { count, onlyComplete } from "../world/seed.ts";
import { startProxy } from "./proxy.ts";

const CLIENTS = 16;
/**
 * The pause between two requests of a client: a short run leaves the processor to services that start and
 * end.
 */
const PAUSE_MS = count(300, 0);

const roomsIn = (house: House, organizationId: string) =>
  house.beside(({ database }) =>
    database.read
      .selectFrom("rooms")
      .select("room")
      .where("organization_id", "=", organizationId)
      .execute(),
  );

/** Restarts A behind a proxy while clients create rooms through it, then counts the dropped requests. */
const restarts = async (
  t: TestContext,
  times: number,
  drainSeconds: string,
  pauseMs: number,
): Promise<void> => {
  const house = await openHouse(t);
  const tenant = await house.beside((world) => world.tenant());
  const start = () => startProcess(t, { ...house.environment, DRAIN_SECONDS: drainSeconds });
  const [first, b] = await Promise.all([start(), start()]);
  let a = first;
  const proxy = await startProxy(t, [a.url, b.url]);
  const ask = tenant.askAt(proxy.url);
  const history = startHistory();
  let isOver = false;
  let dropped: unknown;
  const clients = Array.from({ length: CLIENTS }, async (_, client) => {
    for (let n = 0; !isOver; n += 1) {
      const input = { name: "R", roomOwnerId: tenant.admin.id, room: `r-${client}-${n}` };
      await history.ask(client, ask, "createRoom", input).catch((error: unknown) => {
        dropped ??= error;
      });
      await sleep(pauseMs);
    }
  });
  const answered = async (more: number) => {
    const before = history.events.length;
    await until("answers", () => history.events.length >= before + more);
  };
  try {
    for (let time = 0; time < times && dropped === undefined; time += 1) {
      await answered(2 * CLIENTS);
      const { code } = await a.end("SIGTERM");
      assert.equal(code, 0, a.said());
      a = await start();
      proxy.use([a.url, b.url]);
      await until("A is asked again", () => (proxy.given.get(a.url) ?? 0) > 0);
    }
    await answered(CLIENTS);
  } finally {
    isOver = true;
  }
  await Promise.all(clients);
  assert.equal(dropped, undefined, "a request was dropped");
  const { events } = history;
  assert.deepEqual(tally(events), { ok: events.length });
  const made = (await roomsIn(house, tenant.id)).map(({ room }) => room).sort();
  const asked = events.map(({ input }) => (input as { readonly room: string }).room).sort();
  assert.deepEqual(made, asked);
  t.diagnostic(`${times} restarts, ${events.length} requests, 0 dropped, 0 doubled`);
};

test(
  "P-OPS-1: a process that restarts behind a proxy drops no request",
  {
    skip: onPostgres ? onlyComplete : "needs two processes",
  },
  (t) => restarts(t, count(2, 20, 1), "5", PAUSE_MS),
);

testTwin(
  "P-OPS-1: a server that is closed without draining, and drops requests, is detected",
  async (t) => {
    // It ends with the first dropped request, which comes sooner without pauses.
    await assert.rejects(restarts(t, 10, "0", 0), /a request was dropped/);
  },
  { skip: !onPostgres && "needs two processes" },
);

test("P-OPS-1: every request in progress is answered, and the service then exits with 0", async (t) => {
  const house = await openHouse(t);
  const tenant = await house.beside((world) => world.tenant());
  const service = await startProcess(t, house.environment);
  // Rooms, whose body is sent after the signal, and people, whose passwords wait to be hashed.
  const requests = Array.from({ length: count(24, 150, 8) }, (_, n) => {
    const isRoom = n % 2 === 0;
    const person = { email: `p${n}@example.org`, name: "P", loginUrl: "https://x.org" };
    const room = { name: "R", roomOwnerId: tenant.admin.id, room: `r-${n}` };
    const body = JSON.stringify(isRoom ? room : person);
    const raw = openRaw(service.url);
    raw.send(headOf(isRoom ? "/api/roomSetting" : "/api/user/orgUser", tenant.token, body));
    return { raw, body, isRoom };
  });
  for (const { raw } of requests) assert.match(await raw.wait(/\r\n\r\n/), /^HTTP\/1.1 100 /);
  // Browsers open idle connections in advance; the service does not wait for one.
  openRaw(service.url);
  for (const { raw, body, isRoom } of requests) if (!isRoom) raw.send(body);
  const ended = service.end("SIGTERM");
  await until("it takes no new connection", async () => {
    const late = openRaw(service.url);
    const isRefused = await Promise.race([
      late.closed.then(() => true),
      once(late.socket, "connect").then(() => false),
    ]).catch(() => true);
    late.socket.destroy();
    return isRefused;
  });
  for (const { raw, body, isRoom } of requests) if (isRoom) raw.send(body);
  for (const { raw } of requests) {
    const answer = await raw.wait(/}$/);
    assert.match(answer, /HTTP\/1.1 201 .*connection: close/is, `${answer}\n${service.said()}`);
  }
  assert.deepEqual(await ended, { code: 0, signal: null });
  const rooms = requests.filter(({ isRoom }) => isRoom).length;
  assert.equal((await roomsIn(house, tenant.id)).length, rooms);
});

test("P-OPS-1: a draining service is not ready, answers requests, and closes each connection", async (t) => {
  const house = await openHouse(t);
  const tenant = await house.beside((world) => world.tenant());
  const service = await startProcess(t, { ...house.environment, DRAIN_SECONDS: "60" });
  const kept = openRaw(service.url);
  const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
  kept.send(get("/readyz"));
  assert.match(await kept.wait(/ready"}/), /200 OK.*connection: keep-alive/is);
  service.child.kill("SIGTERM");
  await until("it says that it leaves", async () => {
    const answer = await fetch(`${service.url}/readyz`);
    await answer.body?.cancel();
    return answer.status === 503;
  });
  kept.send(get("/readyz"));
  assert.match(await kept.wait(/not ready/), /503.*connection: close/is);
  await kept.closed;
  const late = openRaw(service.url);
  const body = JSON.stringify({ name: "R", roomOwnerId: tenant.admin.id });
  late.send(headOf("/api/roomSetting", tenant.token, body) + body);
  assert.match(await late.wait(/}$/), /201 Created.*connection: close/is);
  assert.ok(!service.hasEnded());
  // Signals in quick succession count as one: npm repeats a signal that the terminal has already sent.
  await sleep(500);
  // A second signal ends it at once, whatever is left of the minute.
  assert.deepEqual(await service.end("SIGTERM"), { code: 1, signal: null });
});
