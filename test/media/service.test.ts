// Runs: sqlite, complete
// Needs: media-engine

import assert from "node:assert/strict";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { test } from "node:test";
import { isAlive } from "../../server/lib/processes.ts";
import { readRunning } from "../../server/media/running.ts";
import type { EngineStatus } from "../../server/media/status.ts";
import { run } from "../cli/run.ts";
import { enginePath, noEngine } from "../run/engine.ts";
import { openHouse } from "../world/house.ts";
import { startProcess, until } from "../world/process.ts";

const skip = { skip: noEngine };
const media = { LIVEKIT_SERVER: enginePath, MEDIA_ADDRESS: "127.0.0.1" };

const statusOf = async (env: Readonly<Record<string, string>>): Promise<EngineStatus> =>
  JSON.parse((await run(env, "media", "status", "--json")).out);

test(
  "a service runs its engine, takes over one left by a killed service, and stops it when it stops",
  skip,
  async (t) => {
    const { environment } = await openHouse(t, { environment: media });
    const { DATA_DIR: dataDir = "" } = environment;
    const service = await startProcess(t, environment);
    await until("the engine runs", async () => (await statusOf(environment)).running);
    const first = await readRunning(dataDir);
    assert.ok(first);
    await service.end("SIGKILL");
    assert.ok(isAlive(first.pid));

    const again = await startProcess(t, { ...environment, LOG_LEVEL: "info" });
    await until("it is taken over", () => again.said().includes("taken over"));
    const status = await statusOf(environment);
    assert.deepEqual([status.engine, status.running, status.people], ["child", true, 0]);
    assert.equal((await readRunning(dataDir))?.pid, first.pid);
    await again.end();
    assert.equal(isAlive(first.pid), false);
    assert.equal((await statusOf(environment)).running, false);
  },
);

test("without an engine the status says what one is needed for, and the doctor finds no problems", async (t) => {
  const { environment } = await openHouse(t);
  // Independent of this machine's PATH.
  const env = { ...environment, PATH: "" };
  const { code, out } = await run(env, "media", "status");
  assert.equal(code, 0);
  assert.match(
    out,
    /There is no LiveKit server on this machine\.\n.*up to six people.*parley media install/,
  );
  const doctor = await run(env, "doctor");
  assert.equal(doctor.code, 0);
  assert.match(doctor.out, /^note +media engine .*at most six people/m);
});

test("a configured server that does not answer is a fault", async (t) => {
  const { environment } = await openHouse(t);
  const env = {
    ...environment,
    LIVEKIT_URL: "ws://127.0.0.1:9",
    LIVEKIT_API_KEY: "key",
    LIVEKIT_API_SECRET: "0123456789abcdef".repeat(2),
  };
  assert.equal((await run(env, "media", "status")).code, 1);
  const { code, out } = await run(env, "doctor");
  assert.equal(code, 1);
  assert.match(out, /^FAULT +media engine .*\n +Check LIVEKIT_URL/m);
});

test("the doctor says that a media port is taken", skip, async (t) => {
  const { environment } = await openHouse(t);
  const socket = createSocket("udp4").bind(0);
  await once(socket, "listening");
  const env = { ...environment, ...media, MEDIA_UDP: String(socket.address().port) };
  const { code, out } = await run(env, "doctor");
  assert.equal(code, 1);
  assert.match(out, /^FAULT +media ports .*\n +Set MEDIA_UDP/m);
  socket.close();
});
