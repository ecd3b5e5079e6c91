// Runs: sqlite, waits

import assert from "node:assert/strict";
import { suite, type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { limits } from "../../server/http/limits.ts";
import { testTwin } from "../twins/test-twin.ts";
import type { Twin } from "../twins/twin.ts";
import { openHouse } from "../world/house.ts";
import { isReady, startProcess, until } from "../world/process.ts";
import { headOf, openRaw, type Raw } from "../world/raw.ts";
import { count, soaking } from "../world/seed.ts";
import { gauged, inMib, readGauges } from "./gauges.ts";

/** Waits for a client without a limit. */
const patient: Twin = {
  name: "waits for clients without end",
  replaced: [
    {
      file: "http/limits.ts",
      export: "limits",
      by: (real: typeof limits) => ({ ...real, headersMs: 0, requestMs: 0 }),
    },
  ],
};

/** In the long run, in milliseconds: nobody should wait this long for one page of a few rooms. */
const LONG_MS = 5_000;

/** Sends a piece of each connection's request at intervals, until `isOver`. */
const trickle = async (all: readonly Raw[], piece: string, isOver: () => boolean) => {
  for (; !isOver(); await sleep(500)) {
    for (const { socket } of all) if (!socket.destroyed) socket.write(piece);
  }
};

/** Another client that fetches a page repeatedly; returns how long each answer took. */
const askAlong = async (ask: () => Promise<{ readonly status: number }>, isOver: () => boolean) => {
  const times: number[] = [];
  for (; !isOver(); await sleep(20)) {
    const begun = performance.now();
    assert.equal((await ask()).status, 200);
    times.push(performance.now() - begun);
  }
  return times.sort((one, other) => one - other);
};

/** Clients that never finish, and another client at the same time. */
const slowloris = async (t: TestContext, many: number, twin?: Twin): Promise<void> => {
  const house = await openHouse(t);
  const tenant = await house.beside((world) => world.tenant());
  const service = await startProcess(t, house.environment, { twin });
  const ask = tenant.askAt(service.url);
  const open = () => Array.from({ length: many }, () => openRaw(service.url));
  const [silent, inHeaders, inBodies] = [open(), open(), soaking ? open() : []];
  for (const raw of inHeaders) raw.send("POST /api/roomSetting HTTP/1.1\r\nHost: x\r\n");
  for (const raw of inBodies) raw.send(headOf("/api/roomSetting", tenant.token, "x".repeat(9_000)));
  const slow = [...silent, ...inHeaders, ...inBodies];
  let isOver = false;
  const trickling = Promise.all([
    trickle(inHeaders, "X-A: b\r\n", () => isOver),
    trickle(inBodies, "x", () => isOver),
  ]);
  let answered = 0;
  const along = askAlong(
    async () => {
      const answer = await ask("listRooms", {});
      answered += 1;
      return answer;
    },
    () => isOver,
  );
  along.catch(() => {});
  // The limits are 10 s for the headers and 30 s for the whole request, checked every 2 s.
  const limit = inBodies.length > 0 ? 30_000 : 10_000;
  try {
    const isCut = () => slow.every(({ socket }) => socket.destroyed);
    await until("others are answered", () => answered > 0);
    assert.ok(!isCut(), "others waited for those who never finish");
    const took = await until("all slow ones are cut", isCut, limit + (twin ? LONG_MS : 60_000));
    t.diagnostic(`${slow.length} cut within ${Math.round(took)} ms`);
  } finally {
    isOver = true;
    for (const { socket } of slow) socket.destroy();
    await trickling;
  }
  const talking = [...inHeaders, ...inBodies];
  const told = talking.map((raw) => raw.said()).filter((said) => / 408 /.test(said));
  for (const said of told) assert.match(said, /HTTP\/1\.1 408 .*"code":"invalid_request"}$/s);
  // TCP discards the answer if the client still sends when the connection is closed.
  assert.ok(told.length > talking.length / 2, `${told.length} of ${talking.length} were told`);
  const times = await along;
  const most = times[Math.floor(times.length * 0.99)] ?? Number.POSITIVE_INFINITY;
  t.diagnostic(`${times.length} requests of others, 99 in 100 within ${Math.round(most)} ms`);
  assert.ok(!soaking || most < LONG_MS, `${most} ms`);
};

suite("P-OPS-2", { concurrency: true }, () => {
  test("clients that never finish get an error and are cut, and nobody waits for them", (t) =>
    slowloris(t, count(150, 1_000, 60)));

  testTwin(
    "a twin that waits for clients that never finish is detected",
    (t) => assert.rejects(slowloris(t, 5, patient), /Waited in vain: all slow ones are cut/),
    { onSqlite: true },
  );
});

const noReaders =
  (!soaking && "takes a minute: in the long run only") ||
  (process.platform !== "linux" && "needs Linux, which tells how many files are open");

test("P-OPS-2: a client that requests much and does not read it is cut after a minute, and the memory for it is bounded", {
  skip: noReaders,
}, async (t) => {
  const house = await openHouse(t, { environment: gauged });
  const tenant = await house.beside((world) => world.tenant());
  const service = await startProcess(t, house.environment);
  const ask = tenant.askAt(service.url);
  const room = { name: "R", roomOwnerId: tenant.admin.id, roomAgenda: "x".repeat(4_000) };
  for (let made = 0; made < 5_000; made += 50) {
    await Promise.all(Array.from({ length: 50 }, () => ask("createRoom", room)));
  }
  const before = await readGauges(service.url);
  const path = "/api/roomSetting/paginated?page=1&limit=5000";
  const head = `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${tenant.token}\r\n\r\n`;
  // Each answer has 25 MB.
  const readers = Array.from({ length: 100 }, () => openRaw(service.url));
  for (const raw of readers) {
    raw.send(head);
    raw.socket.pause();
  }
  let isOver = false;
  const along = askAlong(
    () => ask("listRooms", {}),
    () => isOver,
  );
  let most = 0;
  const isCut = async () => {
    const { memory, files } = await readGauges(service.url);
    most = Math.max(most, memory - before.memory);
    return files <= before.files + 10;
  };
  await until("all are held", async () => !(await isCut()));
  // A minute after the system last accepted bytes for each.
  const took = await until("all are cut", isCut, 300_000).finally(() => {
    isOver = true;
  });
  const times = await along;
  for (const { socket } of readers) socket.destroy();
  assert.ok(most < 2 ** 30, inMib(most));
  const longest = Math.round(times.at(-1) ?? Number.NaN);
  t.diagnostic(`cut within ${Math.round(took)} ms, ${inMib(most)} more, others ${longest} ms`);
});

test("P-OPS-2: a service that may open no more files accepts no more connections, and survives", {
  skip: process.platform === "win32" && "needs a limit of open files",
}, async (t) => {
  const house = await openHouse(t);
  const tenant = await house.beside((world) => world.tenant());
  const under = ["sh", "-c", 'ulimit -n 128; exec "$@"', "sh"];
  const service = await startProcess(t, house.environment, { under });
  const ask = tenant.askAt(service.url);
  const create = () => ask("createRoom", { name: "R", roomOwnerId: tenant.admin.id });
  assert.equal((await create()).status, 201);
  const crowd = Array.from({ length: 300 }, () => openRaw(service.url));
  await until("some are refused", () => crowd.some(({ socket }) => socket.destroyed));
  assert.ok(!service.hasEnded(), service.said());
  for (const { socket } of crowd) socket.destroy();
  await until("there is room again", () => isReady(service.url));
  await until("it works again", async () => (await create()).status === 201);
});
