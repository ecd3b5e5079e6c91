// Runs: sqlite, complete

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, chownSync } from "node:fs";
import { chown, mkdir, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import { readSettings } from "../../server/cli/settings-file.ts";
import { emptyPlace } from "../world/empty-database.ts";
import { begin, type Environment, environmentOf, failure, run } from "./run.ts";

const isRoot = process.getuid?.() === 0;
const folderOf = async (t: TestContext, parent = tmpdir()): Promise<string> => {
  const folder = await mkdtemp(join(parent, "parley-settings-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
};

/** A line, and its meaning to Node and to systemd (systemd.exec(5), EnvironmentFile=). */
const ordinary: readonly [line: string, value: string][] = [
  ["A=plain", "plain"],
  ["A=Meetings <meet@example.org>", "Meetings <meet@example.org>"],
  [
    "A=postgres://u:p%40%23w@db.example.org/parley?a=b&c=d",
    "postgres://u:p%40%23w@db.example.org/parley?a=b&c=d",
  ],
  ["A=a$b$HOME", "a$b$HOME"],
  ["A=trailing  ", "trailing"],
  ["A=", ""],
  ['A="two words # no comment"', "two words # no comment"],
  ["A='pass#word\"with\\all$of`them'", 'pass#word"with\\all$of`them'],
  ['A="it\'s"', "it's"],
  ["# A=comment\nA=after\n", "after"],
  ["A=windows\r\nB=x\r\n", "windows"],
];

for (const [line, expected] of ordinary) {
  test(`a settings file with ${JSON.stringify(line)} means ${JSON.stringify(expected)}`, async (t) => {
    const file = join(await folderOf(t), "env");
    await writeFile(file, line);
    assert.equal(readSettings({}, file).environment.A, expected);
  });
}

/** Lines that Node or systemd would read as something other than their literal text. */
const doubtful = [
  "A=pass#word",
  "A=1 # comment",
  'A="a"b',
  "A=a\\b",
  'A="a\\nb"',
  "A=`a`",
  "A='two\nlines'",
  "export A=1",
  "A = 1",
  "A",
  "; comment",
  "A=1\rC=2",
  "\u00a0A=1",
];

for (const line of doubtful) {
  test(`a settings file with ${JSON.stringify(line)} is refused by its line`, async (t) => {
    const file = join(await folderOf(t), "env");
    await writeFile(file, `B=1\n\n${line}\n`);
    const error = await failure(1, {}, "config", "--env-file", file);
    assert.match(error, new RegExp(`^Line 3 of ${file} is not NAME=value\\.`));
    assert.doesNotMatch(error, /pass#word/);
  });
}

test("a settings file with a byte order mark is refused: it would hide the first setting", async (t) => {
  const file = join(await folderOf(t), "env");
  await writeFile(file, "\ufeffDATA_DIR=/elsewhere\n");
  const error = await failure(1, {}, "config", "--env-file", file);
  assert.equal(error, `${file} begins with a byte order mark. Save it as UTF-8 without one.`);
});

test("the environment takes precedence, then one file: --env-file, PARLEY_ENV_FILE, .env, the system's", async (t) => {
  const folder = await folderOf(t);
  const [given, named, local] = ["given", "named", ".env"].map((name) => join(folder, name));
  const system = join(folder, "system");
  for (const file of [given, named, local, system]) {
    await writeFile(file ?? "", `PORT=1\nHOST=${file}\n`);
  }
  t.after(() => process.chdir(before));
  const before = process.cwd();
  process.chdir(folder);
  const read = (env: Record<string, string>, file?: string) => {
    const { environment, file: from } = readSettings(env, file, system);
    return [environment.PORT, from];
  };
  assert.deepEqual(read({ PORT: "2", PARLEY_ENV_FILE: named ?? "" }, given), ["2", given]);
  assert.deepEqual(read({ PARLEY_ENV_FILE: named ?? "" }), ["1", named]);
  assert.deepEqual(read({}), ["1", local]);
  await rm(local ?? "");
  assert.deepEqual(read({}), ["1", system]);
  await rm(system);
  assert.deepEqual(read({}), [undefined, undefined]);
  assert.throws(
    () => read({ PARLEY_ENV_FILE: "/nowhere/parley.env" }),
    /There is no settings file \/nowhere\/parley\.env\./,
  );
});

test("only start, migrate, restore and copy create a database", async (t) => {
  const folder = await folderOf(t);
  const env = { DATA_DIR: join(folder, "data") };
  for (const words of [
    "org create Acme",
    "org list",
    "org set Acme --plan x",
    "access-key create --org A",
    "user create-admin --org A --email a@b.org --name A",
    "user reset-password a@b.org",
    "seed --org A --rooms 1 --users 1",
    "backup x.db",
  ]) {
    assert.match(await failure(1, env, ...words.split(" ")), /"parley start" makes it/, words);
  }
  const doctor = await run(env, "doctor");
  assert.match(doctor.out, /Nothing is wrong, but there is no database here yet\.\n$/);
  assert.deepEqual(await readdir(folder), []);
});

const nobody = isRoot ? Number(execFileSync("id", ["-u", "nobody"], { encoding: "utf8" })) : 0;

/** Every file and folder below a folder that does not belong to the folder's owner. */
const strangersIn = async (folder: string): Promise<string[]> => {
  const names = await readdir(folder, { recursive: true });
  const found = await Promise.all(
    names.map(async (name) => ({ name, uid: (await stat(join(folder, name))).uid })),
  );
  return found.filter(({ uid }) => uid !== nobody).map(({ name }) => name);
};

/** Runs a command as a process: files are given to their owner when it ends. */
const ended = async (env: Environment, ...args: string[]): Promise<void> => {
  const { code, err } = await run(env, ...args);
  assert.equal(code, 0, err);
};

test("files that root creates in the data folder belong to the folder's owner", {
  skip: isRoot ? false : "only root can show it",
}, async (t) => {
  const { dataDir, ...place } = await emptyPlace(t);
  await chown(dataDir, nobody, nobody);
  const env = environmentOf({ ...place, dataDir });
  const { PARLEY_SECRET: _, ...without } = env;
  await ended(without, "migrate");
  await ended(without, "mail", "test", "ann@example.org");
  const service = begin(without, ["start", "--json"]);
  t.after(() => service.child.kill("SIGKILL"));
  while (!service.out().includes("openApi")) await new Promise(setImmediate);
  assert.deepEqual(await strangersIn(dataDir), []);
  service.child.kill("SIGTERM");
  await service.ended;
  await ended(without, "backup", join(dataDir, "saved.db"));
  assert.deepEqual(await strangersIn(dataDir), []);
  const other = join(await folderOf(t), "data");
  await mkdir(other);
  await chown(other, nobody, nobody);
  await ended(without, "copy", "--to", `sqlite:${other}`);
  assert.ok((await readdir(other)).includes("parley.db"));
  assert.deepEqual(await strangersIn(other), []);
});

test("a link to a root file elsewhere does not change that file's owner", {
  skip: isRoot ? false : "only root can show it",
}, async (t) => {
  const folder = await folderOf(t);
  const dataDir = join(folder, "data");
  await mkdir(dataDir);
  await writeFile(join(folder, "roots"), "x");
  execFileSync("ln", [join(folder, "roots"), join(dataDir, "hard")]);
  execFileSync("ln", ["-s", join(folder, "roots"), join(dataDir, "soft")]);
  await chown(dataDir, nobody, nobody);
  await ended({ DATA_DIR: dataDir }, "mail", "test", "ann@example.org");
  assert.equal((await stat(join(folder, "roots"))).uid, 0);
  assert.equal((await stat(join(dataDir, "mail"))).uid, nobody);
});

const wrapper = fileURLToPath(new URL("../../deploy/parley", import.meta.url));

/** Runs a command as nobody. */
const asNobody = (envFile: string, ...args: string[]) => asNobodyIn("/", envFile, ...args);

const asNobodyIn = (cwd: string, envFile: string, ...args: string[]) =>
  spawnSync(wrapper, args, {
    env: { PATH: process.env.PATH, PARLEY_USER: "nobody", PARLEY_ENV_FILE: envFile },
    cwd,
    encoding: "utf8",
  });

/** A folder that everybody may enter, with the data of nobody; the folder of the tests is for their own user only. */
const folderOfNobody = async (t: TestContext) => {
  const folder = await folderOf(t, "/var/tmp");
  chmodSync(folder, 0o755);
  const dataDir = join(folder, "data");
  await mkdir(dataDir, { mode: 0o700 });
  chownSync(dataDir, nobody, nobody);
  return { folder, dataDir };
};

test("doctor notes a data folder that others can look into and that this user cannot close", {
  skip: isRoot ? false : "only root can become somebody else",
}, async (t) => {
  const folder = await folderOf(t, "/var/tmp");
  chmodSync(folder, 0o755);
  // As a Kubernetes volume with fsGroup.
  const dataDir = join(folder, "data");
  await mkdir(dataDir);
  chmodSync(dataDir, 0o2777);
  const file = join(folder, "parley.env");
  await writeFile(file, `DATA_DIR=${dataDir}\nRECORDERS=0\n`);
  const { checks } = JSON.parse(asNobody(file, "doctor", "--json").stdout);
  const found = checks.filter(({ name }: { name: string }) => name === "data folder");
  assert.deepEqual(
    found.map(({ status }: { status: string }) => status),
    ["ok", "note"],
  );
  assert.match(found[1].found, /belongs to another user \(0\)/);
  assert.doesNotMatch(found[1].advice, /chmod/);
});

test("a file that was given where this user may not write asks for another path, and not for DATA_DIR", {
  skip: isRoot ? false : "only root can become somebody else",
}, async (t) => {
  const { folder, dataDir } = await folderOfNobody(t);
  const file = join(folder, "parley.env");
  await writeFile(file, `DATA_DIR=${dataDir}\n`);
  assert.equal(asNobody(file, "migrate").status, 0);
  const given = asNobody(file, "backup", join(folder, "before.db"));
  assert.equal(given.status, 1);
  assert.ok(
    given.stderr.includes(
      `${folder} may not be used by this user. Run this as the user that owns it, or give another path.`,
    ),
    given.stderr,
  );
  await writeFile(file, `DATA_DIR=${folder}/no/data\n`);
  assert.match(
    asNobody(file, "start").stderr,
    /may not be used by this user\. Run this as the user that owns it, or set DATA_DIR\./,
  );
});

test("root restores the newest backup from a folder that the service's user may not enter", {
  skip: isRoot ? false : "only root can become somebody else",
}, async (t) => {
  const folder = await folderOf(t, "/var/tmp");
  chmodSync(folder, 0o755);
  const [dataDir, kept] = [join(folder, "data"), join(folder, "kept")];
  for (const owned of [dataDir, kept]) {
    await mkdir(owned, { mode: 0o700 });
    chownSync(owned, nobody, nobody);
  }
  const file = join(folder, "parley.env");
  await writeFile(
    file,
    `DATA_DIR=${dataDir}\nBACKUP_TO=${kept}\nPARLEY_SECRET=${"ab".repeat(32)}\n`,
  );
  assert.equal(asNobody(file, "migrate").status, 0);
  assert.equal(asNobody(file, "org", "create", "Acme").status, 0);
  assert.equal(asNobody(file, "backup").status, 0);
  const home = await folderOf(t);
  const restored = asNobodyIn(home, file, "restore", "--force", "latest");
  assert.equal(restored.status, 0, restored.stderr);

  const roots = join(home, "roots.db");
  await writeFile(roots, "", { mode: 0o600 });
  chmodSync(home, 0o755);
  const unreadable = asNobody(file, "restore", "--force", roots);
  assert.match(unreadable.stderr, /roots\.db may not be used by this user\. Run this as the user/);

  chownSync(kept, 0, 0);
  const refused = asNobody(file, "backup");
  assert.ok(refused.stderr.includes(`${kept} may not be used by this user.`), refused.stderr);
});

test("a settings file that is missing is reported by Parley, and not by Node", () => {
  const program = fileURLToPath(new URL("../../parley.js", import.meta.url));
  const nowhere = join(tmpdir(), "nowhere", "parley.env");
  const { PATH } = process.env;
  for (const [command, env] of [
    [program, { PATH }],
    [wrapper, { PATH, PARLEY_USER: execFileSync("id", ["-un"], { encoding: "utf8" }).trim() }],
  ] as const) {
    const options = { env, encoding: "utf8" } as const;
    const { status, stderr } = spawnSync(command, ["config", "--env-file", nowhere], options);
    assert.equal(status, 1, stderr);
    assert.match(stderr, /^parley: There is no settings file .*parley\.env\.\n$/);
  }
});

test("the wrapper runs as the service's user, with the service's settings", {
  skip: isRoot ? false : "only root can become somebody else",
}, async (t) => {
  const { folder, dataDir } = await folderOfNobody(t);
  await writeFile(join(folder, "parley.env"), `DATA_DIR=${dataDir}\n`);
  const { status, stderr } = asNobody(join(folder, "parley.env"), "migrate");
  assert.equal(status, 0, stderr);
  assert.ok(
    stderr.includes(`Database: ${dataDir}/parley.db. Settings: ${folder}/parley.env.`),
    stderr,
  );
  assert.deepEqual(await strangersIn(dataDir), []);
});
