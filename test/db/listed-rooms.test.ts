import assert from "node:assert/strict";
import { test } from "node:test";
import { migrate, runMigrations } from "../../server/db/migrate.ts";
import { migrations } from "../../server/db/migrations/index.ts";
import { openDatabase } from "../../server/db/open.ts";
import { naturalKey } from "../../server/lib/fold.ts";
import { emptyPlace, organization } from "../world/empty-database.ts";

/** More rows than one piece has. */
const ROWS = 2_100;
const at = "2026-01-31T09:30:00.000Z";
const typeOf = (n: number): string => ["p2p", "conferencing", "event"][n % 3] ?? "";
const stateOf = (n: number): string => ["free", "busy", "occupied"][n % 3] ?? "";

const room = (n: number) => ({
  ...{ id: `r${n}`, organization_id: "o1", room: `${n}`, name: `Room ${n}`, name_key: `room ${n}` },
  ...{ created_by: null, created_at: at, updated_at: at, deleted_at: null, form: 1, extras: "{}" },
  record: JSON.stringify({ name: `Room ${n}`, roomType: typeOf(n), roomStatus: stateOf(n) }),
});

test("an upgrade gives stored rooms their place in the natural order, their type and their status", async (t) => {
  const database = await openDatabase(await emptyPlace(t));
  t.after(() => database.close());
  const before = migrations.map(({ name }) => name).filter((name) => name < "0040");
  await database.schema.alone((db) => runMigrations(db, database.schema.types, before));
  await database.change(async (tx) => {
    await tx.insertInto("organizations").values(organization("o1")).execute();
    for (let n = 0; n < ROWS; n += 100) {
      const rows = Array.from({ length: 100 }, (_, more) => room(n + more));
      await tx
        .insertInto("rooms")
        .values(rows as never)
        .execute();
    }
  });
  await migrate(database, undefined, { backup: false });
  const rooms = await database.change((tx) => tx.selectFrom("rooms").selectAll().execute());
  assert.equal(rooms.length, ROWS);
  for (const { id, name, order_key, type, state, use_key } of rooms) {
    const n = Number(id.slice(1));
    const key = naturalKey(name);
    const place = { free: "2", busy: "1", occupied: "0" }[stateOf(n)];
    assert.deepEqual(
      [order_key, type, state, use_key],
      [key, typeOf(n), stateOf(n), `${place}${key}`],
    );
  }
});
