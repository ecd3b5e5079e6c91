// Runs: both

import assert from "node:assert/strict";
import { test } from "node:test";
import { nobody, openOrganization } from "../../server/change/organization.ts";
import { openDatabase } from "../../server/db/open.ts";
import { prepared, together } from "../../server/db/prepared.ts";
import type { UserRow } from "../../server/db/tables.ts";
import { emptyDatabase, emptyPlace, onPostgres, user } from "../world/empty-database.ts";

type Known = Pick<UserRow, "id" | "name" | "admin" | "account_suspended">;

const known = prepared<null, { readonly id: string; readonly organization: string }, Known>(
  (db, _, { id, organization }) =>
    db
      .selectFrom("users")
      .select(["id", "name", "admin", "account_suspended"])
      .where("organization_id", "=", organization)
      .where("id", "=", id),
);
const counted = prepared<null, { readonly organization: string }, { readonly count: number }>(
  (db, _, { organization }) =>
    db
      .selectFrom("users")
      .select(({ fn }) => fn.countAll<number>().as("count"))
      .where("organization_id", "=", organization),
);

test("queries that are asked together answer as each alone", async (t) => {
  const database = await emptyDatabase(t);
  const organization = "o1";
  await database.change(async (tx) => {
    const values = { ...user("u1"), name: 'Zoë "$1" O\'Neil', admin: true };
    await tx.insertInto("users").values(values).execute();
    await tx.insertInto("users").values(user("u2")).execute();
  });
  const { read } = database;
  const one = { id: "u1", organization };
  const nobodys = { id: "nobody", organization };
  const other = { id: "u2", organization };
  const [first, second, third, all] = await together(
    read,
    known.statement(read, null, one),
    known.statement(read, null, nobodys),
    known.statement(read, null, other),
    counted.statement(read, null, { organization }),
  );
  const alone = await Promise.all([one, nobodys, other].map((ask) => known(read, null, ask)));
  assert.deepEqual([first, second, third], alone);
  assert.equal(Number(all[0]?.count), 2);
});

test("reads ahead of a rule happen after the organization's row is locked", async (t) => {
  const place = await emptyPlace(t);
  const one = await emptyDatabase(t, place);
  const other = onPostgres ? await openDatabase(place) : one;
  t.after(() => (other === one ? undefined : other.close()));
  const add = (id: string, database: typeof one) =>
    openOrganization(database, "o1", nobody).change(
      async ({ tx }, before: number) => {
        await tx.insertInto("users").values(user(id)).execute();
        return before;
      },
      async (tx) => Number((await counted(tx, null, { organization: "o1" }))[0]?.count),
    );
  const ids = Array.from({ length: 20 }, (_, at) => `u${at}`);
  const seen = await Promise.all(ids.map((id, at) => add(id, at % 2 === 0 ? one : other)));
  assert.deepEqual(
    seen.toSorted((a, b) => a - b),
    [...ids.keys()],
  );
});
