// Runs: sqlite

import assert from "node:assert/strict";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type TestContext, test } from "node:test";
import { testTwin } from "../twins/test-twin.ts";
import type { Twin } from "../twins/twin.ts";
import { isReady } from "../world/process.ts";
import type { Tenant } from "../world/tenant.ts";
import { startWorld, type World } from "../world/world.ts";

/** Overwrites the parts of the file in which a table and its indexes begin. */
const damage = async ({ config }: World, table: string): Promise<void> => {
  const path = join(config.dataDir, "parley.db");
  const db = new DatabaseSync(path);
  // After a commit of another connection the service reads the pages again that it has in memory.
  db.exec("create table other (x); drop table other; pragma wal_checkpoint(truncate)");
  const size = Number(db.prepare("pragma page_size").get()?.page_size);
  const pages = db
    .prepare("select rootpage from sqlite_schema where tbl_name = ? and rootpage > 0")
    .all(table)
    .map(({ rootpage }) => Number(rootpage));
  db.close();
  assert.notEqual(pages.length, 0);
  const file = await open(path, "r+");
  for (const page of pages) {
    await file.write(Buffer.alloc(size, 0xff), 0, size, (page - 1) * size);
  }
  await file.close();
};

/** Which table is damaged, and who meets that: a request that reads it, or one that a history is kept of. */
const meets = {
  "a read": {
    table: "rooms",
    send: ({ ask }: Tenant) => ask("fetchRoom", { id: "here" }),
  },
  "a change": {
    table: "history",
    send: ({ ask, admin }: Tenant) =>
      ask("editRoom", { room: "here", roomOwnerId: admin.id, name: "There" }),
  },
} as const;

const damaged = async (t: TestContext, by: keyof typeof meets, twin?: Twin): Promise<void> => {
  const { table, send } = meets[by];
  const world = await startWorld(t, { twin });
  const tenant = await world.tenant();
  const { ask, admin } = tenant;
  await ask("createRoom", { name: "Here", room: "here", roomOwnerId: admin.id });
  assert.equal((await ask("fetchRoom", { id: "here" })).status, 200);
  await damage(world, table);
  assert.ok(await isReady(world.url), "nobody has found it yet");
  const { status, text } = await send(tenant);
  assert.equal(status, 503, text);
  assert.equal(await isReady(world.url), false, "nobody is sent to a damaged database");
};

const forgets: Twin = {
  name: "forgets damage",
  replaced: [{ file: "db/errors.ts", export: "isDamage", by: () => () => false }],
};

for (const by of ["a read", "a change"] as const) {
  test(`a service whose file is damaged is not ready as soon as ${by} finds it`, (t) =>
    damaged(t, by));

  testTwin(
    `a twin that forgets the damage that ${by} finds is detected`,
    (t) => assert.rejects(damaged(t, by, forgets), /nobody is sent/),
    { onSqlite: true },
  );
}
