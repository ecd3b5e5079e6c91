// Runs: postgres, complete, first
// Needs: pgbouncer

import assert from "node:assert/strict";
import { chownSync, mkdtempSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { Client } from "pg";
import { UnsupportedDatabase } from "../../server/db/errors.ts";
import { outcome, startFailure } from "../cli/run.ts";
import { identity, temporaryFolder } from "../run/postgres-binaries.ts";
import { withoutPgbouncer } from "../run/programs.ts";
import { askOnce } from "../world/ask.ts";
import { freePort } from "../world/free-port.ts";
import { openHouse } from "../world/house.ts";
import { until } from "../world/process.ts";
import { startProgram } from "../world/program.ts";
import { startWorld } from "../world/world.ts";

const skip = withoutPgbouncer();

interface Pooler {
  /** The URL of the database through it. */
  readonly url: string;
  /** Has it pool in another way from now on. */
  change(mode: string): void;
}

/** PgBouncer in front of a database, as docs/operating.md says. */
const startPooler = async (t: TestContext, databaseUrl: string, mode: string): Promise<Pooler> => {
  const { hostname, port, username, password, pathname } = new URL(databaseUrl);
  const who = identity();
  const folder = mkdtempSync(join(temporaryFolder(), "parley-pooler-"));
  const listenPort = await freePort();
  const config = join(folder, "pgbouncer.ini");
  const write = (mode: string): void =>
    writeFileSync(
      config,
      `[databases]
* = host=${hostname} port=${port} user=${username} password=${password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${listenPort}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
ignore_startup_parameters = lock_timeout, statement_timeout, idle_in_transaction_session_timeout
`,
    );
  write(mode);
  for (const path of [folder, config]) {
    if (who.uid !== undefined) chownSync(path, who.uid, who.gid ?? who.uid);
  }
  const pooler = startProgram(t, "pgbouncer", [config], { ...who, cwd: folder });
  t.after(() => rm(folder, { recursive: true, force: true }));
  const url = `postgres://${username}@127.0.0.1:${listenPort}${pathname}`;
  const answers = async () => {
    const client = new Client({ connectionString: url });
    client.on("error", () => {});
    try {
      await client.connect();
      return true;
    } catch {
      return false;
    } finally {
      client.end().catch(() => {});
    }
  };
  await until("PgBouncer answers", answers);
  return {
    url,
    change(to) {
      write(to);
      pooler.signal("SIGHUP");
    },
  };
};

test("a service starts and creates rooms behind a pooler that pools by session", {
  skip,
}, async (t) => {
  const house = await openHouse(t);
  const { DATABASE_URL = "" } = house.environment;
  const { url } = await startPooler(t, DATABASE_URL, "session");
  const world = await startWorld(t, { place: { ...house.environment, DATABASE_URL: url } });
  const { ask, admin } = await world.tenant();
  const made = await Promise.all(
    Array.from({ length: 25 }, (_, n) =>
      ask("createRoom", { name: `Room ${n}`, roomOwnerId: admin.id }),
    ),
  );
  assert.deepEqual(
    made.map(({ status }) => status),
    made.map(() => 201),
  );
});

for (const mode of ["transaction", "statement"]) {
  test(`a pooler by ${mode} is refused by the start and by doctor, which name the mode that works`, {
    skip,
  }, async (t) => {
    const house = await openHouse(t);
    const { DATABASE_URL = "" } = house.environment;
    const { url } = await startPooler(t, DATABASE_URL, mode);
    const environment = { ...house.environment, DATABASE_URL: url };
    const refused = /pools by session \(PgBouncer: pool_mode = session\)/;
    assert.match(await startFailure(1, environment), refused);
    const { code, out } = await outcome({ ...environment, RECORDERS: "0" }, "doctor");
    assert.equal(code, 1);
    assert.match(out, refused);
    // While other connections use the pooler as well.
    const others = await busy(t, url);
    await assert.rejects(startWorld(t, { place: environment }), UnsupportedDatabase);
    await others();
  });
}

test("a pooler that switches to transactions while the service runs is reported, without a fault", {
  skip,
}, async (t) => {
  const house = await openHouse(t);
  const { DATABASE_URL = "" } = house.environment;
  const pooler = await startPooler(t, DATABASE_URL, "session");
  const place = { ...house.environment, DATABASE_URL: pooler.url };
  const world = await startWorld(t, { place });
  const { token, admin } = await world.tenant();
  const create = askOnce(world.url, token);
  const make = async (): Promise<readonly (readonly [number, unknown])[]> => {
    const input = { name: "Room", roomOwnerId: admin.id };
    const answers = Array.from({ length: 25 }, () => create("createRoom", input));
    return (await Promise.all(answers)).map(({ status, body }) => [status, body.code]);
  };
  const statuses = async () => new Set((await make()).map(([status]) => status));
  assert.deepEqual(await statuses(), new Set([201]));
  pooler.change("transaction");
  const found = new Map<number, number>();
  await until("the service refuses to go on", async () => {
    for (const [status] of await make()) found.set(status, (found.get(status) ?? 0) + 1);
    return /pools by session \(PgBouncer: pool_mode = session\)/.test(world.log.join(""));
  });
  assert.deepEqual(
    [...found.keys()].filter((status) => status !== 201 && status !== 503),
    [],
  );
  await until("it answers nothing, and is not ready", async () => {
    const now = await statuses();
    const ready = await fetch(`${world.url}/readyz`);
    return now.size === 1 && now.has(503) && ready.status === 503;
  });
  pooler.change("session");
  await until("it goes on by itself", async () => {
    const now = await statuses();
    return now.size === 1 && now.has(201);
  });
});

/** Connections through a pooler that ask without a pause. @returns ends them */
const busy = async (t: TestContext, url: string): Promise<() => Promise<void>> => {
  let isOver = false;
  const clients = Array.from({ length: 3 }, () => new Client({ connectionString: url }));
  await Promise.all(clients.map((client) => client.connect()));
  const asking = clients.map(async (client) => {
    while (!isOver) await client.query("select 1");
  });
  const end = async () => {
    isOver = true;
    await Promise.all(asking);
    await Promise.all(clients.map((client) => client.end()));
  };
  t.after(() => {
    isOver = true;
  });
  return end;
};
