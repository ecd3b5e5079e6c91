// Runs: complete, unsteady

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { serveDocs } from "../../server/http/docs.ts";
import type { overloadGuard } from "../../server/http/overload.ts";
import { testTwin } from "../twins/test-twin.ts";
import { type Replacement, type Twin, withReplaced } from "../twins/twin.ts";
import { type Answer, askOnce } from "../world/ask.ts";
import { openHouse } from "../world/house.ts";
import { startProcess, until } from "../world/process.ts";
import { headOf, openRaw, type Raw } from "../world/raw.ts";
import { count } from "../world/seed.ts";
import { startWorld } from "../world/world.ts";
import { gauged, inMib, readGauges } from "./gauges.ts";

/** The concurrent requests that a service accepts (server/http/limits.ts): in a short run a tenth of them. */
const REQUESTS = count(100, 1_000);
const fewer: Replacement = {
  file: "http/limits.ts",
  export: "limits",
  by: `(real) => ({ ...real, requests: ${REQUESTS} })`,
};

/** A service that accepts this many requests, and may be a twin. */
const limited = (twin?: Twin): Twin => withReplaced(twin, `${REQUESTS} requests at a time`, fewer);

/** Rejects nobody. */
const insatiable: Twin = {
  name: "takes every request",
  replaced: [
    {
      file: "http/overload.ts",
      export: "overloadGuard",
      by: (): typeof overloadGuard => () => ({ admit: () => {}, work: (work) => work() }),
    },
  ],
};

/** Counts a request from its head on, as if waiting for a body were work. */
const countsHeads: Twin = {
  name: "counts requests whose bodies it waits for",
  replaced: [
    {
      file: "http/overload.ts",
      export: "overloadGuard",
      by:
        (real: typeof overloadGuard): typeof overloadGuard =>
        (app) => {
          const guard = real(app);
          const admit = (url: string) => {
            guard.admit(url);
            if (url.startsWith("/api/")) void guard.work(() => new Promise(() => {}));
          };
          return { ...guard, admit };
        },
    },
  ],
};

/** More concurrent changes than are carried out; all wait for somebody else's change. */
const crowded = async (t: TestContext, withinMs: number, twin?: Twin): Promise<void> => {
  const house = await openHouse(t);
  const tenant = await house.beside((world) => world.tenant());
  const service = await startProcess(t, house.environment, { twin: limited(twin) });
  const ask = askOnce(service.url, tenant.token);
  const shed: Answer[] = [];
  const create = async () => {
    const answer = await ask("createRoom", { name: "R", roomOwnerId: tenant.admin.id });
    if (answer.body.code === "overloaded") shed.push(answer);
    return answer.status;
  };
  const crowd = await house.beside(({ database }) =>
    database.change(async (tx) => {
      await tx
        .updateTable("organizations")
        .set((eb) => ({ used_rooms: eb.ref("used_rooms") }))
        .where("id", "=", tenant.id)
        .execute();
      const asked = Array.from({ length: REQUESTS * 1.3 }, create);
      for (const one of asked) one.catch(() => {});
      await until("somebody is sent away", () => shed.length > 0, withinMs);
      assert.equal((await fetch(`${service.url}/healthz`)).status, 200);
      return asked;
    }),
  );
  const answers = await Promise.all(crowd);
  for (const { status, headers } of shed) {
    assert.equal(status, 503);
    assert.match(headers.get("retry-after") ?? "", /^[1-9]\d*$/);
  }
  const made = answers.filter((status) => status === 201).length;
  await until("it works again", async () => (await ask("listRooms", {})).status === 200);
  const { body } = await tenant.askAt(service.url)("listRooms", {});
  assert.equal(body.pagination.total, made);
  t.diagnostic(`${made} of ${answers.length} done, ${shed.length} sent away`);
};

test("P-OPS-3: requests beyond the limit get the time to come back, and work again afterwards", (t) =>
  crowded(t, 300_000));

testTwin(
  "P-OPS-3: a twin that accepts every request into an endless queue is detected",
  async (t) => {
    await assert.rejects(crowded(t, 3_000, insatiable), /Waited in vain: somebody is sent away/);
  },
);

/** Blocks the event loop while it starts, as reading large files does. */
const blocksItsStart: Replacement = {
  file: "http/docs.ts",
  export: "serveDocs",
  by:
    (real: typeof serveDocs): typeof serveDocs =>
    async (app, config) => {
      await real(app, config);
      app.addHook("onReady", async () => {
        for (let block = 0; block < 2; block += 1) {
          const end = Date.now() + 1_500;
          while (Date.now() < end);
          await new Promise(setImmediate);
        }
      });
    },
};

/** Measures how late the event loop is from its start on. */
const measuresItsStart: Twin = {
  name: "takes its start for overload",
  replaced: [
    {
      file: "http/overload.ts",
      lines: 'app.addHook("onListen", async () => void delay.enable());',
      by: "delay.enable();",
    },
  ],
};

/** The first request to a service that has been slow to start. */
const answersAtOnce = async (t: TestContext, twin?: Twin): Promise<void> => {
  const { url } = await startWorld(t, {
    twin: withReplaced(twin, "slow to start", blocksItsStart),
  });
  const unknown = { login: "nobody@example.org", password: "sesquipedalian" };
  const { status, body } = await askOnce(url, undefined)("signIn", unknown);
  assert.deepEqual([status, body.code], [401, "wrong_login"]);
};

test("a service that starts slowly does not count as overloaded", (t) => answersAtOnce(t));

testTwin("a twin that takes its start for overload is detected", (t) =>
  assert.rejects(answersAtOnce(t, measuresItsStart), /overloaded/),
);

/** The status of the last answer in a text: 100 Continue came before it. */
const finalStatus = (text: string): number => Number(text.split("HTTP/1.1 ").at(-1)?.slice(0, 3));

/** More clients than requests may run; each has announced a body, and does not send it yet. */
const waits = async (t: TestContext, twin?: Twin): Promise<void> => {
  const house = await openHouse(t);
  const tenant = await house.beside((world) => world.tenant());
  const service = await startProcess(t, house.environment, { twin: limited(twin) });
  const ask = askOnce(service.url, tenant.token);
  const body = JSON.stringify({ name: "R", roomOwnerId: tenant.admin.id });
  const begun: Raw[] = [];
  while (begun.length < REQUESTS * 1.1) {
    const some = Array.from({ length: 50 }, () => openRaw(service.url));
    for (const raw of some) raw.send(headOf("/api/roomSetting", tenant.token, body));
    await Promise.all(some.map((raw) => raw.wait(/ 100 Continue/)));
    begun.push(...some);
  }
  // New requests are still being authenticated, and each counts during that moment.
  const isFree = async () => (await ask("listRooms", {})).status === 200;
  await until("a place is free", isFree, twin ? 5_000 : 180_000);
  // Some complete their requests, the others give up.
  const [finish, leave] = [begun.slice(0, REQUESTS / 2), begun.slice(REQUESTS / 2)];
  for (const { socket } of leave) socket.destroy();
  // A few at a time: each change has a deadline, which a slow machine could miss with all of them.
  for (let n = 0; n < finish.length; n += 10) {
    const some = finish.slice(n, n + 10);
    for (const raw of some) raw.send(body);
    for (const raw of some) assert.equal(finalStatus(await raw.wait(/}$/)), 201);
  }
  for (const { socket } of finish) socket.destroy();
  const { body: list } = await tenant.askAt(service.url)("listRooms", {});
  assert.equal(list.pagination.total, REQUESTS / 2);
};

test("P-OPS-3: a client that sends its body slowly takes nobody's place", (t) => waits(t));

testTwin("P-OPS-3: a twin that counts a request from its head on is detected", async (t) => {
  // On a busy machine a client's own request may be the one without a place.
  await assert.rejects(waits(t, countsHeads), /Waited in vain: a place is free|503 !== 201/);
});

test("P-OPS-3: far more requests than the capacity are answered or rejected, and their memory is bounded", async (t) => {
  const house = await openHouse(t, { environment: gauged });
  const tenant = await house.beside((world) => world.tenant());
  const service = await startProcess(t, house.environment);
  const ask = askOnce(service.url, tenant.token);
  const resident = async () => (await readGauges(service.url)).memory;
  const flood = async (many: number) => {
    const answers = await Promise.all(
      Array.from({ length: many }, (_, n) =>
        n % 2 === 0
          ? ask("listRooms", { limit: 100 })
          : ask("createRoom", { name: `R ${n}`, roomOwnerId: tenant.admin.id }),
      ),
    );
    for (const { status, headers } of answers) {
      if (status === 503) assert.match(headers.get("retry-after") ?? "", /^[1-9]\d*$/);
      else assert.ok(status === 200 || status === 201, `${status}`);
    }
    return answers.filter(({ status }) => status === 503).length;
  };
  const before = await resident();
  const taken: number[] = [];
  let shed = 0;
  for (let time = 0; time < count(1, 40); time += 1) {
    shed += await flood(count(1_200, 3_000));
    taken.push(await resident());
  }
  await until("it works again", async () => (await ask("listRooms", {})).status === 200);
  const most = Math.max(...taken);
  assert.ok(most < 1.5 * 2 ** 30, inMib(most));
  const [early, last] = [Math.max(...taken.slice(0, 10)), taken.at(-1) ?? Number.NaN];
  assert.ok(last <= early * 1.2, `${inMib(last)} at last, ${inMib(early)} at first`);
  t.diagnostic(
    `${shed} sent away; ${inMib(before)}, at most ${inMib(most)}, ${inMib(last)} at last`,
  );
});
