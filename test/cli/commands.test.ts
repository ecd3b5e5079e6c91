// Runs: sqlite

import assert from "node:assert/strict";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { verifyPassword } from "../../server/access/passwords.ts";
import { migrate } from "../../server/db/migrate.ts";
import { openDatabase } from "../../server/db/open.ts";
import { letterIn, letterTo } from "../letters/mailbox.ts";
import { create } from "../users/people.ts";
import { emptyPlace } from "../world/empty-database.ts";
import { startSink } from "../world/sink.ts";
import { startWorld } from "../world/world.ts";
import { begin, environmentOf, failure, run, startFailure, value } from "./run.ts";

const emptyEnvironment = async (t: TestContext) => environmentOf(await emptyPlace(t));

/** A place whose tables exist before its first start. */
const migratedPlace = (t: TestContext) => emptyPlace(t, { migrated: true });
const migratedEnvironment = async (t: TestContext) => environmentOf(await migratedPlace(t));

test("org create works before the first start, and prints what it created", async (t) => {
  const env = await migratedEnvironment(t);
  const { id, createdAt, ...made } = await value(
    env,
    ...["org", "create", "Acme", "--plan", "gold", "--max-rooms", "3", "--max-users", "none"],
  );
  assert.match(id, /^[0-9a-f-]{36}$/);
  assert.ok(Math.abs(Date.parse(createdAt) - Date.now()) < 60_000);
  const limits = { rooms: 3, users: null };
  const plain = { name: "Acme", plan: "gold", limits, used: { rooms: 0, users: 0 } };
  assert.deepEqual(made, plain);
  assert.deepEqual(await value(env, "org", "list"), [{ id, ...plain, createdAt }]);
  const { out } = await run(env, "org", "list");
  assert.equal(
    out,
    `ID${" ".repeat(36)}NAME  PLAN  ROOMS   PEOPLE\n${id}  Acme  gold  0 of 3  0 of any\n`,
  );
});

test("files that the command line makes are readable by their owner only", async (t) => {
  const place = await emptyPlace(t);
  const dataDir = join(place.dataDir, "new", "data");
  await value({ ...environmentOf(place), DATA_DIR: dataDir }, "migrate");
  assert.equal((await stat(dataDir)).mode & 0o777, 0o700);
  assert.equal((await stat(join(dataDir, "parley.db"))).mode & 0o777, 0o600);
});

test("the name of an organization is one visible line, and prints as such", async (t) => {
  const place = await migratedPlace(t);
  const env = environmentOf(place);
  for (const name of ["a\nb", "\u202eAcme", "\x1b[31mAcme", "\u200b", " \u2060 "]) {
    const { code, err } = await run(env, "org", "create", name);
    assert.deepEqual([code, /NAME has 1 to 200 characters/.test(err)], [2, true], err);
  }
  const { id } = await value(env, "org", "create", "Acme");
  const database = await openDatabase(place);
  const name = "Ac\x1b[2J\u202e\nme";
  await database.change((tx) => tx.updateTable("organizations").set({ name }).execute());
  await database.close();
  const { out } = await run(env, "org", "list");
  assert.equal(out.split("\n").length, 3);
  assert.ok(out.includes(`${id}  Ac\\u001b[2J\\u202e\\u000ame`), out);
  assert.equal((await value(env, "org", "list"))[0].name, name);
});

test("names that differ only in case are the same", async (t) => {
  const env = await migratedEnvironment(t);
  await value(env, "org", "create", "Acme");
  await value(env, "org", "create", "Other");
  assert.match(await failure(1, env, "org", "create", "ACME"), /already called "ACME"/);
  assert.match(
    await failure(1, env, "org", "set", "Other", "--name", "acme"),
    /already called "acme"/,
  );
});

test("org set changes only the given settings", async (t) => {
  const place = await migratedPlace(t);
  const env = environmentOf(place);
  const made = await value(env, "org", "create", "Acme", "--plan", "gold", "--max-rooms", "3");
  const renamed = await value(env, "org", "set", made.id, "--name", "Acme Europe");
  assert.deepEqual(renamed, { ...made, name: "Acme Europe" });
  const wider = await value(
    env,
    "org",
    "set",
    "acme europe",
    "--max-rooms",
    "none",
    "--plan",
    "none",
  );
  const limits = { rooms: null, users: null };
  assert.deepEqual(wider, { ...renamed, plan: null, limits });
  const speech = (tag: string) => ["org", "set", made.id, "--speech-language", tag];
  await value(env, ...speech("de"));
  const database = await openDatabase(place);
  t.after(() => database.close());
  const { settings } = await database.read
    .selectFrom("organizations")
    .select("settings")
    .executeTakeFirstOrThrow();
  assert.equal(JSON.parse(settings).speechLanguage, "de");
  assert.match(await failure(2, env, ...speech("klingon")), /a language of Whisper/);
  assert.match(
    await failure(1, env, "org", "set", "Acme", "--plan", "x"),
    /no organization "Acme"/,
  );
});

test("access keys are created, listed and removed", async (t) => {
  const env = await migratedEnvironment(t);
  const { id } = await value(env, "org", "create", "Acme");
  const made = await value(env, "access-key", "create", "--org", "Acme");
  assert.match(made.accessKey, new RegExp(`^${id}-\\d+-\\d+$`));
  assert.match(made.secretAccessKey, /^[0-9a-f]{64}$/);
  const { accessKey, createdAt } = made;
  const first = { accessKey, createdAt, name: "", scope: "everything", expiresAt: null };
  assert.deepEqual(await value(env, "access-key", "list", "--org", id), [
    { ...first, lastUsedAt: null },
  ]);
  const limited = ["--name", "Booking", "--scope", "rooms", "--expires", "2999-01-01T00:00:00Z"];
  const second = await value(env, "access-key", "create", "--org", id, ...limited);
  assert.deepEqual(
    [second.name, second.scope, second.expiresAt],
    ["Booking", "rooms", "2999-01-01T00:00:00.000Z"],
  );
  const { out } = await run(env, "access-key", "list", "--org", id);
  assert.match(out, /^ACCESS KEY +NAME +SCOPE +CREATED +ENDS +LAST SIGN-IN\n/);
  assert.match(out, /Booking +rooms +20\S+ +2999-01-01T00:00:00.000Z +-\n?$/);
  await value(env, "access-key", "remove", second.accessKey);
  const wrong = (...more: string[]) => ["access-key", "create", "--org", id, ...more];
  assert.match(await failure(2, env, ...wrong("--scope", "write")), /--scope must be one of read/);
  const past = await failure(1, env, ...wrong("--expires", "2020-01-01T00:00:00Z"));
  assert.match(past, /--expires must be in the future\./);
  const removed = await value(env, "access-key", "remove", accessKey);
  assert.deepEqual(removed, { accessKey, removed: true });
  assert.match(await failure(1, env, "access-key", "remove", accessKey), /There is no access key/);
  assert.deepEqual(await value(env, "access-key", "list", "--org", id), []);
});

test("an administrator is created, with a given password or one that is shown once", async (t) => {
  const place = await migratedPlace(t);
  const env = environmentOf(place);
  await value(env, "org", "create", "Acme", "--max-users", "2");
  const create = ["user", "create-admin", "--org", "Acme", "--name", "Ann Lee", "--email"];
  const { password, ...ann } = await value(env, ...create, "ann@example.org");
  assert.match(ann.username, /^ann_lee_\d{6}$/);
  assert.equal(password.length, 24);
  const given = begin(
    env,
    [...create, "bo@example.org", "--password-stdin", "--json"],
    "a fine long password\n",
  );
  const { code, out } = await given.ended;
  assert.equal(code, 0);
  assert.equal(JSON.parse(out).password, null);
  assert.doesNotMatch(out, /fine long/);

  const database = await openDatabase(place);
  const rows = await database.read.selectFrom("users").selectAll().orderBy("email").execute();
  await database.close();
  const opens = rows.map(({ password_digest }, at) =>
    verifyPassword(password_digest, [password, "a fine long password"][at] ?? "", { known: "" }),
  );
  assert.deepEqual(await Promise.all(opens), [true, true]);
  assert.deepEqual(
    rows.map(({ admin }) => admin),
    [true, true],
  );

  assert.match(
    await failure(1, env, ...create, "cy@example.org"),
    /as many people as its plan allows \(2\)/,
  );
  await value(env, "org", "set", "Acme", "--max-users", "none");
  assert.match(await failure(1, env, ...create, "ANN@example.org"), /email of an account already/);
});

const weak: [input: string, error: RegExp][] = [
  ["", /has 0 characters; accepted: 15 to 256/],
  ["short\n", /has 5 characters/],
  ["passwordpassword\n", /most common/],
  ["ann lee ann lee\n", /must not be the name/],
];

for (const [input, error] of weak) {
  test(`the password ${JSON.stringify(input)} on standard input is refused`, async (t) => {
    const env = await migratedEnvironment(t);
    await value(env, "org", "create", "Acme");
    const args = ["--org", "Acme", "--name", "Ann Lee", "--email", "ann@example.org"];
    const { ended } = begin(env, ["user", "create-admin", ...args, "--password-stdin"], input);
    const { code, out, err } = await ended;
    assert.equal(code, 1);
    assert.equal(out, "");
    assert.match(err, error);
  });
}

test("mail test writes a letter to the folder if there is no mail server", async (t) => {
  const env = await emptyEnvironment(t);
  const { target, ...rest } = await value(env, "mail", "test", "ann@example.org");
  assert.deepEqual(rest, { address: "ann@example.org", delivered: true });
  assert.equal(target, join(env.DATA_DIR ?? "", "mail"));
});

test("mail test says why a mail server refused a letter", async (t) => {
  const env = { ...(await emptyEnvironment(t)), SMTP_URL: "smtp://u:SENTINEL@127.0.0.1:9" };
  const error = await failure(1, env, "mail", "test", "ann@example.org");
  assert.match(error, /127\.0\.0\.1:9 did not accept the email: .*Check SMTP_URL\./);
  assert.doesNotMatch(error, /SENTINEL/);
});

test("mail test says what the mail server rejects, and how to fix it", async (t) => {
  const sink = await startSink();
  t.after(() => sink.stop());
  const env = { ...(await emptyEnvironment(t)), SMTP_URL: sink.url };
  const test = () => failure(1, env, "mail", "test", "ann@example.org");
  sink.fate = (stage) => (stage === "sender" ? { code: 550, text: "5.7.60 No" } : undefined);
  assert.match(await test(), /does not accept the sender .* 550 5\.7\.60 No .*MAIL_FROM/);
  const plain = `smtps://127.0.0.1:${sink.port}`;
  const { err } = await run({ ...env, SMTP_URL: plain }, "mail", "test", "ann@example.org");
  assert.match(err, /answers, but not with the encryption that SMTP_URL requires/);
  assert.doesNotMatch(err, /cannot be reached/);
});

test("mail retry retries the refused emails of all organizations", async (t) => {
  const sink = await startSink();
  t.after(() => sink.stop());
  const world = await startWorld(t, { environment: { SMTP_URL: sink.url } });
  sink.fate = (stage) => (stage === "recipient" ? { code: 550, text: "5.1.1 No" } : undefined);
  const people = [];
  for (const name of ["One", "Other"]) {
    const { ask } = await world.organization(name);
    const person = await create(ask);
    await letterIn(ask, person.id, "refused");
    people.push(person);
  }
  sink.fate = () => undefined;
  assert.deepEqual(await value(world.environment, "mail", "retry"), { retried: 2 });
  for (const { email } of people) await letterTo(sink, email);
});

test("migrate creates the tables once", async (t) => {
  const env = await emptyEnvironment(t);
  const { applied } = await value(env, "migrate");
  assert.ok(applied.length > 0);
  assert.deepEqual(await value(env, "migrate"), { applied: [] });
  assert.equal((await run(env, "migrate")).out, "The database is up to date.\n");
});

test("a command without an existing database says so and creates nothing", async (t) => {
  const place = await emptyPlace(t);
  const dataDir = join(place.dataDir, "elsewhere");
  const env = { ...environmentOf(place), DATA_DIR: dataDir };
  for (const words of [
    "org create Acme",
    "org list",
    "access-key list --org A",
    "user reset-password a@b.org",
  ]) {
    assert.match(await failure(1, env, ...words.split(" ")), /"parley start"/);
  }
  await assert.rejects(stat(dataDir), { code: "ENOENT" });
});

test("the database of a newer Parley is not touched", async (t) => {
  const place = await emptyPlace(t);
  const env = environmentOf(place);
  const database = await openDatabase(place);
  t.after(() => database.close());
  await migrate(database);
  const at = new Date().toISOString();
  const mark = (name: string) =>
    database.change((tx) =>
      tx
        .insertInto("kysely_migration" as never)
        .values({ name, timestamp: at } as never)
        .execute(),
    );
  await mark("9999-later");
  const newer = /newer Parley: it has 9999-later/;
  for (const words of ["org list", "migrate", "org create Acme"]) {
    assert.match(await failure(1, env, ...words.split(" ")), newer);
  }
  assert.match(await startFailure(1, env), newer);
});

test("a saved digest of the history is verified against the chain", async (t) => {
  const env = await migratedEnvironment(t);
  await value(env, "org", "create", "Acme");
  const verify = (...more: readonly string[]) => ["history", "verify", "Acme", ...more] as const;
  const { digest } = await value(env, ...verify());
  await value(env, "access-key", "create", "--org", "Acme");
  const { entries } = await value(env, ...verify("--digest", digest));
  assert.ok(entries >= 2);
  const other = digest.replace(/^./, digest.startsWith("0") ? "1" : "0");
  assert.match(await failure(1, env, ...verify("--digest", other)), /no entry with the digest/);
});

test("a command whose work never ends fails, and says so", async (t) => {
  const never = `import fs from "node:fs/promises";
    import { syncBuiltinESMExports } from "node:module";
    fs.readFile = () => new Promise(() => {});
    syncBuiltinESMExports();`;
  const env = {
    ...(await emptyEnvironment(t)),
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(never)}`,
    PARLEY_ACCESS_KEY: "key",
    PARLEY_SECRET_ACCESS_KEY: "secret",
  };
  const { code, out, err } = await run(env, "import", "--kind", "users", "people.csv");
  assert.deepEqual([code, out], [1, ""]);
  assert.match(err, /^parley: This should not have happened\. .* its work is not done\.\n$/);
});
