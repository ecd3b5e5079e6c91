// Runs: complete

import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import type { HistoryEntry } from "../../contract/history/history.ts";
import { failure, outcome, run, value } from "../cli/run.ts";
import type { TestOrganization } from "../world/tenant.ts";
import { startWorld } from "../world/world.ts";

const source = await startWorld(test);
const target = await startWorld(test);
const folder = await mkdtemp(join(tmpdir(), "parley-import-"));
after(() => rm(folder, { recursive: true }));

/** The environment with which the commands use an access key at a service. */
const keyOf = ({ accessKey: key }: TestOrganization, prefix = "PARLEY") => ({
  [`${prefix}_ACCESS_KEY`]: key.accessKey,
  [`${prefix}_SECRET_ACCESS_KEY`]: key.secretAccessKey,
});

const file = async (name: string, text: string): Promise<string> => {
  const path = join(folder, name);
  await writeFile(path, text);
  return path;
};

test("the command imports a file, after a dry run that changes nothing", async () => {
  const tenant = await target.tenant();
  const env = { ...keyOf(tenant), PUBLIC_URL: target.url };
  const people = await file(
    "people.csv",
    "email,name\nclia@example.org,A\nwrong,B\nclic@example.org,C",
  );
  const dry = await outcome(env, "import", people, "--kind", "users", "--dry-run");
  assert.equal(dry.code, 1);
  const planned = JSON.parse(dry.out);
  assert.deepEqual(planned.import.plan, { create: 2, change: 0, same: 0, refuse: 1 });
  assert.deepEqual([planned.refused[0].line, planned.refused[0].name], [3, "wrong"]);
  assert.deepEqual((await tenant.ask("listImports")).body.imports, []);
  const none = await outcome(env, "import", people, "--kind", "users", "--all");
  assert.equal(none.code, 1);
  assert.equal((await tenant.ask("fetchUsers", {})).body.users.length, 1);
  const done = await outcome(env, "import", people, "--kind", "users");
  assert.equal(JSON.parse(done.out).import.done.created, 2);
  assert.equal(done.code, 1);
  assert.equal((await tenant.ask("fetchUsers", {})).body.users.length, 3);
  const shown = await run(env, "import", people, "--kind", "users", "--dry-run");
  assert.match(
    shown.out,
    /As it was +2\n[\s\S]*line 3 \(wrong\): email must be[\s\S]*Nothing was done/,
  );

  assert.match(await failure(1, {}, "import", people, "--kind", "users"), /Set PARLEY_ACCESS_KEY/);
  assert.match(await failure(2, env, "import", people), /--kind is one of users, rooms/);
  assert.match(await failure(2, env, "import"), /Give FILE or --from URL/);
  assert.match(
    await failure(1, env, "import", "nowhere", "--kind", "rooms"),
    /There is no file nowhere/,
  );
  for (const [flag, ...rest] of [["--all"], ["--kind", "users"], ["--form", "jitsi"]]) {
    const flags = [flag ?? "", ...rest];
    const said = await failure(2, env, "import", "--from", source.url, ...flags);
    assert.match(said, new RegExp(`${flag}: only for FILE`));
  }
  const lines = Array.from({ length: 201 }, (_, n) => `many${n}@example.org,M`);
  const many = await file("many.csv", ["email,name", ...lines].join("\n"));
  const long = await failure(1, env, "import", many, "--kind", "users", "--all");
  assert.match(long, /many\.csv has 201 lines, and --all takes at most 200\. Without --all/);
  const imports = async () => (await tenant.ask("listImports")).body.imports.length;
  assert.equal(await imports(), 2, "of it nothing was sent");
  const wrong = { ...env, PARLEY_SECRET_ACCESS_KEY: "x" };
  assert.match(await failure(1, wrong, "export", "users"), /Invalid access key/);
});

test("an export as CSV or JSON can be imported without changes, with secrets only on request", async () => {
  const tenant = await target.tenant({ users: 3 });
  const env = { ...keyOf(tenant), PUBLIC_URL: target.url };
  const room = {
    name: "=1+1",
    roomAgenda: "two\nlines; 'and' \"more\"",
    roomPassword: "sesame",
    liveStreamUrl: "rtmp://live.test/app/sesame-key",
  };
  await tenant.ask("createRoom", { ...room, room: "x", roomOwnerId: tenant.admin.id });
  await tenant.ask("editUser", {
    userId: tenant.admin.id,
    tags: ["b", "a"],
    location: "-1",
    language: "uk",
  });
  for (const kind of ["users", "rooms"]) {
    for (const format of ["csv", "json"]) {
      const { code, out } = await run(env, "export", kind, "--format", format);
      assert.equal(code, 0);
      assert.doesNotMatch(out, /sesame/);
      const again = await file(`again.${format}`, out);
      const { import: one } = await value(env, "import", again, "--kind", kind);
      assert.deepEqual(
        [one.done, one.ignored],
        [{ created: 0, changed: 0, same: 1, refused: 0 }, []],
      );
    }
  }
  assert.match((await run(env, "export", "rooms", "--secrets")).out, /sesame.*sesame-key/s);
});

test("a running service moves with people, roles, states, rooms, owners and IDs; a second move brings changes", async () => {
  const [from, to] = [await source.tenant(), await target.tenant()];
  const { ask } = from;
  await ask("editUser", { userId: from.admin.id, email: "root@moved.example.org" });
  const env = {
    ...keyOf(to),
    ...keyOf(from, "PARLEY_FROM"),
    PUBLIC_URL: target.url,
  };
  const person = async (name: string, more: object = {}) =>
    (
      await ask("createUser", {
        name,
        email: `${name}@moved.example.org`,
        loginUrl: "https://example.org/",
        ...more,
      })
    ).body.user.id as string;
  const ann = await person("ann", { language: "tr", role: "panelist", tags: ["x"], admin: true });
  const ben = await person("ben", { role: "Old; role" });
  const eve = await person("eve", { location: "Oslo", displayRating: true });
  const settings = { noOfViewers: 70, roomPassword: "sesame", recordingResolutions: ["480p"] };
  await ask("createRoom", {
    name: "Shared",
    room: "s-1",
    roomOwnerId: `${eve},${ann}`,
    ...settings,
  });
  await ask("createRoom", { name: "Of nobody's ID", roomOwnerId: ben, audioStatus: false });
  await ask("suspendRestoreUser", { userId: ben, action: "suspend" });
  const zoe = await person("zoe");
  await ask("revokeUsers", [{ userId: eve }, { userId: zoe }]);

  const dry = await value(env, "import", "--from", source.url, "--dry-run");
  const steps = dry.moved.map((one: Record<string, unknown>) => [one.created, one.waiting]);
  assert.deepEqual(
    [steps, dry.compared],
    [
      [
        [3, 0],
        [2, 0],
        [0, 2],
        [0, 1],
      ],
      null,
    ],
  );
  assert.ok(dry.moved.every(({ refused }: { refused: unknown[] }) => refused.length === 0));
  assert.equal((await to.ask("fetchUsers", {})).body.users.length, 1);

  const first = await outcome(env, "import", "--from", source.url, "--emails");
  assert.equal(first.code, 0, first.out + first.err);
  const moved = JSON.parse(first.out);
  const counted = moved.moved.map((one: { what: string; created: number; changed: number }) => [
    one.what,
    one.created,
    one.changed,
  ]);
  assert.deepEqual(counted, [
    ["People", 3, 0],
    ["Revoked people", 2, 0],
    ["Rooms", 2, 0],
    ["Revocations", 0, 1],
  ]);
  const spoken = { userIds: [ann], withLanguages: true };
  const { languages } = (await to.ask("findUsers", spoken)).body;
  assert.deepEqual(languages, [{ userId: ann, language: "tr" }]);
  const { letters } = (await to.ask("listLetters", {})).body;
  const invited = letters.map(({ recipient }: { recipient: string }) => recipient).toSorted();
  assert.deepEqual(invited, ["ann@moved.example.org", "root@moved.example.org"]);
  const entriesAbout = async (subjectId: string): Promise<readonly HistoryEntry[]> =>
    (await to.ask("listHistory", { subjectId })).body.entries.toReversed();
  const [created, revoked] = await entriesAbout(zoe);
  assert.deepEqual([created?.kind, revoked?.kind], ["userCreated", "userRevoked"]);
  assert.equal(created?.at, revoked?.at, "nobody revoked is active at any time");
  const ofEve = await entriesAbout(eve);
  assert.deepEqual(
    ofEve.map(({ kind }) => kind),
    ["userCreated", "userSuspended", "userRestored", "userRevoked"],
  );
  assert.deepEqual([ofEve[0]?.at, ofEve[2]?.at], [ofEve[1]?.at, ofEve[3]?.at]);
  for (const { identical, different, missing, source: all } of moved.compared) {
    assert.deepEqual([identical, different, missing], [all, [], []]);
  }
  const sorted = (rows: readonly { readonly id: string; readonly email: string }[]) =>
    rows
      .map((row) => ({ ...row, username: "", profileId: "", createdAt: "" }))
      .filter(({ id }) => id !== to.admin.id)
      .toSorted((one, other) => (one.id < other.id ? -1 : 1));
  for (const list of ["fetchUsers", "fetchRevokedUsers"]) {
    const [there, here] = [await ask(list as never, {}), await to.ask(list as never, {})];
    assert.deepEqual(sorted(here.body.users), sorted(there.body.users));
  }
  const roomsOf = async (one: TestOrganization) =>
    (await one.ask("listRooms", {})).body.roomSettings.map((room: object) => ({
      ...room,
      createdAt: "",
      updatedAt: "",
    }));
  assert.deepEqual(await roomsOf(to), await roomsOf(from));

  await ask("editUser", { userId: ann, name: "Ann", email: "ann2@moved.example.org" });
  await ask("reactivateUser", { userId: eve });
  await ask("suspendRestoreUser", { userId: ben, action: "restore" });
  await ask("editRoom", { room: "s-1", roomOwnerId: ann, name: "Renamed" });
  await ask("createRoom", { name: "New", room: "new", roomOwnerId: eve });
  const planned = await run(env, "import", "--from", source.url, "--dry-run");
  assert.match(planned.out, /TO CHANGE/);
  assert.match(planned.out, /ann2@moved\.example\.org: .*name "ann" -> "Ann"/);
  const shown = await run(env, "import", "--from", source.url);
  assert.match(
    shown.out,
    /People +0 +3 +1 +0\nRevoked people +0 +0 +1 +0\nRooms +1 +1 +1 +0\nRevocations +0 +0 +0 +0/,
  );
  assert.match(shown.out, /Everything of the source is here, and the same\./);
  assert.deepEqual(await roomsOf(to), await roomsOf(from));
  const third = await value(env, "import", "--from", source.url);
  assert.deepEqual(
    third.moved.map((one: { created: number; changed: number }) => one.created + one.changed),
    [0, 0, 0, 0],
  );

  // Differences that cannot be imported are named, and the command fails.
  const { id: known } = (
    await to.ask("createUser", {
      name: "Rival",
      email: "late@moved.example.org",
      loginUrl: "https://example.org/",
    })
  ).body.user;
  const late = await person("late");
  const other = await target.tenant();
  await person("taken");
  await other.ask("createUser", {
    name: "Other",
    email: "taken@moved.example.org",
    loginUrl: "https://example.org/",
  });
  const failed = await outcome(env, "import", "--from", source.url);
  assert.equal(failed.code, 1);
  const { moved: last, compared } = JSON.parse(failed.out);
  assert.match(last[0].refused[0].reason, /Email already exists/);
  assert.deepEqual(compared[0].missing, ["taken@moved.example.org"]);
  const renamed = [{ name: "late@moved.example.org", source: late, target: known }];
  assert.deepEqual([compared[0].renamed, compared[1].renamed], [renamed, []]);
});
