// Runs: postgres-first

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { sql } from "kysely";
import { Client } from "pg";
import { appliedMigrations, migrate, runMigrations } from "../../server/db/migrate.ts";
import { migrations } from "../../server/db/migrations/index.ts";
import { openDatabase } from "../../server/db/open.ts";
import type { DatabaseConfig } from "../../server/db/place.ts";
import { emptyPlace, onPostgres } from "../world/empty-database.ts";
import { environmentOf, outcome, run, started } from "./run.ts";

interface Upgrade {
  readonly ok: boolean;
  readonly migrations: readonly {
    readonly name: string;
    readonly tables: readonly { readonly table: string; readonly rows: number }[];
    readonly obstacles: readonly string[];
    readonly startsBeside: boolean;
  }[];
  readonly checks: readonly {
    readonly name: string;
    readonly status: string;
    readonly found: string;
  }[];
}

const check = async (place: DatabaseConfig, ...args: string[]): Promise<Upgrade> => {
  const { code, out, err } = await outcome(environmentOf(place), "upgrade", "--check", ...args);
  assert.equal(err, "");
  const answer: Upgrade = JSON.parse(out);
  assert.equal(code, answer.ok ? 0 : 1, out);
  return answer;
};

const faultsOf = ({ checks }: Upgrade): string[] =>
  checks.filter(({ status }) => status === "fault").map(({ name, found }) => `${name}: ${found}`);

/** An installation of a version that knew the migrations up to this one. */
const installedUpTo = async (place: DatabaseConfig, last: string): Promise<void> => {
  const database = await openDatabase(place);
  const names = migrations.map(({ name }) => name).filter((name) => name <= last);
  await database.schema.alone((db) => runMigrations(db, database.schema.types, names));
  await database.close();
};

const appliedIn = async (place: DatabaseConfig): Promise<string[]> => {
  const database = await openDatabase(place);
  try {
    return await appliedMigrations(database.read);
  } finally {
    await database.close();
  }
};

test("upgrade --check names pending migrations, their rows and what stands in the way, and changes nothing", async (t) => {
  const place = await emptyPlace(t);
  await installedUpTo(place, "0076-last-runs");
  const before = await appliedIn(place);
  const answer = await check(place);
  assert.deepEqual(faultsOf(answer), []);
  const [second, ...others] = answer.migrations;
  assert.equal(second?.name, "0077-second-devices");
  assert.deepEqual(second.tables, [{ table: "seats", rows: 0 }]);
  assert.match(second.obstacles.join(), /seats_meeting_id_person_unique/);
  assert.ok(
    others.some(({ name, obstacles }) => name.startsWith("0085") && obstacles.length === 0),
  );
  assert.deepEqual(await appliedIn(place), before);
  const shown = await run(environmentOf(place), "upgrade", "--check");
  assert.equal(shown.code, 0, shown.err);
  assert.match(shown.out, /Stop every process of the installed version first/);
  assert.match(shown.out, /can be installed\./);
});

test("an installation of this version has nothing pending, and one of a later version is refused", async (t) => {
  const place = await emptyPlace(t, { migrated: true });
  const database = await openDatabase(place);
  await migrate(database);
  const answer = await check(place);
  assert.deepEqual([answer.ok, answer.migrations], [true, []]);
  const change = (statement: ReturnType<typeof sql>) =>
    database.change((tx) => statement.execute(tx));
  await change(sql`insert into kysely_migration (name, timestamp) values ('9999-later', '')`);
  assert.match(faultsOf(await check(place)).join(), /migrations: .*newer Parley: 9999-later/);
  await change(
    sql`delete from kysely_migration where name in ('9999-later', '0077-second-devices')`,
  );
  await database.close();
  assert.match(
    faultsOf(await check(place)).join(),
    /0077-second-devices would have to come before/,
  );
});

test("settings that this version does not read are named, and those that the installed one lacks", async (t) => {
  const place = await emptyPlace(t, { migrated: true });
  const [file, before] = ["parley.env", "before.json"].map((name) => join(place.dataDir, name));
  assert.ok(file && before);
  await writeFile(file, "WEBHOOK_NETWORKS=loopback\nRATE_LIMITS=5\nPGAPPNAME=parley\n");
  await writeFile(before, JSON.stringify({ settings: [{ name: "HOST" }, { name: "PORT" }] }));
  const { checks, ok } = await check(place, "--env-file", file, "--before", before);
  const found = checks.filter(({ name }) => name === "settings").map((one) => one.found);
  assert.ok(ok);
  assert.deepEqual(
    found
      .flatMap((text) => /^(\w+) is set, and this version does not/.exec(text)?.[1] ?? [])
      .sort(),
    ["RATE_LIMITS", "WEBHOOK_NETWORKS"],
  );
  assert.match(found.join(), /New: .*DATABASE_URL/);
  const wrong = await outcome(
    { ...environmentOf(place), RATE_LIMIT: "many" },
    "upgrade",
    "--check",
  );
  assert.equal(wrong.code, 1);
  assert.match(wrong.out, /RATE_LIMIT is/);
  assert.equal((await outcome(environmentOf(place), "upgrade")).code, 2);
  const beside = (name: string) =>
    outcome(environmentOf(place), "upgrade", "--check", "--before", join(place.dataDir, name));
  assert.match((await beside("none.json")).err, /There is no file .*none\.json/);
  assert.match((await beside("parley.env")).err, /parley\.env is not what .*config --json/);
});

test("a data folder that others can look into is a note: the service starts there", async (t) => {
  const place = await emptyPlace(t, { migrated: true });
  await chmod(place.dataDir, 0o755);
  await started(t, environmentOf(place));
  const { ok, checks } = await check(place);
  assert.ok(ok);
  const folder = checks.filter(({ name }) => name === "data folder");
  assert.deepEqual(
    folder.map(({ status }) => status),
    ["ok", "note"],
  );
  assert.match(folder[1]?.found ?? "", /^Other users of this machine can look into/);
});

test("a role that may not change the tables is a fault", {
  skip: !onPostgres && "needs PostgreSQL",
}, async (t) => {
  const place = await emptyPlace(t, { migrated: true });
  const database = await openDatabase(place);
  await migrate(database);
  await database.close();
  const role = `reader_${randomBytes(6).toString("hex")}`;
  const owner = new URL(process.env.TEST_DATABASE_URL ?? "");
  const url = new URL(place.databaseUrl ?? "");
  owner.pathname = url.pathname;
  const asOwner = async (statements: readonly string[]): Promise<void> => {
    const client = new Client({ connectionString: owner.href });
    await client.connect();
    for (const statement of statements) await client.query(statement);
    await client.end();
  };
  await asOwner([
    `create role ${role} login password '${role}'`,
    `grant select on all tables in schema public to ${role}`,
  ]);
  Object.assign(url, { username: role, password: role });
  try {
    const faults = faultsOf(await check({ ...place, databaseUrl: url.href }));
    assert.match(faults.join(), /rights: .*may not make tables.*belong to others/);
  } finally {
    await asOwner([`drop owned by ${role}`, `drop role ${role}`]);
  }
});
