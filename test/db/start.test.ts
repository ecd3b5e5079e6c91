// Runs: both

import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { sql } from "kysely";
import { DatabaseUnreachable, NewerDatabase, ServedAlready } from "../../server/db/errors.ts";
import { migrate, refuseUnknown } from "../../server/db/migrate.ts";
import { migrations } from "../../server/db/migrations/index.ts";
import { type Database, openDatabase } from "../../server/db/open.ts";
import type { DatabaseConfig } from "../../server/db/place.ts";
import { openFirstStart } from "../../server/organizations/first-start.ts";
import { emptyDatabase, emptyPlace, onPostgres, organization } from "../world/empty-database.ts";
import { startLatePostgres } from "../world/late-postgres.ts";
import { emptyEnvironment, startWorld } from "../world/world.ts";

/** Another process that opens this database as `database`; it exits with `code`, or when it is killed. */
const besides = (place: DatabaseConfig, options: object, code: string): ChildProcess => {
  const script = `
    const { openDatabase } = await import("./server/db/open.ts");
    const { migrate } = await import("./server/db/migrate.ts");
    const database = await openDatabase(${JSON.stringify(place)}, ${JSON.stringify(options)});
    ${code}`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", script], {
    cwd: new URL("../..", import.meta.url),
    stdio: ["ignore", "pipe", "inherit"],
  });
  child.stdout?.setEncoding("utf8");
  return child;
};

const output = async (child: ChildProcess): Promise<string> => {
  let text = "";
  child.stdout?.on("data", (piece: string) => {
    text += piece;
  });
  const [code] = await once(child, "close");
  assert.equal(code, 0);
  return text;
};

test("four processes that start together on an empty database migrate it exactly once", async (t) => {
  const place = await emptyPlace(t);
  const start = () =>
    output(
      besides(
        place,
        {},
        "console.log(JSON.stringify(await migrate(database)));process.exit(await database.ready() ? 0 : 1)",
      ),
    );
  const applied = await Promise.all([start(), start(), start(), start()]);
  const names = applied.flatMap((text) => JSON.parse(text) as string[]);
  assert.deepEqual(
    names.toSorted(),
    migrations.map(({ name }) => name),
  );
});

test("a database is ready once its migrations have run", async (t) => {
  const database = await openDatabase(await emptyPlace(t));
  t.after(() => database.close());
  assert.equal(await database.ready(), false);
  const progress: string[] = [];
  assert.deepEqual(await migrate(database, (name) => progress.push(name)), progress);
  assert.equal(await database.ready(), true);
  assert.deepEqual(await migrate(database), []);
});

test("a database that a test gets with its tables has nothing to migrate", async (t) => {
  const database = await openDatabase(await emptyPlace(t, { migrated: true }));
  t.after(() => database.close());
  assert.deepEqual(await migrate(database), []);
});

test("migrations have no time limit, whatever limits the role has", {
  skip: !onPostgres && "needs PostgreSQL",
}, async (t) => {
  const place = await emptyPlace(t);
  const first = await openDatabase(place);
  for (const name of ["statement_timeout", "idle_session_timeout"]) {
    await sql`do ${sql.lit(`begin execute format(
      'alter role %I in database %I set ${name} = 1000', current_user, current_database()); end`)}`.execute(
      first.read,
    );
  }
  await first.close();
  const database = await openDatabase(place);
  t.after(() => database.close());
  // Meanwhile the connection that holds the lock is idle.
  await database.schema.alone((db) => sql`select pg_sleep(2)`.execute(db));
  assert.ok((await migrate(database)).length > 0);
});

test("a start waits for a database that goes away in the middle", {
  skip: !onPostgres && "needs PostgreSQL",
}, async (t) => {
  for (const cutAt of ['insert into "processes"', 'update "processes" set "recorders"']) {
    const environment = await emptyEnvironment(t, "postgres");
    const late = await startLatePostgres(t, environment.DATABASE_URL ?? "");
    late.cutAt = cutAt;
    const { url } = await startWorld(t, { place: { ...environment, DATABASE_URL: late.url } });
    assert.equal(late.cutAt, "", "it went away");
    assert.equal((await fetch(`${url}/readyz`)).status, 200);
  }
});

test("the next try finds a first start whose commit was not confirmed", async (t) => {
  const database = await openDatabase(await emptyPlace(t));
  t.after(() => database.close());
  await migrate(database);
  const unconfirmed: Database = {
    ...database,
    change: async (work, organizationId) => {
      await database.change(work, organizationId);
      throw new DatabaseUnreachable();
    },
  };
  const config = { adminEmail: "admin@example.org", adminPassword: undefined };
  const firstStart = openFirstStart(unconfirmed, config);
  await assert.rejects(firstStart(), DatabaseUnreachable);
  const made = await firstStart();
  assert.equal(made?.admin.email, config.adminEmail);
  const organizations = await database.read.selectFrom("organizations").select("id").execute();
  assert.deepEqual(
    organizations.map(({ id }) => id),
    [made?.organization.id],
  );
  assert.equal(await openFirstStart(database, config)(), undefined);
});

test("a database of a newer Parley is refused", async (t) => {
  const database = await emptyDatabase(t);
  await database.change((tx) =>
    sql`insert into kysely_migration (name, timestamp) values ('9999-later', '')`.execute(tx),
  );
  await assert.rejects(
    migrate(database),
    (error) => error instanceof NewerDatabase && /9999-later/.test(error.message),
  );
});

test("a version starts beside a later migration that says so, and a restore of such a backup is refused", async (t) => {
  const database = await emptyDatabase(t);
  const last = migrations.at(-1)?.name.slice(0, 4);
  await database.change((tx) =>
    sql`insert into kysely_migration (name, timestamp) values (${`9999-later-beside-${last}`}, '')`.execute(
      tx,
    ),
  );
  assert.deepEqual(await migrate(database), []);
  assert.equal(await database.ready(), true);
  await assert.rejects(refuseUnknown(database.read, { whole: true }), NewerDatabase);
});

test("the data folder and its contents are for their owner only", {
  skip: onPostgres && "needs SQLite",
}, async (t) => {
  const { dataDir } = await emptyPlace(t);
  const place = { databaseUrl: undefined, dataDir: join(dataDir, "data") };
  await emptyDatabase(t, place);
  const mode = async (...path: string[]) =>
    ((await stat(join(place.dataDir, ...path))).mode & 0o777).toString(8);
  assert.equal(await mode(), "700");
  for (const name of ["parley.db", "parley.db-wal", "parley.db-shm"])
    assert.equal(await mode(name), "600");
});

test("a second service on one file is refused until the first has ended, however it ended", {
  skip: onPostgres && "needs SQLite",
}, async (t) => {
  const place = await emptyPlace(t);
  const first = besides(
    place,
    { service: true },
    "console.log('open'); setInterval(() => {}, 1000)",
  );
  t.after(() => first.kill("SIGKILL"));
  await once(first.stdout ?? first, "data");
  await assert.rejects(openDatabase(place, { service: true }), ServedAlready);
  first.kill("SIGKILL");
  await once(first, "close");
  const second = await openDatabase(place, { service: true });
  await second.close();
  const third = await openDatabase(place, { service: true });
  await third.close();
});

test("the command line writes beside a service that writes", async (t) => {
  const place = await emptyPlace(t);
  const database = await emptyDatabase(t, place);
  const other = output(
    besides(
      place,
      {},
      `for (let n = 0; n < 50; n += 1) {
        await database.change((tx) => tx.updateTable("organizations").set((eb) => ({ used_rooms: eb("used_rooms", "+", 1) })).execute());
      }
      process.exit(0);`,
    ),
  );
  let ended = false;
  void other.finally(() => {
    ended = true;
  });
  let own = 0;
  while (!ended) {
    await Promise.all(
      Array.from({ length: 10 }, () =>
        database.change((tx) =>
          tx
            .updateTable("organizations")
            .set((eb) => ({ used_rooms: eb("used_rooms", "+", 1) }))
            .execute(),
        ),
      ),
    );
    own += 10;
  }
  await other;
  await database.change((tx) =>
    tx.insertInto("organizations").values(organization("last")).execute(),
  );
  const row = await database.read
    .selectFrom("organizations")
    .select("used_rooms")
    .where("id", "=", "o1")
    .executeTakeFirst();
  assert.equal(row?.used_rooms, own + 50);
});
