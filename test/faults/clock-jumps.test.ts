// Runs: postgres-first, complete, waits
// Needs: libfaketime

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { operations } from "../../contract/index.ts";
import type { timeAfter } from "../../server/change/organization.ts";
import { now } from "../../server/db/now.ts";
import { testTwin } from "../twins/test-twin.ts";
import type { Twin } from "../twins/twin.ts";
import { requestFor, send } from "../world/ask.ts";
import { onPostgres } from "../world/empty-database.ts";
import { openHouse } from "../world/house.ts";
import { startProcess } from "../world/process.ts";
import { noClock, startOff } from "./clock.ts";

const DAY_MS = 86_400_000;
const JUMPS = ["+1h", "-1h", "+90s", "-90s", "+0", "-1h", "+1h"];

const goesBack: Twin = {
  name: "takes its clock as it is",
  replaced: [
    {
      file: "change/organization.ts",
      export: "timeAfter",
      by:
        (): typeof timeAfter =>
        ({ now }) =>
          now,
    },
  ],
};

const believesAll: Twin = {
  name: "believes any time that it stored",
  replaced: [
    {
      file: "access/throttle.ts",
      lines: "Math.min(Math.max(until, current), current + burst * seconds * 1000)",
      by: "Math.max(until, current)",
    },
  ],
};

/** Rooms are created and edited through a process whose clock jumps, and through another one. */
const jumps = async (t: TestContext, twin?: Twin): Promise<void> => {
  const house = await openHouse(t);
  const tenant = await house.beside((world) => world.tenant());
  // On SQLite the jumping clock also decides when tokens end.
  await house.beside(({ database }) =>
    database.change((tx) =>
      tx
        .updateTable("tokens")
        .set({ expires_at: now(DAY_MS) })
        .execute(),
    ),
  );
  const { service: a, set } = await startOff(t, house, "+0", twin);
  const b = onPostgres ? await startProcess(t, house.environment) : a;
  const [askA, askB] = [tenant.askAt(a.url), tenant.askAt(b.url)];
  const made: { readonly room: string; readonly createdAt: string }[] = [];
  const roomOwnerId = tenant.admin.id;
  const edited = { room: "edited", roomOwnerId };
  assert.equal((await askB("createRoom", { name: "R", ...edited })).status, 201);
  let last = "";
  for (const offset of JUMPS) {
    set(offset);
    const asks = Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? askA : askB));
    for (const { status, body } of await Promise.all(
      asks.map((ask) => ask("createRoom", { name: "R", roomOwnerId })),
    )) {
      assert.equal(status, 201);
      made.push(body.roomSetting);
    }
    for (const ask of [askA, askB]) {
      const { status, body } = await ask("editRoom", { ...edited, roomAgenda: offset });
      assert.equal(status, 200);
      const { updatedAt } = body.roomSetting;
      assert.ok(updatedAt >= last, `${updatedAt} follows ${last}`);
      last = updatedAt;
    }
  }
  assert.equal(new Set(made.map(({ room }) => room)).size, made.length);
  const hours = made.map(({ createdAt }) =>
    Math.round((Date.parse(createdAt) - Date.now()) / 3.6e6),
  );
  assert.deepEqual([...new Set(hours)].sort(), [-1, 0, 1], "the clock did not jump");
  const listed: string[] = [];
  for (let page = 1; listed.length < made.length + 1; page += 1) {
    const paging = { page, limit: 25, sortBy: "createdAt", sortOrder: "ASC" };
    const { body } = await askB("listRooms", paging);
    assert.ok(body.roomSettings.length > 0, "the list ends early");
    listed.push(...body.roomSettings.map((one: { readonly createdAt: string }) => one.createdAt));
  }
  assert.deepEqual(listed, listed.toSorted());
  const ids = await house.beside(({ database }) =>
    database.read.selectFrom("rooms").select("id").execute(),
  );
  assert.equal(new Set(ids.map(({ id }) => id)).size, made.length + 1);
};

test(
  "P-OPS-4: however a clock jumps, IDs are unique, lists are in order of createdAt, and a room's times never go back",
  {
    skip: noClock,
  },
  (t) => jumps(t),
);

testTwin(
  "P-OPS-4: a twin that trusts its clock, so that times go back, is detected",
  async (t) => {
    await assert.rejects(jumps(t, goesBack), / follows /);
  },
  { skip: noClock },
);

/** Guesses until it has to wait, then sets the clock back by an hour. */
const setBack = async (t: TestContext, twin?: Twin): Promise<void> => {
  const house = await openHouse(t);
  const { service, set } = await startOff(t, house, "+0", twin);
  const guess = () =>
    send(
      service.url,
      requestFor(operations.signIn, { login: "nobody@example.org", password: "wrong" }),
    );
  const wait = async () => {
    for (let tries = 0; tries < 20; tries += 1) {
      const { status, headers } = await guess();
      if (status === 429) return Number(headers.get("retry-after"));
    }
    return assert.fail("guessing is not slowed down");
  };
  assert.ok((await wait()) <= 5);
  set("-1h");
  const seconds = await wait();
  assert.ok(seconds <= 5, `told to wait ${seconds} s`);
};

test("P-OPS-4: a clock that is set back does not prevent sign-in", { skip: noClock }, (t) =>
  setBack(t),
);

testTwin(
  "P-OPS-4: a twin that trusts any time, and blocks sign-in for an hour, is detected",
  async (t) => {
    await assert.rejects(setBack(t, believesAll), /told to wait/);
  },
  { skip: noClock || (onPostgres && "PostgreSQL has a clock of its own"), onSqlite: true },
);
