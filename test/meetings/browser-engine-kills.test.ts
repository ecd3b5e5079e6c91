// Runs: sqlite, complete, pictures
// Needs: browser, media-engine

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { buildConsole } from "../../console/build.ts";
import { createClient } from "../../contract/client.ts";
import { readRunning } from "../../server/media/running.ts";
import { patientFetch } from "../console/service.ts";
import { press } from "../console/visit.ts";
import { enginePath, noEngine } from "../run/engine.ts";
import { freePort } from "../world/free-port.ts";
import { openHouse } from "../world/house.ts";
import { startProcess } from "../world/process.ts";
import { engineFound } from "./engine-found.ts";
import { type Host, isInside, leaveAll, openMeetings } from "./people.ts";

const admin = { email: "admin@example.org", password: "the quiet harbour at dawn" };

/** A service as a process, with the engine as its child. */
const openService = async () => {
  const scope = { after };
  await buildConsole();
  const { environment } = await openHouse(scope, {
    environment: {
      LIVEKIT_SERVER: enginePath,
      MEDIA_ADDRESS: "127.0.0.1",
      PORT: String(await freePort()),
      LOG_LEVEL: "info",
      PARLEY_ADMIN_EMAIL: admin.email,
      PARLEY_ADMIN_PASSWORD: admin.password,
    },
  });
  const start = () => startProcess(scope, environment);
  const process = await start();
  const reach = { baseUrl: process.url, fetch: patientFetch };
  const { token, user } = await createClient(reach).signIn({
    login: admin.email,
    password: admin.password,
  });
  const client = createClient({ ...reach, token });
  const host: Host = { url: process.url, admin, adminId: user.id, client };
  const enginePid = async () => (await readRunning(environment.DATA_DIR ?? ""))?.pid;
  return { host, start, process, enginePid };
};

test("pictures, seats and mutes come back after kill -9 of the engine, and of the service", {
  skip: noEngine,
}, async (t) => {
  const { host, start, process: first, enginePid } = await openService();
  const { room, enter } = await openMeetings(host);
  const { path, room: roomId } = await room();
  await engineFound(host, roomId);
  const ada = await enter(path, "Ada", { asAdministrator: true });
  const ben = await enter(path, "Ben");
  await Promise.all([isInside(ada), isInside(ben)]);
  await press(ben.page, "m");
  const isMuted = async (): Promise<void> => {
    await ben.button("Turn the microphone on").waitFor();
    await ada.tile("Ben").getByText("muted").waitFor({ state: "attached" });
    assert.equal(await ada.page.locator("audio[data-sound]").count(), 0);
  };
  const seats = async () => {
    const { peers } = (await host.client.getMeeting({ roomId })).meeting;
    return peers.map(({ peerId, peerName }) => [peerName, peerId]).toSorted();
  };
  /** Both see each other from now on, and Ben hears Ada. */
  const meet = () =>
    Promise.all([ada.receivesOnly({ video: 1 }), ben.receivesOnly({ video: 1, audio: 1 })]);
  await meet();
  await isMuted();
  const before = await seats();
  assert.equal(before.length, 2);

  const killed = await enginePid();
  assert.ok(killed);
  process.kill(killed, "SIGKILL");
  const began = performance.now();
  await meet();
  t.diagnostic(`pictures ${Math.round(performance.now() - began)} ms after the engine was killed`);
  await isMuted();
  assert.deepEqual(await seats(), before);
  assert.notEqual(await enginePid(), killed);

  const kept = await enginePid();
  await first.end("SIGKILL");
  await ben.page.getByText("The connection is lost").waitFor();
  const again = performance.now();
  await start();
  for (const { page } of [ada, ben]) {
    await page.getByText("The connection is lost").waitFor({ state: "detached" });
  }
  await press(ben.page, "h");
  await ada.tile("Ben").getByText("hand raised").waitFor({ state: "attached" });
  await meet();
  t.diagnostic(
    `all is back ${Math.round(performance.now() - again)} ms after the service was started`,
  );
  await isMuted();
  assert.deepEqual(await seats(), before);
  assert.equal(await enginePid(), kept, "the engine went on");
  await leaveAll(ada, ben);
});
