import assert from "node:assert/strict";
import { test } from "node:test";
import { migrate, runMigrations } from "../../server/db/migrate.ts";
import { migrations } from "../../server/db/migrations/index.ts";
import { openDatabase } from "../../server/db/open.ts";
import { fold } from "../../server/lib/fold.ts";
import { emptyPlace, organization, user } from "../world/empty-database.ts";

const formerly = (text: string): string =>
  text.normalize("NFKC").toLowerCase().replaceAll("ς", "σ");

/** More rows than one piece has. */
const ROWS = 2_100;
const names = ["Straße", "Ann", "Müller", "会議", "ΟΔΌΣ", "İzmir"];
const nameOf = (n: number): string => `${names[n % names.length]} ${n}`;

test("an upgrade folds stored names, addresses, words and entries of the history again", async (t) => {
  const database = await openDatabase(await emptyPlace(t));
  t.after(() => database.close());
  const before = migrations.map(({ name }) => name).filter((name) => name < "0032");
  await database.schema.alone((db) => runMigrations(db, database.schema.types, before));
  const at = "2026-01-31T09:30:00.000Z";
  await database.change(async (tx) => {
    await tx.insertInto("organizations").values(organization("o1")).execute();
    for (let n = 0; n < ROWS; n += 100) {
      const rows = Array.from({ length: 100 }, (_, more) => n + more);
      const person = (row: number) => ({
        ...user(`u${row}`),
        ...{ name: nameOf(row), name_key: formerly(nameOf(row)) },
        email_fold: formerly(`x${row}@Bücher.example`),
      });
      await tx.insertInto("users").values(rows.map(person)).execute();
      const entry = (number: number) => ({
        ...{ organization_id: "o1", number, at, change_id: "c", kind: "userEdited" },
        ...{ actor_kind: "operator", subject_kind: "user", subject_id: "u", digest: "d" },
        ...{ who: "{}", who_digest: "d", facts: "{}", facts_digest: "d", actor_key: null },
        subject_key: formerly(nameOf(number)),
      });
      await tx
        .insertInto("history")
        .values(rows.map(entry) as never)
        .execute();
    }
  });
  await migrate(database, undefined, { backup: false });
  const users = await database.change((tx) => tx.selectFrom("users").selectAll().execute());
  assert.equal(users.length, ROWS);
  for (const { id, name, name_key, email_fold } of users) {
    assert.deepEqual([id, name_key], [id, fold(name)]);
    assert.equal(email_fold, fold(`x${id.slice(1)}@Bücher.example`));
  }
  const entries = await database.change((tx) => tx.selectFrom("history").selectAll().execute());
  assert.equal(entries.length, ROWS);
  for (const { number, subject_key, actor_key } of entries) {
    assert.deepEqual([subject_key, actor_key], [fold(nameOf(Number(number))), null]);
  }
});
