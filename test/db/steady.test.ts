// Runs: sqlite

import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import type { Kysely } from "kysely";
import { kyselyOn } from "../../server/db/sqlite/kysely.ts";
import { statementRunner } from "../../server/db/sqlite/statements.ts";

interface Named {
  readonly named: { readonly name: string; readonly state: string };
}

for (const [what, ask] of [
  [
    "with any pattern",
    (db: Kysely<Named>, n: number) => db.selectFrom("named").where("name", "like", `${n}%`),
  ],
  ["with any limit", (db: Kysely<Named>, n: number) => db.selectFrom("named").limit(n)],
  [
    "of a state",
    (db: Kysely<Named>, n: number) =>
      db.selectFrom("named").where("state", "=", "on").where("name", "like", `${n}%`),
  ],
  [
    "of all other states",
    (db: Kysely<Named>, n: number) =>
      db.selectFrom("named").where("named.state", "<>", "off").where("name", "like", `${n}%`),
  ],
] as const) {
  test(`SQLite prepares a statement ${what} once`, async (t) => {
    const sqlite = new DatabaseSync(":memory:");
    t.after(() => sqlite.close());
    sqlite.exec(`
      create table named (name text, state text);
      create index named_on on named (name) where state = 'on';
      create index named_not_off on named (name) where state <> 'off';
      insert into named values ('1 one', 'on'), ('2 two', 'on');
    `);
    let prepared = 0;
    // It is asked for each part of a statement that is prepared.
    sqlite.setAuthorizer(() => {
      prepared += 1;
      return 0;
    });
    const db = kyselyOn<Named>(statementRunner(sqlite));
    const namesOf = async (n: number) =>
      (await ask(db, n).select("name").execute()).map(({ name }) => name);
    const first = await namesOf(1);
    assert.notEqual(prepared, 0);
    prepared = 0;
    assert.notDeepEqual(await namesOf(2), first);
    assert.equal(prepared, 0);
  });
}
