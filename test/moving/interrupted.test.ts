// Runs: sqlite-first, complete, first
// Needs: strace

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { watch } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { devNull, tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { migrate } from "../../server/db/migrate.ts";
import type { DatabaseConfig } from "../../server/db/place.ts";
import { failing, noStrace } from "../faults/strace.ts";
import { emptyPlace, onPostgres } from "../world/empty-database.ts";
import { door } from "../world/process.ts";
import { count } from "../world/seed.ts";
import { begin, environmentOf, parley } from "./command-line.ts";
import { contents, fill, opened } from "./rows.ts";

const KILLS = count(4, 12);

/**
 * A short description of a database's contents. Contents that are neither the old ones nor the complete new
 * ones differ from both.
 */
const mark = async (place: DatabaseConfig): Promise<string> => {
  const found = await contents(place);
  return JSON.stringify(Object.entries(found).map(([table, rows]) => [table, rows.length]));
};

/**
 * Kills a command repeatedly on a database made by `make()`, each time nearer to the moment from which
 * on it leaves the complete result, and checks what it left.
 *
 * @returns a database on which the command was killed and that is unchanged.
 */
const killed = async (
  t: TestContext,
  make: () => Promise<DatabaseConfig>,
  args: (place: DatabaseConfig) => string[],
): Promise<DatabaseConfig> => {
  let place = await make();
  const before = await mark(place);
  const began = performance.now();
  const { code, said } = await parley(environmentOf(place), ...args(place));
  assert.equal(code, 0, said);
  const whole = await mark(place);
  let [early, late] = [0, performance.now() - began];
  const found = { before: 0, whole: 0 };
  place = await make();
  for (let n = 0; n < KILLS; n += 1) {
    const { child, end } = begin(environmentOf(place), ...args(place));
    const after = (early + late) / 2;
    // Bisects the time of a whole run: kills fall on both sides of the decisive moment.
    await sleep(after);
    child.kill("SIGKILL");
    await end;
    const left = await mark(place);
    assert.ok(left === before || left === whole, `neither as before nor whole: ${left}`);
    if (left === before) [early, found.before] = [after, found.before + 1];
    else {
      [late, found.whole] = [after, found.whole + 1];
      place = await make();
    }
  }
  t.diagnostic(
    `killed ${KILLS} times: ${found.before} as before, ${found.whole} whole; at last after ${Math.round(late)} ms`,
  );
  return place;
};

test("P-OPS-9: a restore that is killed leaves the database as it was, or whole", async (t) => {
  const source = await emptyPlace(t);
  await fill(source, 3_000);
  const file = join(source.dataDir, "backup.db");
  assert.equal((await parley(environmentOf(source), "backup", file)).code, 0);
  const make = async () => {
    const place = await emptyPlace(t);
    await fill(place, 5);
    return place;
  };
  const args = ["restore", file, "--force", "--yes"];
  const target = await killed(t, make, () => args);
  assert.equal((await parley(environmentOf(target), ...args)).code, 0);
  assert.deepEqual((await contents(target)).rooms, (await contents(source)).rooms);
});

test("P-OPS-9: a restore that is killed while files change names leaves one database or the other", {
  skip: onPostgres && "needs SQLite",
}, async (t) => {
  const source = await emptyPlace(t);
  await fill(source, 40);
  const file = join(source.dataDir, "backup.db");
  assert.equal((await parley(environmentOf(source), "backup", file)).code, 0);
  const rooms: (number | undefined)[] = [];
  for (const nth of [1, 2, 3, 4]) {
    const place = await emptyPlace(t);
    await fill(place, 5);
    const { child, end } = begin(environmentOf(place), "restore", file, "--force");
    // From the moment at which the old database has its second name.
    let changes = 0;
    const watcher = watch(place.dataDir, (_, name) => {
      if (changes > 0 || name?.includes("before-restore")) changes += 1;
      if (changes === nth) child.kill("SIGKILL");
    });
    await end;
    watcher.close();
    if (process.platform === "linux") assert.ok(changes >= nth);
    rooms.push((await contents(place)).rooms?.length);
    assert.ok([5, 40].includes(rooms.at(-1) ?? 0), `${rooms}`);
  }
  t.diagnostic(`rooms after a kill at the first, second ... change: ${rooms}`);
});

test("a restore that cannot replace the database leaves it under its name", {
  skip: onPostgres ? "needs SQLite" : noStrace,
}, async (t) => {
  const [source, place] = [await emptyPlace(t), await emptyPlace(t)];
  await fill(source, 40);
  const file = join(source.dataDir, "backup.db");
  assert.equal((await parley(environmentOf(source), "backup", file)).code, 0);
  await fill(place, 5);
  const [strace = "", ...under] = failing("rename", 1, "always");
  const words = [process.execPath, door(), "restore", file, "--force"];
  const { status, stderr } = spawnSync(strace, [...under, ...words], {
    env: { PATH: process.env.PATH, PARLEY_ENV_FILE: devNull, ...environmentOf(place) },
    encoding: "utf8",
  });
  assert.equal(status, 1, stderr);
  assert.match(stderr, /EIO/);
  assert.equal((await contents(place)).rooms?.length, 5);
  const names = await readdir(place.dataDir);
  assert.deepEqual(
    names.filter((name) => name.includes("before-restore")),
    [],
  );
});

test("a copy that is killed leaves its target empty, or whole", async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), "parley-copy-"));
  t.after(() => rm(dataDir, { recursive: true, force: true }));
  const source = { databaseUrl: undefined, dataDir };
  await fill(source, 3_000);
  const make = async () => {
    const place = await emptyPlace(t);
    await opened(place, (database) => migrate(database));
    return place;
  };
  const args = (to: DatabaseConfig) => [
    "copy",
    "--from",
    `sqlite:${dataDir}`,
    "--to",
    to.databaseUrl ?? `sqlite:${to.dataDir}`,
  ];
  const target = await killed(t, make, args);
  const { code, said } = await parley(environmentOf(target), ...args(target));
  assert.equal(code, 0, said);
  assert.deepEqual(await contents(target), await contents(source));
});
