// Runs: sqlite

import assert from "node:assert/strict";
import { mkdirSync, rmSync, statfsSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { sql } from "kysely";
import { openHouse } from "../world/house.ts";
import { startProcess, until } from "../world/process.ts";
import { count } from "../world/seed.ts";
import { smallDisk } from "./small-disk.ts";

test("P-DUR-4: on a full disk changes get 503, reads still work, and changes work again once there is room", async (t) => {
  const disk = await smallDisk(t, "16m");
  if (disk === undefined) return t.skip("no file system may be mounted here");
  const DATA_DIR = join(disk, "data");
  mkdirSync(DATA_DIR);
  const house = await openHouse(t, { environment: { DATA_DIR, LOG_LEVEL: "info" } });
  const tenant = await house.beside((world) => world.tenant());
  // Its log is written to the same disk.
  const service = await startProcess(t, house.environment, { outTo: join(disk, "log") });
  const ask = tenant.askAt(service.url);
  let made = 0;
  let refused = 0;
  const create = async () => {
    const agenda = "x".repeat(4_000);
    const answer = await ask("createRoom", {
      name: `Room ${made}`,
      roomOwnerId: tenant.admin.id,
      roomAgenda: agenda,
    });
    if (answer.status === 201) {
      made += 1;
      return true;
    }
    assert.deepEqual([answer.status, answer.body.code], [503, "unavailable"]);
    assert.match(answer.headers.get("retry-after") ?? "", /^\d+$/);
    assert.match(answer.headers.get("content-type") ?? "", /^application\/json/);
    refused += 1;
    return false;
  };
  const filler = join(disk, "filler");
  for (let time = 0; time < count(2, 20, 1); time += 1) {
    assert.ok(await create());
    const { bavail, bsize } = statfsSync(disk);
    // Leaves little room: the file then grows until none is left.
    writeFileSync(filler, Buffer.alloc(Math.max(0, (bavail - 24) * bsize)));
    while (await create());
    for (let more = 0; more < 5; more += 1) await Promise.all([create(), create(), create()]);
    for (const id of ["listRooms", "fetchUsers", "getOrganization"] as const) {
      assert.equal((await ask(id, {})).status, 200, id);
    }
    assert.equal((await ask("listRooms", {})).body.pagination.total, made);
    rmSync(filler);
    const { size } = statSync(join(disk, "log"));
    assert.ok(await create(), "there is room again");
    await until("the log goes on", () => statSync(join(disk, "log")).size > size);
  }
  assert.ok(!service.hasEnded(), service.said());
  assert.equal((await ask("listRooms", {})).body.pagination.total, made);
  assert.deepEqual(await service.end(), { code: 0, signal: null });
  await house.beside(async ({ database }) => {
    const check = sql<{ readonly integrity_check: string }>`pragma integrity_check`;
    const { rows } = await check.execute(database.read);
    assert.deepEqual(
      rows.map((row) => row.integrity_check),
      ["ok"],
    );
  });
  t.diagnostic(`${made} taken, ${refused} refused, 0 lost`);
});

test("P-DUR-4: a log that cannot be written stops no request", async (t) => {
  const house = await openHouse(t);
  const tenant = await house.beside((world) => world.tenant());
  const environment = { ...house.environment, LOG_LEVEL: "trace" };
  const service = await startProcess(t, environment, { outTo: "/dev/full" });
  const ask = tenant.askAt(service.url);
  for (let n = 0; n < 50; n += 1) {
    const { status } = await ask("createRoom", { name: "R", roomOwnerId: tenant.admin.id });
    assert.equal(status, 201);
  }
  assert.ok(!service.hasEnded(), service.said());
  assert.deepEqual(await service.end(), { code: 0, signal: null });
});
