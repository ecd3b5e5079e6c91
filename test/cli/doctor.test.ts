// Runs: postgres-first, waits

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { Client } from "pg";
import {
  type CertificateFiles,
  openCertificates,
  servedWith,
  withoutOpenssl,
} from "../world/certificates.ts";
import { emptyPlace, onPostgres } from "../world/empty-database.ts";
import { startSink } from "../world/sink.ts";
import { startWorld } from "../world/world.ts";
import { type Environment, environmentOf, failure, outcome, run, value } from "./run.ts";

/** The environment of a place where the service runs. */
const { environment: used } = await startWorld(test);

interface Diagnosis {
  readonly ok: boolean;
  readonly checks: readonly {
    readonly name: string;
    readonly status: string;
    readonly found: string;
    readonly advice: string | null;
  }[];
}

/** The problems that doctor reports; the exit code must be 1 exactly if there is one. */
const faultsOf = async (env: Environment) => {
  // Without the browser, which the test of a healthy place tries.
  const { code, out, err } = await outcome({ RECORDERS: "0", ...env }, "doctor");
  assert.equal(err, "");
  const { ok, checks }: Diagnosis = JSON.parse(out);
  assert.equal(code, ok ? 0 : 1);
  const faults = checks.filter(({ status }) => status === "fault");
  assert.equal(ok, faults.length === 0);
  for (const { advice } of faults) assert.ok(advice);
  return faults.map(({ name, found, advice }) => `${name}: ${found} ${advice}`);
};

test("doctor finds no problems in a healthy installation", async () => {
  const { checks }: Diagnosis = await value(used, "doctor");
  const names = ["Node", "settings", "public address", "data folder", "database"];
  assert.deepEqual(
    checks.map(({ name }) => name),
    [
      ...names,
      "migrations",
      "sealing key",
      "mail server",
      "media engine",
      "speech engine",
      "recording",
      ...(onPostgres ? ["store of recordings"] : []),
      "backups",
      "free disk",
    ],
  );
  // Without the browser, which has been tried before.
  const full: Diagnosis = await value({ ...used, RECORDERS: "0" }, "doctor", "--full");
  assert.equal(full.ok, true);
  const { code, out } = await run({ ...used, RECORDERS: "0" }, "doctor");
  assert.equal(code, 0);
  assert.match(out, onPostgres ? /^ok +database +PostgreSQL \d+/m : /^ok +database +SQLite in /m);
  assert.match(out, /Nothing is wrong\.\n$/);
});

test("doctor changes nothing before the first start, and finds nothing wrong", async (t) => {
  const place = await emptyPlace(t);
  const dataDir = join(place.dataDir, "data");
  const env = { ...environmentOf(place), DATA_DIR: dataDir };
  assert.deepEqual(await faultsOf(env), []);
  await assert.rejects(chmod(dataDir, 0o700), { code: "ENOENT" });
});

test("doctor reports a key that is not the database's", async () => {
  const env = { ...used, PARLEY_SECRET: "1".repeat(64) };
  const [fault, ...more] = await faultsOf(env);
  assert.match(fault ?? "", /^sealing key: PARLEY_SECRET does not open .* Use the key/);
  assert.deepEqual(more, []);
});

test("doctor reports who else can read the data folder", async () => {
  const { DATA_DIR = "" } = used;
  await chmod(DATA_DIR, 0o755);
  const [fault, ...more] = await faultsOf(used);
  await chmod(DATA_DIR, 0o700);
  assert.equal(
    fault,
    `data folder: Other users of this machine can look into ${DATA_DIR}. chmod 700 ${DATA_DIR}`,
  );
  assert.deepEqual(more, []);
});

test("doctor reports a data folder that is not a folder", async (t) => {
  const place = await emptyPlace(t);
  const dataDir = join(place.dataDir, "file");
  await writeFile(dataDir, "");
  const faults = await faultsOf({ ...environmentOf(place), DATA_DIR: dataDir });
  assert.match(faults[0] ?? "", /^data folder: .* is not a folder\. Set DATA_DIR/);
});

test("doctor reports a mail server that does not answer", async () => {
  const env = { ...used, SMTP_URL: "smtp://u:SENTINEL@127.0.0.1:9" };
  const [fault, ...more] = await faultsOf(env);
  assert.match(fault ?? "", /^mail server: 127\.0\.0\.1:9: .*ECONNREFUSED.* Check SMTP_URL/);
  assert.doesNotMatch(fault ?? "", /SENTINEL/);
  assert.deepEqual(more, []);
});

test("doctor reports what ffmpeg cannot encode, and the consequences", async (t) => {
  const place = await emptyPlace(t);
  const FFMPEG = join(place.dataDir, "ffmpeg");
  await writeFile(FFMPEG, '#!/bin/sh\nffmpeg "$@" | grep -v libx264\n', { mode: 0o700 });
  const CHROMIUM = join(place.dataDir, "chromium");
  const { checks }: Diagnosis = await value({ ...used, FFMPEG, CHROMIUM }, "doctor");
  const found = checks.flatMap(({ name, status, found }) =>
    name === "recording" ? [`${status}: ${found}`] : [],
  );
  assert.deepEqual(found, [
    "note: There is no Chromium or Google Chrome on this machine. Nothing is recorded.",
    "note: This ffmpeg has no encoder libx264. Recordings are in their largest size only.",
  ]);
});

test("doctor reports a database that does not answer", {
  skip: !onPostgres && "needs PostgreSQL",
}, async (t) => {
  const env = environmentOf(await emptyPlace(t));
  const away = { ...env, DATABASE_URL: "postgres://u:SENTINEL@127.0.0.1:9/d" };
  const faults = await faultsOf(away);
  assert.match(
    faults.join(),
    /^database: The database cannot be reached \(.*ECONNREFUSED.*DATABASE_URL/,
  );
  assert.match(await failure(1, away, "org", "list"), /cannot be reached .*check DATABASE_URL/);
  const url = new URL(env.DATABASE_URL ?? "");
  url.pathname = "nowhere";
  const nowhere = await faultsOf({ ...env, DATABASE_URL: url.href });
  assert.match(
    nowhere.join(),
    /^database: The database refuses: database "nowhere" does not exist\. .*create database NAME owner ROLE/,
  );
  assert.doesNotMatch([...faults, ...nowhere].join(), /SENTINEL/);
});

test("doctor and a start say that the role may not make tables in a database that it does not own", {
  skip: !onPostgres && "needs PostgreSQL",
}, async (t) => {
  const env = environmentOf(await emptyPlace(t));
  const url = new URL(env.DATABASE_URL ?? "");
  const [name, owner] = [url.pathname.slice(1), new URL(process.env.TEST_DATABASE_URL ?? "")];
  owner.pathname = url.pathname;
  const role = `stranger_${randomBytes(6).toString("hex")}`;
  const client = new Client({ connectionString: owner.href });
  await client.connect();
  try {
    await client.query(`create role ${role} login password '${role}'`);
    await client.query(`grant connect on database ${name} to ${role}`);
    await client.query("revoke create on schema public from public");
    Object.assign(url, { username: role, password: role });
    const strange = { ...env, DATABASE_URL: url.href };
    const faults = await faultsOf(strange);
    assert.match(faults.join(), /^rights: .* may not make tables .*alter database NAME owner/);
    assert.match(
      await failure(1, strange, "migrate"),
      /permission denied for schema public\. .*alter database NAME owner to ROLE/,
    );
  } finally {
    await client.query(`drop owned by ${role}`);
    await client.query(`drop role ${role}`);
    await client.end();
  }
});

test("doctor reports a file that is not a database", {
  skip: onPostgres && "needs SQLite",
}, async (t) => {
  const env = environmentOf(await emptyPlace(t));
  await writeFile(join(env.DATA_DIR ?? "", "parley.db"), "no database, surely".repeat(100));
  assert.match(
    (await faultsOf(env)).join(),
    /^database: The database refuses: file is not a database/,
  );
});

test("doctor names every invalid setting", async () => {
  const DATABASE_URL = "postgres://parley:p#SENTINEL@db.example.org/parley";
  const faults = await faultsOf({ PORT: "abc", DATABASE_URL, RATE_LIMIT: "many" });
  assert.equal(faults.length, 4);
  const [port, database, limit, secret] = faults;
  assert.match(port ?? "", /^settings: PORT is "abc"; accepted: .* "parley config"/);
  assert.match(database ?? "", /^settings: DATABASE_URL is .* percent-encode .* # is %23/);
  assert.match(limit ?? "", /^settings: RATE_LIMIT is "many"/);
  assert.match(secret ?? "", /^settings: PARLEY_SECRET is not set/);
  assert.doesNotMatch(faults.join(), /SENTINEL/);
});

test("doctor reports that emails have no real sender address", async (t) => {
  const sink = await startSink();
  t.after(() => sink.stop());
  const env = { ...used, SMTP_URL: sink.url };
  const sender = async (more: Environment) => {
    const { checks }: Diagnosis = await value({ ...env, ...more }, "doctor");
    return checks.find(({ name }) => name === "sender");
  };
  const note = await sender({});
  assert.match(`${note?.found} ${note?.advice}`, /no-reply@localhost.*Set MAIL_FROM/);
  assert.equal(await sender({ MAIL_FROM: "Meetings <meet@example.org>" }), undefined);
});

/** The lines of doctor about one subject. */
const saidAbout = async (env: Environment, about: string): Promise<string[]> => {
  const { out } = await outcome({ RECORDERS: "0", ...env }, "doctor");
  const { checks }: Diagnosis = JSON.parse(out);
  return checks
    .filter(({ name }) => name === about)
    .map(({ status, found, advice }) => `${status}: ${found} ${advice ?? ""}`);
};

test("doctor reports that browsers give no camera, and the remedy", async (t) => {
  const env = environmentOf(await emptyPlace(t));
  assert.deepEqual(await saidAbout(env, "camera"), []);
  const [note] = await saidAbout({ ...env, PUBLIC_URL: "http://meet.example.org" }, "camera");
  assert.match(
    note ?? "",
    /^note: Browsers give no camera .* Set TLS_CERT and TLS_KEY, .* a proxy/,
  );
});

test("doctor shows until when and for which host the certificate is valid, and who else can read its key", {
  skip: withoutOpenssl,
}, async (t) => {
  const { make } = await openCertificates(t);
  const env = { ...environmentOf(await emptyPlace(t)), PUBLIC_URL: "https://localhost" };
  const about = (files: CertificateFiles, more: Environment = {}) =>
    saidAbout({ ...env, ...servedWith(files), ...more }, "certificate");
  const own = make("own");
  const [good, ...more] = await about(own);
  assert.match(good ?? "", /^ok: valid until \d{4}-\d\d-\d\d $/);
  assert.deepEqual(more, []);

  assert.match((await about(make("long", { days: 365 }))).join(), /^ok:/);
  // A certificate for five days has its whole lifetime left.
  assert.match((await about(make("short", { days: 5 }))).join(), /^ok:/);

  const other = await about(own, { PUBLIC_URL: "https://meet.example.org" });
  assert.match(other[1] ?? "", /^note: .* is not for meet\.example\.org, the host of PUBLIC_URL/);

  await chmod(own.key, 0o644);
  assert.match((await about(own))[1] ?? "", /^note: Every user .* can read .*own\.key\. chmod o= /);
  await chmod(own.key, 0o640);
  assert.equal((await about(own)).length, 1);

  const broken = await about({ cert: own.cert, key: make("other").key });
  assert.match(broken.join(), /^fault: TLS_KEY is .*, which is not the key/);
});

test("config shows every setting, and marks wrong ones", async (t) => {
  const { dataDir } = await emptyPlace(t);
  const { settings } = await value(
    { DATA_DIR: dataDir, PARLEY_ADMIN_PASSWORD: "SENTINEL-SENTINEL" },
    "config",
  );
  for (const { name, default: usual, meaning } of settings) assert.ok(name && usual && meaning);
  assert.doesNotMatch(JSON.stringify(settings), /SENTINEL/);
  const { code, out } = await run({ PORT: "abc" }, "config");
  assert.equal(code, 1);
  assert.match(out, /^PORT {2}abc \(default: 3000\)$/m);
  assert.match(out, /^WRONG: PORT is "abc"; accepted: a whole number from 0 to 65535\.$/m);
});

const wrong: [name: string, value: string][] = [
  ["HOST", "a b"],
  ["PORT", "70000"],
  ["DATABASE_URL", "mysql://user:SENTINEL@host/d"],
  ["PUBLIC_URL", "https://user:SENTINEL@host"],
  ["TRUST_PROXY", "yes"],
  ["SMTP_URL", "http://user:SENTINEL@host"],
  ["MAIL_FROM", "Parley"],
  ["MAIL_RETRY_SECONDS", "0"],
  ["LOG_LEVEL", "loud"],
  ["PARLEY_SECRET", "SENTINEL"],
  ["PARLEY_ADMIN_EMAIL", "nobody"],
  ["PARLEY_ADMIN_PASSWORD", "SENTINEL"],
];

test("an invalid setting ends the start in one line that shows no secret", async () => {
  for (const [name, text] of wrong) {
    const error = await failure(1, { [name]: text }, "start");
    assert.match(error, new RegExp(`^${name} is ".*"; accepted: .*\\.$`));
    assert.doesNotMatch(error, /SENTINEL/);
  }
  const { code, out, err } = await run({ PARLEY_SECRET: "SENTINEL" }, "start");
  assert.deepEqual([code, out], [1, ""]);
  assert.match(err, /^parley: PARLEY_SECRET is ".*"; accepted: .*\.\n$/);
});

test("doctor shows which origins may frame meetings, and what the TURN server needs", async () => {
  const checkOf = async (name: string, more: Environment) => {
    const { out } = await outcome({ ...used, RECORDERS: "0", ...more }, "doctor");
    const { checks }: Diagnosis = JSON.parse(out);
    return checks.filter((check) => check.name === name).map(({ status }) => status);
  };
  assert.deepEqual(await checkOf("embedding", {}), []);
  const secure = { EMBED_ORIGINS: "https://portal.example.org" };
  assert.deepEqual(await checkOf("embedding", secure), ["ok"]);
  const insecure = { EMBED_ORIGINS: "http://portal.example.org" };
  assert.deepEqual(await checkOf("embedding", insecure), ["note"]);
  for (const wrong of ["https://a.example.org/path", "https://a;script-src", "*"]) {
    assert.deepEqual(await checkOf("settings", { EMBED_ORIGINS: wrong }), ["fault"], wrong);
  }
  assert.deepEqual(await checkOf("settings", { TURN: "embedded" }), ["fault"]);
  const named = { TURN: "embedded", MEDIA_ADDRESS: "127.0.0.1" };
  assert.equal((await checkOf("TURN server", named)).length, 1);
});
