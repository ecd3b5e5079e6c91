// Runs: always

import assert from "node:assert/strict";
import { test } from "node:test";
import { runsBeside } from "../../server/db/migrations/beside.ts";
import { migrations } from "../../server/db/migrations/index.ts";
import { effectOf } from "../../server/db/upgrade-plan.ts";

test("a version runs beside a later migration whose name has a migration that the version knows", () => {
  const known = ["0085-factors", "0100-tags-beside-0085"];
  assert.ok(runsBeside("0101-colors-beside-0100", known));
  assert.ok(runsBeside("0101-colors-beside-0085", known));
  assert.ok(!runsBeside("0102-without-tags-beside-0101", known));
  assert.ok(!runsBeside("0101-colors", known));
  assert.ok(!runsBeside("0101-colors-beside-0", known));
});

test("migrations from 0100 on say beside which versions they run", () => {
  const names = migrations.map(({ name }) => name);
  const unmarked = names.filter(
    (name, at) => name >= "0100" && !runsBeside(name, names.slice(0, at)),
  );
  assert.deepEqual(unmarked, [], "CONTRIBUTING.md says how to write one in two steps");
});

test("the effect of a statement on earlier tables is seen in its text", () => {
  const made = new Set<string>();
  const obstacles = (statement: string) => effectOf(statement, made)?.obstacle;
  const harmless = [
    'create table "tags" (id text primary key)',
    'create unique index "tags_name_unique" on "tags" ("name")',
    'insert into "tags" select id from rooms',
    'create index "rooms_tag_index" on "rooms" ("tag")',
    'alter table "rooms" add column "tag" text',
    'alter table "rooms" add column "tags" integer default 0 not null',
    'alter table "rooms" alter column "tag" drop not null',
    'drop index "rooms_tag_index"',
    'update "rooms" set "tag" = name',
    "select 1 from rooms",
  ];
  for (const statement of harmless) assert.equal(obstacles(statement), undefined, statement);
  const harmful = [
    'create unique index "rooms_tag_unique" on "rooms" ("tag")',
    'alter table "rooms" add column "tag" text not null',
    'alter table "rooms" add constraint "c" check (tag <> 1)',
    'alter table "rooms" drop column "tag"',
    'alter table "rooms" rename to "spaces"',
    'drop index "rooms_tag_unique"',
    'drop table "rooms"',
    'delete from "rooms"',
    "create trigger watch after insert on rooms begin select 1; end",
  ];
  for (const statement of harmful) assert.ok(obstacles(statement), statement);
  assert.deepEqual(effectOf('create index "i" on "rooms" ("tag")', made), {
    table: "rooms",
    rows: true,
  });
});
