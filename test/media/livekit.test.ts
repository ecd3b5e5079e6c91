// Runs: sqlite, waits
// Needs: media-engine

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import {
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { WebSocket } from "ws";
import { isAlive } from "../../server/lib/processes.ts";
import { signToken } from "../../server/media/api.ts";
import { redact } from "../../server/media/log.ts";
import { engineProcessName, readRunning } from "../../server/media/running.ts";
import { noEngine } from "../run/engine.ts";
import { hasty, noticesNothing } from "../twins/still.ts";
import { testTwin } from "../twins/test-twin.ts";
import type { Twin } from "../twins/twin.ts";
import { until as waitUntil } from "../world/process.ts";
import { type OwnEngine, type OwnEngineOptions, ownEngine, until } from "./world.ts";

const made: OwnEngine[] = [];
const start = async (options?: OwnEngineOptions): Promise<OwnEngine> => {
  const own = await ownEngine(options);
  made.push(own);
  await own.engine.start();
  return own;
};
after(async () => {
  for (const { engine, dataDir } of made) {
    await engine.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
});

const needsEngine = { skip: noEngine };

test(
  "the engine starts on free ports, answers, and is gone after its stop",
  needsEngine,
  async () => {
    const { engine, pid, dataDir } = await start();
    assert.deepEqual({ ...(await engine.health()), found: "" }, { ok: true, found: "" });
    assert.deepEqual(await engine.list(), new Map());
    const found = await pid();
    await engine.stop();
    assert.equal(isAlive(found), false);
    assert.equal(await readRunning(dataDir), undefined);
    assert.equal((await engine.health()).ok, false);
  },
);

test(
  "the key is made once, readable by its owner only, and in no argument of the process",
  needsEngine,
  async () => {
    const { engine, pid, dataDir } = await start();
    const path = join(dataDir, "livekit", "secret.key");
    const key = await readFile(path, "utf8");
    assert.match(key, /^[0-9a-f]{64}$/);
    assert.equal((await stat(path)).mode & 0o777, 0o600);
    if (process.platform === "linux") {
      const shown = await readFile(`/proc/${await pid()}/cmdline`, "utf8");
      assert.ok(!shown.includes(key));
    }
    await engine.stop();
    const again = await start({ dataDir });
    assert.equal(await readFile(path, "utf8"), key);
    await again.engine.stop();
  },
);

test("a killed engine is started again, and its port is not disclosed", needsEngine, async () => {
  const { engine, pid } = await start();
  const first = await pid();
  process.kill(first, "SIGKILL");
  await until(async () => (await pid()) !== first);
  await until(async () => (await engine.health()).ok);
  assert.equal(isAlive(first), false);
  await engine.stop();
});

/** The engine stands still: its port takes connections, and nobody answers. */
const standStill = async (twin: Twin, patience?: number): Promise<void> => {
  const { engine, pid } = await start({ twin });
  const first = await pid();
  process.kill(first, "SIGSTOP");
  await waitUntil("another one runs", async () => (await pid()) !== first, patience);
  await until(async () => (await engine.health()).ok);
  assert.equal(isAlive(first), false);
  await engine.stop();
};

test("an engine that hangs is ended and started again", needsEngine, () =>
  standStill(hasty({ engine: 3_000 })),
);

testTwin(
  "a twin that does not notice it is detected",
  async () => {
    await assert.rejects(standStill(noticesNothing, 10_000), /in vain: another one runs/);
  },
  { skip: noEngine, onSqlite: true },
);

test("a stop does not wait for people inside", needsEngine, async () => {
  const { engine, dataDir, pid } = await start();
  const { ports } = await until(() => readRunning(dataDir));
  const secret = await readFile(join(dataDir, "livekit", "secret.key"), "utf8");
  const token = signToken({ key: "parley", secret }, { roomJoin: true, room: "m" }, "seat");
  const socket = new WebSocket(`ws://127.0.0.1:${ports.http}/rtc?protocol=16`, {
    headers: { authorization: `Bearer ${token}` },
  });
  await until(async () => (await engine.list()).get("m")?.has("seat"));
  const closed = new Promise((resolve) => socket.once("close", resolve));
  const found = await pid();
  await engine.stop();
  await closed;
  assert.equal(isAlive(found), false);
});

test(
  "an engine that a killed service left behind is taken over, with the people in it",
  needsEngine,
  async () => {
    const left = await start();
    const pid = await left.pid();
    // As `kill -9` leaves it for the next start: a process and its file.
    const next = await start({ dataDir: left.dataDir });
    assert.equal(await next.pid(), pid);
    assert.ok((await next.engine.health()).ok);
    assert.ok(next.lines.some((line) => line.includes("taken over")));
    await next.engine.stop();
    assert.equal(isAlive(pid), false);
  },
);

test(
  "a leftover engine with other settings is ended, and one with ours started",
  needsEngine,
  async () => {
    const left = await start({ address: "127.0.0.1" });
    const pid = await left.pid();
    const stopped = left.engine.stop;
    const next = await start({ dataDir: left.dataDir, address: "127.0.0.2" });
    assert.equal(isAlive(pid), false);
    assert.notEqual(await next.pid(), pid);
    await stopped();
    await next.engine.stop();
  },
);

test(
  "another program that has the process ID of a dead engine is left alone",
  needsEngine,
  async () => {
    const own = await ownEngine();
    made.push(own);
    await mkdir(join(own.dataDir, "livekit"));
    const record = { pid: process.pid, ports: { http: 1, udp: 1, tcp: "off" }, made: "x" };
    await writeFile(join(own.dataDir, "livekit", "running.json"), JSON.stringify(record));
    await own.engine.start();
    assert.ok((await own.engine.health()).ok);
    assert.notEqual(await own.pid(), process.pid);
    await own.engine.stop();
  },
);

test("the engine of another installation that has the process ID of a dead one is left alone", async () => {
  const own = await ownEngine({ program: "/nowhere/livekit-server" });
  made.push(own);
  const folder = join(own.dataDir, "livekit");
  await mkdir(folder);
  const other = spawn("/bin/sleep", ["1000"], {
    argv0: engineProcessName(`${own.dataDir}-of-another`),
  });
  const record = { pid: other.pid, ports: { http: 1, udp: 1, tcp: "off" }, made: "x" };
  await writeFile(join(folder, "running.json"), JSON.stringify(record));
  await own.engine.start();
  await own.engine.stop();
  const hasEnded = other.exitCode !== null || other.signalCode !== null;
  other.kill("SIGKILL");
  assert.ok(!hasEnded);
});

test("a leftover engine is ended when another program takes its place", async () => {
  const own = await ownEngine({ program: "/nowhere/livekit-server" });
  made.push(own);
  const folder = join(own.dataDir, "livekit");
  await mkdir(folder);
  const left = spawn("/bin/sleep", ["1000"], { argv0: engineProcessName(own.dataDir) });
  const record = { pid: left.pid, ports: { http: 1, udp: 1, tcp: "off" }, made: "x" };
  await writeFile(join(folder, "running.json"), JSON.stringify(record));
  await own.engine.start();
  const hasEnded = left.exitCode !== null || left.signalCode !== null;
  left.kill("SIGKILL");
  assert.ok(hasEnded);
  await own.engine.stop();
});

test("an engine whose process cannot be recorded is ended", async () => {
  const folder = await mkdtemp(join(tmpdir(), "parley-media-"));
  const program = join(folder, "livekit-server");
  const pids = join(folder, "pids");
  await writeFile(program, `#!/bin/sh\necho $$ >> ${pids}\nexec /bin/sleep 1000\n`, {
    mode: 0o700,
  });
  const own = await ownEngine({ program });
  made.push(own);
  await mkdir(join(own.dataDir, "livekit"));
  // The file cannot be written, as on a full disk.
  await symlink("/nowhere/running.json", join(own.dataDir, "livekit", "running.json"));
  void own.engine.start();
  const tries = () => own.lines.filter((line) => line.includes("cannot be started")).length;
  await until(async () => tries() >= 3);
  await own.engine.stop();
  const started = (await readFile(pids, "utf8").catch(() => "")).split("\n").filter(Boolean);
  const alive = started.map(Number).filter(isAlive);
  for (const pid of alive) process.kill(pid, "SIGKILL");
  assert.deepEqual(alive, []);
  await rm(folder, { recursive: true });
});

test("a program that cannot run is logged, and the service continues without media", async () => {
  const own = await ownEngine({ program: "/nowhere/livekit-server" });
  made.push(own);
  await own.engine.start();
  assert.equal((await own.engine.health()).ok, false);
  assert.ok(own.lines.some((line) => line.includes("ENOENT")));
  await own.engine.stop();
});

test("no token or secret passes from the engine's log into ours", () => {
  const secret = "0123456789abcdef".repeat(4);
  const token = signToken({ key: "parley", secret }, { roomJoin: true }, "seat");
  const line = redact(
    `{"msg":"bad ${token}","url":"/rtc?access_token=${token}&x=1","k":"${secret}"}`,
  );
  assert.ok(!line.includes(token) && !line.includes(secret));
  assert.ok(!/eyJ/.test(line));
});

/** The remote addresses in the kernel's tables for one process's network, as in /proc/net. */
const remotes = async (pid: number): Promise<string[]> => {
  const inodes = new Set<string>();
  for (const fd of await readdir(`/proc/${pid}/fd`)) {
    const target = await readlink(`/proc/${pid}/fd/${fd}`).catch(() => "");
    const inode = /^socket:\[(\d+)\]$/.exec(target)?.[1];
    if (inode) inodes.add(inode);
  }
  const found: string[] = [];
  for (const table of ["tcp", "tcp6", "udp", "udp6"]) {
    const lines = (await readFile(`/proc/${pid}/net/${table}`, "utf8").catch(() => "")).split("\n");
    for (const line of lines.slice(1)) {
      const fields = line.trim().split(/\s+/);
      if (inodes.has(fields[9] ?? "")) found.push(`${fields[1]} ${fields[2]}`);
    }
  }
  return found;
};

test("the API port is open on loopback only", {
  skip: noEngine || process.platform !== "linux",
}, async () => {
  const { engine, pid, dataDir } = await start();
  const { ports } = await until(() => readRunning(dataDir));
  const http = ports.http.toString(16).toUpperCase().padStart(4, "0");
  const sockets = await remotes(await pid());
  const local = sockets.filter((line) => line.split(" ")[0]?.endsWith(`:${http}`));
  assert.ok(local.length > 0);
  for (const line of local) assert.match(line, /^0100007F:|^0000000000000000FFFF00000100007F:/);
  await engine.stop();
});
