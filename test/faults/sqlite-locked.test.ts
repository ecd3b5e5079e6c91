// Runs: sqlite, waits

import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { enter } from "../meetings/inside.ts";
import { openHouse } from "../world/house.ts";
import { LONG_MS, startProcess } from "../world/process.ts";

test("P-DUR-5: while another process locks the SQLite file, reads work and changes wait or are asked to retry", async (t) => {
  const house = await openHouse(t);
  const tenant = await house.beside((world) => world.tenant());
  const service = await startProcess(t, house.environment);
  const ask = tenant.askAt(service.url);
  const create = () => ask("createRoom", { name: "R", roomOwnerId: tenant.admin.id });
  const file = join(house.environment.DATA_DIR ?? "", "parley.db");
  // The service may be writing at that moment: the lock waits for its commit.
  const other = new DatabaseSync(file, { timeout: LONG_MS });
  t.after(() => other.close());
  const { room } = (await create()).body.roomSetting;
  const inside = await enter(t, { url: service.url, ask }, room, { peerName: "Mo" });

  /** Reads until the changes are answered; all reads must succeed. */
  const readWhile = async <T>(changes: Promise<T>, onRead = (_reads: number) => {}): Promise<T> => {
    let isOver = false;
    let reads = 0;
    void changes.finally(() => {
      isOver = true;
    });
    while (!isOver) {
      for (const id of ["listRooms", "fetchUsers", "getOrganization"] as const) {
        assert.equal((await ask(id, {})).status, 200);
        reads += 1;
      }
      onRead(reads);
      await sleep(10);
    }
    return await changes;
  };

  let made = 1;
  other.exec("begin immediate");
  const unlock = () => other.isTransaction && other.exec("rollback");
  const changes = Promise.all(Array.from({ length: 10 }, create));
  // Few reads: on a busy machine many would take as long as a change waits at most.
  const answers = await readWhile(changes, (reads) => {
    if (reads >= 6) unlock();
  }).finally(unlock);
  const statuses = answers.map(({ status }) => status);
  made += statuses.filter((status) => status === 201).length;
  assert.deepEqual(new Set(statuses), new Set([201]));

  other.exec("begin immediate");
  const [refused, raised] = await readWhile(
    Promise.all([Promise.all(Array.from({ length: 10 }, create)), inside.do("hand", { up: true })]),
  );
  assert.equal(raised, "unavailable", "a command of a meeting is answered as HTTP answers");
  for (const { status, body, headers } of refused) {
    assert.deepEqual([status, body.code], [503, "unavailable"]);
    assert.match(headers.get("retry-after") ?? "", /^\d+$/);
  }
  other.exec("rollback");
  assert.equal(await inside.do("hand", { up: true }), "ok");
  assert.equal((await create()).status, 201);
  const { body } = await ask("listRooms", {});
  assert.equal(body.pagination.total, made + 1);
});
