// Runs: postgres, pictures, complete, unsteady
// Needs: browser, ffmpeg

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { buildConsole } from "../../console/build.ts";
import { enter, openSocket } from "../meetings/inside.ts";
import { changesUnheld } from "../twins/recordings.ts";
import { testTwin } from "../twins/test-twin.ts";
import type { Twin } from "../twins/twin.ts";
import { openHouse } from "../world/house.ts";
import { startProcess, until } from "../world/process.ts";
import { decode } from "./files.ts";
import { folderOf, runningWith, segments } from "./recorders.ts";
import { recordingsOf } from "./rows.ts";

/** One of two processes stands still while it records; the other one goes on, and later the first one too. */
const standStill = async (t: TestContext, twin?: Twin): Promise<void> => {
  await buildConsole();
  const house = await openHouse(t);
  const dataDir = house.environment.DATA_DIR ?? "";
  const tenant = await house.beside((world) => world.tenant());
  const rows = () => house.beside(({ database }) => recordingsOf(database, tenant.id));
  const a = await startProcess(t, house.environment, { twin });
  const ask = tenant.askAt(a.url);
  const flags = { enableRecording: true, recordModerator: true, recordingResolutions: ["480p"] };
  await ask("createRoom", { name: "R", room: "r", roomOwnerId: tenant.admin.id, ...flags });
  const mo = await enter(t, { url: a.url, ask }, "r", { peerName: "Mo" });
  assert.equal(await mo.do("startRecording", {}), "ok");
  await until("it is recorded", async () => (await rows())[0]?.state === "active");
  const [left] = await rows();
  assert.ok(left);
  await segments(dataDir, left, 1);
  const b = await startProcess(t, house.environment);
  const back = await openSocket(t, b.url, mo);

  a.child.kill("SIGSTOP");
  t.after(() => a.child.kill("SIGCONT"));
  await until("it plays", async () => {
    const row = (await rows())[0];
    return row?.state === "ready" && row.complete;
  });
  await until("another one goes on", async () => (await rows())[1]?.state === "active");
  const [ended, next] = await rows();
  assert.ok(ended && next);
  assert.equal(ended.error, "interrupted");
  assert.notEqual(next.process, left.process);
  const folder = folderOf(dataDir, ended);
  const files: readonly { readonly name: string }[] = JSON.parse(ended.files ?? "[]");
  const read = () => Promise.all(files.map(({ name }) => readFile(join(folder, name))));
  const written = await read();
  assert.notDeepEqual(runningWith(ended.id), [], "its ffmpeg waits for it");

  a.child.kill("SIGCONT");
  await until("it has let go", () => runningWith(ended.id).length === 0);
  await until("it serves again", async () => (await tenant.askAt(a.url)("whoAmI")).status === 200);
  await segments(dataDir, next, 2);
  const [same, other, ...more] = await rows();
  assert.deepEqual(same, ended);
  assert.deepEqual([other?.state, other?.process, more], ["active", next.process, []]);
  assert.deepEqual(await read(), written);
  assert.equal(await decode(join(folder, "index.m3u8")), "");
  assert.equal(await back.do("stopRecording", {}), "ok");
  await until("the other one plays", async () => (await rows())[1]?.state === "ready");
  assert.equal((await rows())[1]?.error, null);
};

test("when one of two processes hangs, the other ends its recording and continues in a new one, and late work changes neither", (t) =>
  standStill(t));

testTwin("a twin that changes what it no longer holds is detected", async (t) => {
  await assert.rejects(standStill(t, changesUnheld), { code: "ERR_ASSERTION" });
});
