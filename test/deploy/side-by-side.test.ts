// Runs: postgres, complete, unsteady

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { globSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import { createClient } from "../../contract/client.ts";
import { root } from "../../packaging/folder.ts";
import { runsBeside } from "../../server/db/migrations/beside.ts";
import { migrations } from "../../server/db/migrations/index.ts";
import { run } from "../generators/tools.ts";
import { openSocket, type Somebody } from "../meetings/inside.ts";
import type { Twin } from "../twins/twin.ts";
import { type Process, startProcess, until } from "../world/process.ts";
import { soaking } from "../world/seed.ts";
import { emptyEnvironment } from "../world/world.ts";

/*
 * The version before and this one on one PostgreSQL, under requests and with a meeting: rolled forward, and back.
 * A soak run tries the versions before each migration since then, too.
 */

/** How a version is started: its `parley.js`, or a twin of this one. */
interface Version {
  readonly version?: string;
  readonly twin?: Twin;
}

/** The paths of all fields of an answer, without the contents of lists. */
const shapeOf = (value: unknown, path = ""): string[] =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.entries(value).flatMap(([key, one]) => shapeOf(one, `${path}.${key}`))
    : [path];

interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads any field, and fails if it is missing
  readonly body: any;
}

/** Sends requests as a proxy does: to one of the ready processes, and to the next where one ends. */
const openProxy = (token: string, targets: () => readonly string[]) => {
  let turn = 0;
  const ask = async (method: string, path: string, body?: unknown): Promise<Answer> => {
    const key = randomUUID();
    const begun = performance.now();
    while (performance.now() - begun < 120_000) {
      turn += 1;
      const [target = ""] = [targets()].map((all) => all[turn % all.length]);
      const answer = await fetch(target + path, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          "content-type": "application/json",
          ...(method === "POST" && { "idempotency-key": key }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }).catch(() => undefined);
      const isAway = answer === undefined || answer.status === 503 || answer.status === 409;
      if (!isAway) return { status: answer.status, body: await answer.json() };
      await answer?.body?.cancel();
    }
    throw new Error(`No process has answered ${method} ${path}`);
  };
  return ask;
};

const admin = { email: "admin@example.org", password: "the quiet harbour at dawn" };

/** Opens the sockets of these people again, as their pages do, at another process. */
const moveTo = async (t: TestContext, url: string, people: readonly Somebody[]) => {
  const moved: Somebody[] = [];
  for (const one of people) {
    await until("the process sends its people away", () => one.closed !== undefined);
    assert.equal(one.ended, undefined, "the seat has not ended");
    moved.push(await openSocket(t, url, one));
  }
  for (const one of moved) {
    await one.sees("both are inside", ({ peers }) => peers.length >= 1);
  }
  return moved;
};

/**
 * @param startsAgain whether the version before also starts on the new tables
 */
const rollsForwardAndBack = async (
  t: TestContext,
  before: Version,
  after: Version,
  startsAgain: boolean,
): Promise<void> => {
  const environment = {
    // With a twin, the tables are not made before.
    ...(await emptyEnvironment(t, "postgres", { name: "another version", replaced: [] })),
    PARLEY_ADMIN_EMAIL: admin.email,
    PARLEY_ADMIN_PASSWORD: admin.password,
    RECORDERS: "0",
  };
  const ready: Process[] = [];
  const start = async (version: Version): Promise<Process> => {
    const started = await startProcess(t, environment, version);
    ready.push(started);
    return started;
  };
  const stop = async (process: Process): Promise<void> => {
    ready.splice(ready.indexOf(process), 1);
    assert.equal((await process.end()).code, 0);
  };
  const [one, two] = [await start(before), await start(before)];
  const { token, user } = await createClient({ baseUrl: one.url }).signIn({
    login: admin.email,
    password: admin.password,
  });
  const ask = openProxy(token, () => ready.map(({ url }) => url));
  const shapes = new Set<string>();
  /** The answers of this version without other requests. */
  const learn = async ({ url }: Process, room: string): Promise<void> => {
    const input = { name: room, room, roomOwnerId: user.id };
    const { status, body } = await openProxy(token, () => [url])("POST", "/api/roomSetting", input);
    assert.equal(status, 201, JSON.stringify(body));
    shapes.add(shapeOf(body).join(" "));
  };
  await learn(one, "board");
  const client = createClient({ baseUrl: one.url, token });
  const { code } = await client.getRoomLink({ roomId: "board" });
  const open = async ({ ticket, peer }: { ticket: string; peer: { peerId: string } }) =>
    openSocket(t, one.url, { ticket, peerId: peer.peerId });
  let people = [
    await open(await client.joinRoom({ roomId: "board", peerName: "Ann" })),
    await open(
      await createClient({ baseUrl: one.url }).joinRoom({ roomId: code, peerName: "Ben" }),
    ),
  ];

  const made: string[] = [];
  const seen = new Set<string>();
  let isOver = false;
  const load = async (): Promise<void> => {
    while (!isOver) {
      const name = `Room ${made.length} ${randomUUID()}`;
      const created = await ask("POST", "/api/roomSetting", { name, roomOwnerId: user.id });
      assert.equal(created.status, 201, JSON.stringify(created.body));
      seen.add(shapeOf(created.body).join(" "));
      const { room } = created.body.roomSetting;
      made.push(room);
      const read = await ask("GET", `/api/roomSetting/${room}`);
      assert.equal(read.status, 200);
      assert.equal(read.body.roomSetting.name, name);
    }
  };
  const loads = Promise.all([load(), load(), load()]);
  loads.catch(() => {});
  const more = async (): Promise<void> => {
    const enough = made.length + 20;
    await Promise.race([loads, until("requests go on", () => made.length >= enough)]);
  };

  await more();
  // Forward: the new one migrates while both others serve.
  const next = await start(after);
  await learn(next, "by-the-new-one");
  await more();
  await stop(one);
  people = await moveTo(t, next.url, people);
  assert.equal(await people[0]?.do("chat", { text: "on the new one" }), "ok");
  await more();
  // Back: to the one that has run all the time, and to one that starts on the new tables.
  const back = startsAgain ? await start(before) : two;
  await more();
  await stop(next);
  people = await moveTo(t, back.url, people);
  await more();
  isOver = true;
  await loads;

  assert.deepEqual(
    people[0]?.chat.map(({ text }) => text),
    ["on the new one"],
  );
  assert.deepEqual(
    [...seen].filter((shape) => !shapes.has(shape)),
    [],
  );
  for (const room of made) {
    assert.equal((await ask("GET", `/api/roomSetting/${room}`)).status, 200, room);
  }
};

test("a migration that says so is rolled out and back under load, with a meeting", async (t) => {
  const last = migrations.at(-1)?.name.slice(0, 4);
  const twin: Twin = {
    name: "a later version",
    replaced: [
      {
        file: "db/migrations/index.ts",
        export: "migrations",
        by: `(real) => [...real, {
          name: "9999-tints-beside-${last}",
          up: async (db) => {
            await db.schema.alterTable("rooms").addColumn("tint", "text").execute();
            await db.schema.createTable("tints").addColumn("id", "text").execute();
          },
        }]`,
      },
    ],
  };
  await rollsForwardAndBack(t, {}, { twin }, true);
});

const git = (...args: string[]) => run("git", args, { cwd: root });

/**
 * The versions that this one is tried beside, as commits, each with fewer migrations than now, all of which come first:
 * the last release (until there is one, what came before migration 0100, otherwise before the newest), and with
 * `each` also those before each later migration. None without the history.
 */
const commitsBefore = async (each: boolean): Promise<readonly string[]> => {
  const names = migrations.map(({ name }) => `${name}.ts`);
  const folder = "server/db/migrations/";
  const migrationsAt = async (commit: string): Promise<readonly string[]> => {
    const { ok, out } = await git("ls-tree", "--name-only", commit, folder);
    return ok ? (out.match(/\d{4}-[\w-]+\.ts/g) ?? []) : [];
  };
  /** Migrations of a release are never taken out of their order; those of the development were. */
  const isBefore = (had: readonly string[]): boolean =>
    had.length > 0 && had.length < names.length && had.every((name, at) => name === names[at]);
  const release = await git("describe", "--tags", "--abbrev=0", "--match", "v[0-9]*");
  const tag = release.ok ? release.out.trim() : undefined;
  const since = tag === undefined ? ["-40"] : [`${tag}..HEAD`];
  const log = await git("log", ...since, "--diff-filter=A", "--format=%H", "--", folder);
  if (!log.ok) return [];
  const found = tag !== undefined && isBefore(await migrationsAt(tag)) ? [tag] : [];
  // The newest first.
  const added: string[] = [];
  for (const commit of log.out.split("\n").filter(Boolean)) {
    const had = await migrationsAt(`${commit}^`);
    if (!isBefore(had)) continue;
    const isOld = (had.at(-1) ?? "") < "0100";
    if (tag !== undefined || !isOld || added.length === 0) added.push(`${commit}^`);
    if (tag === undefined && isOld) break;
  }
  const first = [...found, ...added.toReversed()];
  return each ? first : first.slice(0, 1);
};

/** The `parley.js` of a commit. */
const versionAt = async (t: TestContext, commit: string): Promise<string> => {
  const folder = mkdtempSync(join(tmpdir(), "parley-before-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const archive = join(folder, "sources.tar");
  await git("archive", "--output", archive, commit);
  const unpacked = await run("tar", ["-xf", archive, "-C", folder]);
  assert.ok(unpacked.ok, unpacked.out);
  // Without the pages, which would be built.
  rmSync(join(folder, "console"), { recursive: true, force: true });
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  return join(folder, "parley.js");
};

const before = await commitsBefore(soaking);

for (const commit of before.length === 0 ? [undefined] : before) {
  const title = commit === undefined ? "before" : `at ${commit}`;

  test(`the version ${title} and this one serve side by side, forward and back`, {
    skip: commit === undefined && "the history of the sources is not here",
  }, async (t) => {
    const version = await versionAt(t, commit ?? "");
    const folder = join(dirname(version), "server/db/migrations");
    const had = globSync("0*.ts", { cwd: folder }).map((file) => file.replace(".ts", ""));
    const since = migrations.map(({ name }) => name).filter((name) => !had.includes(name));
    const startsAgain = since.every((name) => runsBeside(name, had));
    await rollsForwardAndBack(t, { version }, {}, startsAgain);
  });
}
