import assert from "node:assert/strict";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type TestContext, test } from "node:test";
import type { Twin } from "../twins/twin.ts";
import { isReady } from "../world/process.ts";
import { startWorld, type World } from "../world/world.ts";

/** Overwrites the part of the file in which the rooms begin: their table and its indexes. */
const damageRooms = async ({ config }: World): Promise<void> => {
  const path = join(config.dataDir, "parley.db");
  const db = new DatabaseSync(path);
  db.exec("pragma wal_checkpoint(truncate)");
  const size = Number(db.prepare("pragma page_size").get()?.page_size);
  const pages = db
    .prepare("select rootpage from sqlite_schema where tbl_name = 'rooms'")
    .all()
    .map(({ rootpage }) => Number(rootpage));
  db.close();
  const file = await open(path, "r+");
  for (const page of pages) {
    await file.write(Buffer.alloc(size, 0xff), 0, size, (page - 1) * size);
  }
  await file.close();
};

const damaged = async (t: TestContext, twin?: Twin): Promise<void> => {
  const world = await startWorld(t, { twin });
  const { ask, admin } = await world.tenant();
  await ask("createRoom", { name: "Here", room: "here", roomOwnerId: admin.id });
  assert.equal((await ask("fetchRoom", { id: "here" })).status, 200);
  assert.ok(await isReady(world.url));
  await damageRooms(world);
  const { status, text } = await ask("fetchRoom", { id: "here" });
  assert.equal(status, 503, text);
  assert.equal(await isReady(world.url), false, "nobody is sent to a damaged database");
};

test("a service whose file is damaged is not ready as soon as a read finds it", (t) => damaged(t));

test("a twin that forgets the damage and goes on is detected", async (t) => {
  const forgets: Twin = {
    name: "forgets damage",
    replaced: [{ file: "db/errors.ts", export: "isDamage", by: () => () => false }],
  };
  await assert.rejects(damaged(t, forgets), /nobody is sent/);
});
