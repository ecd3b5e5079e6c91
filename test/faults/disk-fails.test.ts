// Runs: sqlite
// Needs: strace

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { sql } from "kysely";
import { openDatabase } from "../../server/db/open.ts";
import type { openWritable } from "../../server/db/sqlite/pragmas.ts";
import { tally } from "../races/history.ts";
import { testTwin } from "../twins/test-twin.ts";
import type { Twin } from "../twins/twin.ts";
import { openHouse } from "../world/house.ts";
import { isReady, startProcess, until } from "../world/process.ts";
import { count, type Dice, rollDice, soaking } from "../world/seed.ts";
import { failing, noStrace, watching } from "./strace.ts";
import { startWriters } from "./writers.ts";

const skip = noStrace;

/** Answers once the system has the change, whether or not it is on the disk. */
const neverSyncs: Twin = {
  name: "never waits for the disk",
  replaced: [
    {
      file: "db/sqlite/pragmas.ts",
      export: "openWritable",
      by:
        (real: typeof openWritable): typeof openWritable =>
        async (...given) => {
          const db = await real(...given);
          db.exec("pragma synchronous = normal");
          return db;
        },
    },
  ],
};

/** Answers with a failure, and keeps writing to a disk that stores nothing. */
const goesOn: Twin = {
  name: "goes on after a failed fsync",
  replaced: [{ file: "db/errors.ts", export: "isIoFailure", by: () => () => false }],
};

/** The system call in a line of strace, and its file. */
const CALL = /^\d+ +(fdatasync|fsync|writev?|sendto|sendmsg)\(\d+<([^>]*)>(.*)/;

const syncsBeforeAnswers = async (t: TestContext, writes: number, twin?: Twin): Promise<void> => {
  const house = await openHouse(t);
  const tenant = await house.beside((world) => world.tenant());
  const trace = join(house.environment.DATA_DIR ?? "", "trace");
  const under = watching("fdatasync,fsync,write,writev,sendto,sendmsg", trace);
  const service = await startProcess(t, house.environment, { under, twin });
  const ask = tenant.askAt(service.url);
  for (let n = 0; n < writes; n += 1) {
    const { status } = await ask("createRoom", { name: "R", roomOwnerId: tenant.admin.id });
    assert.equal(status, 201);
  }
  await service.end("SIGKILL");
  const answered = () => readFileSync(trace, "utf8").split("HTTP/1.1 201").length - 1;
  await until("all of it is written down", () => answered() >= writes);
  let isKept = false;
  let answers = 0;
  for (const line of readFileSync(trace, "utf8").split("\n")) {
    const [, call = "", file = "", rest = ""] = CALL.exec(line) ?? [];
    if (call.endsWith("sync")) isKept ||= file.endsWith("parley.db-wal");
    else if (rest.includes("HTTP/1.1 201")) {
      assert.ok(isKept, `answer ${answers} left before the disk had it`);
      isKept = false;
      answers += 1;
    }
  }
  assert.equal(answers, writes);
  t.diagnostic(`${writes} answers, each after its fsync`);
};

test("P-DUR-2: a change is on the disk before it is answered", { skip }, (t) =>
  syncsBeforeAnswers(t, count(40, 200, 15)),
);

testTwin(
  "P-DUR-2: a twin that answers before its fsync is detected",
  (t) => assert.rejects(syncsBeforeAnswers(t, 10, neverSyncs), /before the disk had it/),
  { skip, onSqlite: true },
);

test("P-DUR-2: the writing connection waits for the disk at each commit", async (t) => {
  const { environment } = await openHouse(t);
  const place = { databaseUrl: undefined, dataDir: environment.DATA_DIR ?? "" };
  const database = await openDatabase(place, { service: true });
  const { rows } = await database.change((tx) => sql`pragma synchronous`.execute(tx));
  await database.close();
  assert.deepEqual(
    rows.map((row) => ({ ...(row as object) })),
    [{ synchronous: 2 }],
  );
});

/** A service whose disk fails while clients write; the next start counts what is there. */
const fails = async (t: TestContext, dice: Dice, calls: string, from: number, twin?: Twin) => {
  const house = await openHouse(t, { environment: { LOG_LEVEL: "fatal" } });
  const tenant = await house.beside((world) => world.tenant());
  const writers = startWriters(tenant, dice);
  const isSync = calls.includes("fsync");
  const under = failing(calls, from, isSync ? "once" : "always");
  const service = await startProcess(t, house.environment, { under, twin, unready: true });
  // At the start, the service waits for a disk that accepts no writes.
  const isStuck = () => service.said().includes("trying again");
  await until("it is ready, or has ended, or waits", async () => {
    return service.hasEnded() || isStuck() || isReady(service.url);
  });
  const asks = Array.from({ length: 8 }, () => () => tenant.askAt(service.url));
  const { events } = writers.history;
  const refused = () => events.filter(({ outcome }) => outcome !== "ok").length;
  const isEnough = isSync ? () => events.length > 16 * from + 200 : () => refused() > 40;
  if (!isStuck()) await writers.run(asks, () => service.hasEnded() || isEnough());
  // SQLite itself ignores a failed sync of a folder or in a checkpoint: no commit waits for it.
  if (isSync && refused() > 0) {
    assert.equal(await isReady(service.url), false, "it still says that it is ready");
    await until("it ends", service.hasEnded);
  }
  if (!isSync && !isStuck()) assert.ok(refused() > 0);
  const { code, signal } = await service.end("SIGKILL");
  assert.ok(code === 1 || signal === "SIGKILL", service.said());
  await house.beside((world) => writers.check(world));
  return tally(writers.history.events);
};

test("P-DUR-3: a disk that fails to store a change durably ends the service, and nothing acknowledged is lost", {
  skip,
}, async (t) => {
  const dice = rollDice(t);
  const all = Array.from({ length: 60 }, (_, n) => n + 1);
  const early = [5 + dice.roll(5), 10 + dice.roll(20)];
  const total: Record<string, number> = {};
  for (const from of soaking ? all : early.slice(-count(2, 2, 1))) {
    const counts = await fails(t, dice, "fdatasync,fsync", from);
    for (const [name, many] of Object.entries(counts)) total[name] = (total[name] ?? 0) + many;
  }
  t.diagnostic(`${JSON.stringify(total)}, 0 lost`);
});

testTwin(
  "P-DUR-3: a twin that keeps running is detected",
  async (t) => {
    // The failing sync may be one for which no commit waits.
    const severally = async () => {
      for (const from of [9, 12, 15]) await fails(t, rollDice(t), "fdatasync,fsync", from, goesOn);
    };
    // A busy machine may take so long to respond that it counts as not ready.
    await assert.rejects(severally, /still says that it is ready|Waited in vain: it ends/);
  },
  { skip, onSqlite: true },
);

test("P-DUR-3: no request succeeds on a disk that accepts no writes, and nothing acknowledged is lost", {
  skip,
}, async (t) => {
  const dice = rollDice(t);
  const all = Array.from({ length: 60 }, (_, n) => 10 * (n + 1));
  for (const from of soaking ? all : [50 + dice.roll(200)]) {
    await fails(t, dice, "pwrite64", from);
  }
});
