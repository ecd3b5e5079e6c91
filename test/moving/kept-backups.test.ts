// Runs: sqlite-first
// Needs: store

import assert from "node:assert/strict";
import { execFile, execFileSync } from "node:child_process";
import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { promisify } from "node:util";
import type { DatabaseConfig } from "../../server/db/place.ts";
import { run } from "../cli/run.ts";
import { smallDisk } from "../faults/small-disk.ts";
import { startS3 } from "../recordings/s3-server.ts";
import { noStore } from "../run/store.ts";
import { emptyPlace, onPostgres } from "../world/empty-database.ts";
import { filesBelow } from "../world/files.ts";
import { door } from "../world/process.ts";
import { onlyComplete } from "../world/seed.ts";
import { type Environment, environmentOf, parley } from "./command-line.ts";
import { addFilm, age, nameBefore, removeFilm } from "./kept.ts";
import { contents, fill } from "./rows.ts";

/** On PostgreSQL as the superuser, who may create databases. */
const mayCreate = (env: Environment): Environment => {
  if (env.DATABASE_URL === undefined) return env;
  const url = new URL(env.DATABASE_URL);
  url.username = "postgres";
  return { ...env, DATABASE_URL: url.href };
};

/** A filled installation, and a folder for its backups. */
const filled = async (t: TestContext, rooms = 30) => {
  const place = await emptyPlace(t);
  await fill(place, rooms);
  const folder = join(place.dataDir, "kept");
  const env = mayCreate({ ...environmentOf(place), BACKUP_TO: folder });
  return { place, folder, env };
};

const good = async (env: Environment, ...args: string[]) => {
  const { code, value, said } = await parley(env, ...args);
  assert.equal(code, 0, said);
  return value;
};

const bad = async (env: Environment, ...args: string[]): Promise<string> => {
  const { code, said } = await parley(env, ...args);
  assert.equal(code, 1, said);
  assert.doesNotMatch(said, /\n\s+at /);
  return said;
};

const withoutTerminal = existsSync("/usr/bin/script") ? false : "script is not installed";

/** Runs a command in a terminal. @returns its output there */
const inTerminal = async (env: Environment, command: string): Promise<string> => {
  const words = ["-qefc", `"${process.execPath}" "${door()}" ${command}`, "/dev/null"];
  const shell = { PATH: process.env.PATH, PARLEY_ENV_FILE: "/dev/null", ...env };
  return (await promisify(execFile)("script", words, { env: shell })).stdout;
};

test("in a terminal, a backup and its check show how far they are", {
  skip: withoutTerminal || onlyComplete,
}, async (t) => {
  const { place, env } = await filled(t);
  await addFilm(place, "film-1");
  const made = await inTerminal(env, "backup --recordings");
  assert.ok(made.includes("recordings: 100 %, "), made);
  assert.match(await inTerminal(env, "backup verify --recordings"), /\w+: 100 %, /);
});

/** Makes two backups with recordings, verifies the second one, and restores it elsewhere. */
const wayThere = async (t: TestContext, place: DatabaseConfig, env: Environment) => {
  const first = await addFilm(place, "film-1");
  const one = await good(env, "backup", "--recordings");
  assert.deepEqual([one.recordings.count, one.copied], [1, 100_000]);
  assert.equal(one.recordings.missing, 1, "the recording of `fill` has no file");
  const second = await addFilm(place, "film-2", 50_000);
  const two = await good(env, "backup", "--recordings");
  assert.deepEqual([two.recordings.count, two.copied], [2, 50_000], "only what is new");

  const verified = await good(env, "backup", "verify", "latest", "--recordings");
  assert.deepEqual([verified.name, verified.films, verified.organizations], [two.name, 2, 1]);
  assert.equal(verified.scratch, onPostgres ? "postgres" : "sqlite");
  const { backups } = await good(env, "backup", "list");
  assert.deepEqual(
    backups.map(({ name }: { name: string }) => name),
    [two.name, one.name],
  );
  assert.equal(backups[0].verifiedAt, verified.verifiedAt);
  assert.equal(backups[1].verifiedAt, null);
  const { checks } = JSON.parse(
    JSON.stringify((await parley({ ...env, RECORDERS: "0" }, "doctor")).value),
  );
  const state = checks.find(({ name }: { name: string }) => name === "backups");
  assert.equal(state.status, "ok", state.found);
  assert.match(state.found, /less than an hour old; parley-\S+ was verified less than an hour ago/);

  const target = await emptyPlace(t);
  const there = { ...env, ...environmentOf(target) };
  const restored = await good(there, "restore", "latest", "--yes", "--recordings");
  assert.equal(restored.films, 2);
  for (const { path, content } of [first, second]) {
    assert.ok(readFileSync(path.replace(place.dataDir, target.dataDir)).equals(content));
  }
  assert.deepEqual((await contents(target)).rooms, (await contents(place)).rooms);
  return { one, two, first, second };
};

test("P-OPS-9: backups in a folder copy recordings once, are verified by a restore, and come back", async (t) => {
  const { place, folder, env } = await filled(t);
  const { one, two } = await wayThere(t, place, env);
  const films = ["film-1", "film-2"].map((id) => `parley-recordings/o1/r0/${id}/480p.mp4`);
  const files = [one, two].flatMap(({ name }) =>
    ["db", "json", "recordings.jsonl"].map((kind) => `${name}.${kind}`),
  );
  assert.deepEqual(filesBelow(folder), [...files, `${two.name}.verified.json`, ...films].sort());
  const texts = filesBelow(folder).filter((name) => name.includes("json"));
  for (const text of texts) {
    assert.doesNotMatch(readFileSync(join(folder, text), "utf8"), /postgres:|(?:ab){8}|password/);
  }
});

test("P-OPS-9: backups in a bucket copy recordings once, are verified by a restore, and come back", {
  skip: noStore,
}, async (t) => {
  const { place, env } = await filled(t);
  const s3 = await startS3(t);
  const {
    S3_ENDPOINT = "",
    S3_BUCKET,
    S3_ACCESS_KEY_ID = "",
    S3_SECRET_ACCESS_KEY = "",
  } = s3.environment as Environment;
  const bucket: Environment = {
    ...env,
    BACKUP_TO: `s3://${S3_BUCKET}/nightly`,
    BACKUP_S3_ENDPOINT: S3_ENDPOINT,
    BACKUP_S3_ACCESS_KEY_ID: S3_ACCESS_KEY_ID,
    BACKUP_S3_SECRET_ACCESS_KEY: S3_SECRET_ACCESS_KEY,
  };
  const { one, two } = await wayThere(t, place, bucket);
  assert.ok(s3.keys().every((key) => key.startsWith("nightly/parley-")));
  await removeFilm(place, "film-1");
  const three = await good(bucket, "backup", "--recordings", "--keep-last", "1");
  assert.deepEqual(three.removed, [one.name], "the verified one stays");
  const keys = s3.keys().join();
  assert.ok(!keys.includes(one.name) && keys.includes(two.name) && keys.includes("film-1"));
  assert.deepEqual(
    await readdir(place.dataDir).then((names) => names.filter((n) => /parley-/.test(n))),
    [],
  );

  const refused = await bad({ ...bucket, BACKUP_S3_SECRET_ACCESS_KEY: "other" }, "backup");
  assert.match(refused, /s3:\/\/recordings\/nightly\/: It does not allow this key to do that/);
  assert.match(await bad({ ...bucket, BACKUP_TO: "s3://nowhere/x" }, "backup"), /no such bucket/);
  const stranger = { ...bucket, BACKUP_S3_ACCESS_KEY_ID: "stranger" };
  assert.match(await bad(stranger, "backup"), /It does not know this access key: /);
  await s3.stop();
  assert.match(await bad(bucket, "backup"), /s3:\/\/recordings\/nightly\/: .*BACKUP_S3_ENDPOINT/);
});

test("retention removes only what backups made, and never the newest nor the newest verified one", async (t) => {
  const { place, folder, env } = await filled(t, 3);
  await addFilm(place, "old");
  const made = async (days: number, ...more: string[]) => {
    const { name } = await good(env, "backup", "--recordings");
    if (more.includes("verify")) await good(env, "backup", "verify");
    return age(folder, name, days);
  };
  const oldest = await made(40);
  await removeFilm(place, "old");
  await addFilm(place, "young");
  const verified = await made(30, "verify");
  const other = await made(20);
  // Leftovers of a killed backup, and files that others keep there.
  const killed = nameBefore(3);
  copyFileSync(join(folder, `${other}.db`), join(folder, `${killed}.db`));
  const running = nameBefore(0.01);
  writeFileSync(join(folder, `${running}.recordings.jsonl`), "");
  const foreign = ["parley-2026-11-28.db", "notes.txt", "parley-recordings/mine.mp4"];
  for (const name of foreign) writeFileSync(join(folder, name), "mine");
  const { name, removed } = await good(env, "backup", "--recordings", "--keep-daily", "1");
  assert.deepEqual(removed.sort(), [oldest, other].sort());
  const left = filesBelow(folder);
  assert.deepEqual(
    left.filter((file) => !file.startsWith(name) && !file.startsWith(verified)).sort(),
    [...foreign, `${running}.recordings.jsonl`, "parley-recordings/o1/r0/young/480p.mp4"].sort(),
  );
});

test("a damaged backup does not pass its check, and is not restored", async (t) => {
  const { place, folder, env } = await filled(t, 3);
  const film = await addFilm(place, "film-1");
  const { name } = await good(env, "backup", "--recordings");
  await good(env, "backup", "verify", "--recordings");
  const change = (file: string, at: number) => {
    const path = join(folder, file);
    const content = readFileSync(path);
    content[at] = (content[at] ?? 0) ^ 1;
    writeFileSync(path, content);
    return () => {
      content[at] = (content[at] ?? 0) ^ 1;
      writeFileSync(path, content);
    };
  };
  const copied = "parley-recordings/o1/r0/film-1/480p.mp4";
  change(copied, 77);
  assert.match(await bad(env, "backup", "verify", "--recordings"), /480p\.mp4 is damaged/);
  const { backups } = await good(env, "backup", "list");
  assert.equal(backups[0].verifiedAt, null, "it is no longer a verified one");
  rmSync(join(folder, copied));
  assert.match(await bad(env, "backup", "verify", name, "--recordings"), /next backup copies it/);
  const again = await good(env, "backup", "--recordings");
  assert.equal(again.copied, film.content.length);
  await good(env, "backup", "verify", name, "--recordings");

  // A line of the list that is left out would leave its file unread.
  const list = join(folder, `${again.name}.recordings.jsonl`);
  const lines = readFileSync(list, "utf8");
  const damagedList = /recordings\.jsonl .*is damaged: its SHA-256 is not that of the manifest/;
  writeFileSync(list, "");
  assert.match(await bad(env, "backup", "verify", "--recordings"), damagedList);
  writeFileSync(list, lines.replace(/"sha256":"../, '"sha256":"zz'));
  const next = await good(env, "backup", "--recordings");
  await good(env, "backup", "verify", next.name, "--recordings");
  rmSync(list);
  const absent = await bad(env, "backup", "verify", again.name, "--recordings");
  assert.match(absent, /recordings\.jsonl is not in/);

  const mend = change(`${name}.db`, 5_000);
  assert.match(await bad(env, "backup", "verify", name), /\.db is damaged: its SHA-256/);
  const restored = await bad(env, "restore", name, "--yes", "--force");
  assert.match(restored, /\.db is damaged: its SHA-256/);
  mend();
  const manifest = join(folder, `${name}.json`);
  const text = readFileSync(manifest, "utf8");
  writeFileSync(manifest, text.replace('"rooms": 3', '"rooms": 4'));
  assert.match(await bad(env, "backup", "verify", name), /table rooms has 3 rows, not 4/);
  writeFileSync(manifest, "{}");
  assert.match(await bad(env, "backup", "verify", name), /is damaged, or of a newer Parley/);
  const wrongKey = { ...env, PARLEY_SECRET: "cd".repeat(32) };
  assert.match(await bad(wrongKey, "backup", "verify"), /key/);
});

test("a damaged manifest hides no other backup: list, check and restore name it and go on", async (t) => {
  const { folder, env } = await filled(t, 3);
  const { name: old } = await good(env, "backup");
  const { name } = await good(env, "backup");
  await good(env, "backup", "verify");
  const before = readFileSync(join(folder, `${name}.json`));
  for (const text of ["", "{}", before.subarray(0, 100)]) {
    writeFileSync(join(folder, `${name}.json`), text);
    const { backups, damaged } = await good(env, "backup", "list");
    assert.deepEqual([backups.length, backups[0].name, damaged.length], [1, old, 1]);
    assert.deepEqual([damaged[0].name, /is damaged/.test(damaged[0].what)], [name, true]);
    const checked = await parley(env, "backup", "verify");
    assert.deepEqual([checked.code, checked.value.name], [1, old]);
    assert.equal(checked.value.skipped[0].name, name);
    const { value } = await parley({ ...env, RECORDERS: "0" }, "doctor");
    const state = value.checks.find(({ name }: { name: string }) => name === "backups");
    assert.deepEqual([state.status, state.found], ["fault", damaged[0].what]);
    assert.match(state.advice, /^Remove the files of parley-/);
  }
  const there = await emptyPlace(t);
  const elsewhere = { ...env, ...environmentOf(there) };
  const restored = await run(elsewhere, "restore", "latest", "--yes");
  assert.equal(restored.code, 0, restored.err);
  const [first, second] = restored.out.split("\n");
  assert.ok(
    first?.startsWith(`${name} counts for nothing: ${name}.json in ${folder} is damaged`),
    restored.out,
  );
  assert.ok(second?.startsWith(`${old} is restored into `), restored.out);

  writeFileSync(join(folder, `${old}.verified.json`), "half");
  const { backups } = await good(env, "backup", "list");
  assert.equal(backups[0].verifiedAt, null, "a damaged note says nothing");
});

test("retention goes on beside damaged backups, and removes nothing that one of them may name", {
  skip: onlyComplete,
}, async (t) => {
  const { place, folder, env } = await filled(t, 3);
  await addFilm(place, "old");
  const made = async (days: number) =>
    age(folder, (await good(env, "backup", "--recordings")).name, days);
  const oldest = await made(9);
  const older = await made(8);
  await removeFilm(place, "old");
  const damaged = await made(7);
  const listless = await made(6);
  writeFileSync(join(folder, `${damaged}.json`), "");
  writeFileSync(join(folder, `${listless}.recordings.jsonl`), "{");
  const { removed, damagedLists } = await good(env, "backup", "--recordings", "--keep-last", "3");
  assert.deepEqual(removed, [oldest], "the damaged one took the place of no other");
  assert.deepEqual(damagedLists, [`${listless}.recordings.jsonl`]);
  const film = "parley-recordings/o1/r0/old/480p.mp4";
  assert.ok(filesBelow(folder).includes(film));
  for (const file of filesBelow(folder)) if (file.startsWith(listless)) rmSync(join(folder, file));
  const next = await good(env, "backup", "--recordings", "--keep-last", "1");
  assert.ok(next.removed.includes(older));
  assert.ok(!filesBelow(folder).includes(film), "the next one removes what was left");
});

test("a backup that a wrong clock has dated in the future hides no missing one, and removes no new one", {
  skip: onlyComplete,
}, async (t) => {
  const { folder, env } = await filled(t, 3);
  const ahead = age(folder, (await good(env, "backup")).name, -400);
  const { name, removed } = await good(env, "backup", "--keep-last", "1");
  assert.deepEqual(removed, []);
  const { backups } = await good(env, "backup", "list");
  assert.deepEqual(
    backups.map(({ name }: { name: string }) => name),
    [ahead, name],
  );
  const { value } = await parley({ ...env, RECORDERS: "0" }, "doctor");
  const state = value.checks.find(({ name }: { name: string }) => name === "backups");
  assert.equal(state.status, "fault");
  assert.ok(state.found.startsWith(`${ahead} in ${folder} is of the future`), state.found);
});

test("doctor says where a backup cannot be written", { skip: onlyComplete }, async (t) => {
  const disk = await smallDisk(t, "150m");
  const small = await smallDisk(t, "16m");
  if (disk === undefined || small === undefined)
    return t.skip("no file system may be mounted here");
  const { env } = await filled(t, 3);
  const state = async (BACKUP_TO: string) => {
    const { value } = await parley({ ...env, RECORDERS: "0", BACKUP_TO }, "doctor");
    return value.checks.find(({ name }: { name: string }) => name === "backups");
  };
  for (const one of [disk, small]) {
    await good({ ...env, BACKUP_TO: one }, "backup");
    await good({ ...env, BACKUP_TO: one }, "backup", "verify", "--sqlite");
  }
  assert.equal((await state(disk)).status, "ok");
  const full = await state(small);
  assert.deepEqual([full.status, full.found.includes(`MiB free for ${small}`)], ["fault", true]);
  assert.match(full.advice, /or move BACKUP_TO to another one/);
  execFileSync("mount", ["-o", "remount,ro", disk]);
  const closed = await state(disk);
  assert.equal(closed.status, "fault");
  assert.match(closed.found, /is on a disk that cannot be written to/);
  const below = await state(join(disk, "not", "there"));
  assert.deepEqual([below.status, below.found], ["fault", closed.found]);
});

test("a check that says nothing about a backup keeps its earlier mark; one that finds it broken removes it", {
  skip: onlyComplete,
}, async (t) => {
  const { place, folder, env } = await filled(t, 3);
  const { name } = await good(env, "backup");
  const { verifiedAt } = await good(env, "backup", "verify", "--sqlite");
  const markNow = async () => (await good(env, "backup", "list")).backups[0].verifiedAt;
  const { PARLEY_SECRET: _, ...keyless } = env;
  // Another data folder: without a key in it.
  const elsewhere = { ...keyless, DATA_DIR: join(place.dataDir, "elsewhere") };
  // With PostgreSQL the settings demand a key, before anything looks for its file.
  const keyMissing =
    env.DATABASE_URL === undefined
      ? /needs the sealing key of the backup/
      : /PARLEY_SECRET is not set/;
  const says: [env: Environment, args: string[], error: RegExp][] = [
    [env, ["--recordings"], /has no recordings.* Verify it without --recordings/],
    [elsewhere, [], keyMissing],
    [{ ...env, PARLEY_SECRET: "cd".repeat(32) }, [], /key/],
  ];
  for (const [environment, args, error] of says) {
    assert.match(await bad(environment, "backup", "verify", "--sqlite", ...args), error);
    assert.equal(await markNow(), verifiedAt, `${error}`);
  }
  const breaks: [file: string, edit: (text: string) => string, error: RegExp][] = [
    [`${name}.json`, (text) => text.replace('"rooms": 3', '"rooms": 4'), /has 3 rows, not 4/],
    [`${name}.json`, () => "{}", /is damaged/],
    [`${name}.db`, (text) => text.slice(1), /is damaged: its SHA-256/],
  ];
  for (const [file, edit, error] of breaks) {
    await good(env, "backup", "verify", "--sqlite");
    const kept = readFileSync(join(folder, file), "latin1");
    assert.notEqual(edit(kept), kept);
    writeFileSync(join(folder, file), edit(kept), "latin1");
    assert.match(await bad(env, "backup", "verify", "--sqlite"), error);
    writeFileSync(join(folder, file), kept, "latin1");
    assert.equal(await markNow(), null, `${error}`);
  }
});

test("P-OPS-9: a history that was altered does not pass the check of its backup", async (t) => {
  const { place, env } = await filled(t, 3);
  const { opened } = await import("./rows.ts");
  await opened(place, (database) =>
    database.change((tx) =>
      tx
        .updateTable("history")
        .set({ facts: '{"room":"room-9"}' })
        .where("number", "=", 1)
        .execute(),
    ),
  );
  await good(env, "backup");
  assert.match(await bad(env, "backup", "verify"), /The history of .* is broken at entry 1/);
});

test("without the right to create databases, the check names it, and works in a file", {
  skip: !onPostgres && "needs PostgreSQL",
}, async (t) => {
  const { place, env } = await filled(t, 3);
  const ordinary = { ...env, ...environmentOf(place) };
  await good(ordinary, "backup");
  assert.match(await bad(ordinary, "backup", "verify"), /role parley .*alter role parley createdb/);
  assert.equal((await good(ordinary, "backup", "verify", "--sqlite")).scratch, "sqlite");
  const away = { ...ordinary, DATABASE_URL: "postgres://u:p@127.0.0.1:9/d" };
  assert.match(await bad(away, "backup", "verify"), /cannot be reached .*ECONNREFUSED/);
});

test("doctor says where there is no backup, an old one, or none that was verified", async (t) => {
  const { folder, env } = await filled(t, 3);
  const state = async (more: Environment = {}) => {
    const { value } = await parley({ ...env, RECORDERS: "0", ...more }, "doctor");
    const { status, found, advice } = value.checks.find(
      ({ name }: { name: string }) => name === "backups",
    );
    return `${status}: ${found} ${advice}`;
  };
  assert.match(await state({ BACKUP_TO: "" }), /^note: BACKUP_TO is not set/);
  assert.match(await state(), /^fault: There is none in .* yet/);
  await mkdir(folder, { recursive: true });
  const { name } = await good(env, "backup");
  assert.match(await state(), /^note: .*less than an hour old; none was verified/);
  await good(env, "backup", "verify");
  age(folder, name, 3);
  assert.match(await state(), /^fault: the newest in .* is 3 days old/);
  assert.match(
    await state({ BACKUP_TO: "s3://other/x" }),
    /^fault: For s3:\/\/other\/x\/, set BACKUP_S3/,
  );
});

test("a place, and what is kept there, are given in their own words", async (t) => {
  const { env } = await filled(t, 1);
  const usage: [args: string[], error: RegExp][] = [
    [["backup", "file.db", "--recordings"], /A FILE has the database alone/],
    [["backup", "file.db", "--keep-daily", "7"], /A FILE has the database alone/],
    [["backup", "--force"], /--force needs FILE/],
    [["backup", "--keep-daily", "0"], /--keep-daily is .*; accepted: a whole number from 1/],
    [["backup", "--to", ""], /--to is .*accepted: the path of a folder, or a bucket/],
    [["backup", "--to", "https://host/bucket"], /accepted: the path of a folder, or a bucket/],
    [["backup", "--to", "s3://key:SENTINEL@host"], /accepted: the path of a folder, or a bucket/],
    [["restore", "file.db", "--recordings"], /--recordings needs the name of a backup/],
  ];
  for (const [args, error] of usage) {
    const { code, said } = await parley(env, ...args);
    assert.equal(code, 2, said);
    assert.match(said, error);
  }
  const placeless = { ...env, BACKUP_TO: "" };
  assert.match(await bad(placeless, "backup"), /give FILE or --to PLACE, or set BACKUP_TO\./);
  for (const words of [
    ["backup", "list"],
    ["backup", "verify"],
    ["restore", "latest"],
  ]) {
    assert.match(await bad(placeless, ...words), /give --from PLACE, or set BACKUP_TO\./);
  }
  assert.match(await bad(env, "backup", "verify"), /There is no backup in .* yet/);
  assert.match(await bad(env, "restore", nameBefore(1), "--yes"), /no whole backup .*backup list/);
});
