// Runs: sqlite, pictures, complete, unsteady
// Needs: browser, ffmpeg, media-engine

import assert from "node:assert/strict";
import { fork } from "node:child_process";
import { once } from "node:events";
import { globSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { buildConsole } from "../../console/build.ts";
import { isAlive } from "../../server/lib/processes.ts";
import { startConsoleService } from "../console/service.ts";
import { meetingOf } from "../meetings/engine.ts";
import { enter } from "../meetings/inside.ts";
import { askAs } from "../world/ask.ts";
import { until } from "../world/process.ts";
import { recordingIn } from "./look.ts";

await buildConsole();
const serviceFile = fileURLToPath(new URL("./service.ts", import.meta.url));

const newFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), "parley-captured-"));
  after(() => rm(folder, { recursive: true, force: true }));
  return folder;
};

/** The browser folders of a service, and the browsers' processes. */
const browsersOf = (
  pid: number | undefined,
): { readonly folder: string; readonly browser: number }[] =>
  globSync(join(tmpdir(), "parley-capture-*/owner.json")).flatMap((file) => {
    const owner = JSON.parse(readFileSync(file, "utf8"));
    return owner.service === pid && owner.program
      ? [{ folder: join(file, ".."), browser: owner.program }]
      : [];
  });

/** The IDs of the processes that satisfy a condition; one may end meanwhile. */
const processes = (holds: (folder: string) => boolean): number[] =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        return holds(`/proc/${name}`);
      } catch {
        return false;
      }
    })
    .map(Number);

/** The processes whose command line contains a text. */
const running = (text: string): number[] =>
  processes((folder) => readFileSync(`${folder}/cmdline`, "utf8").includes(text));

/** The ffmpeg that writes into a folder. */
const writerIn = (folder: string): number | undefined =>
  processes((one) => readlinkSync(`${one}/cwd`) === folder)[0];

test("when Chromium, ffmpeg or the service is killed, the written part plays and no process is left", async (t) => {
  const service = await startConsoleService();
  t.after(() => service.stop());
  const { client, captures } = service;
  const organizationId = (await client.getOrganization()).organization.id;
  const { roomSetting } = await client.createRoom({
    name: "Kills",
    roomOwnerId: service.adminId,
    noOfModerators: 1,
    recordModerator: true,
  });
  const { token } = await client.signIn({
    login: service.admin.email,
    password: service.admin.password,
  });
  const ask = askAs(service.url, token);
  const somebody = await enter(t, { url: service.url, ask }, roomSetting.room, { peerName: "Ada" });
  const meetingId = meetingOf(somebody);
  const picture = { width: 214, height: 120 };
  const begin = async () => {
    const folder = await newFolder();
    const options = { organizationId, meetingId, purpose: "record", picture, folder } as const;
    return { folder, recording: recordingIn(folder), capture: await captures.start(options) };
  };

  const one = await begin();
  await one.recording.lasts(4);
  const [first] = browsersOf(process.pid);
  assert.ok(first);
  process.kill(first.browser, "SIGKILL");
  assert.deepEqual(await one.capture.ended, { how: "failed", code: "browser_ended" });
  assert.ok(one.recording.isComplete());
  assert.deepEqual(await one.recording.streams(), ["aac", "h264,214,120"]);
  assert.deepEqual([running(first.folder), browsersOf(process.pid)], [[], []]);

  const two = await begin();
  await two.recording.lasts(4);
  process.kill(writerIn(two.folder) ?? 0, "SIGKILL");
  assert.deepEqual(await two.capture.ended, { how: "failed", code: "writer_failed" });
  assert.deepEqual(await two.recording.streams(), ["aac", "h264,214,120"]);
  assert.deepEqual(browsersOf(process.pid), []);
});

test("a killed service leaves no browser and no ffmpeg, and the written part plays", async (t) => {
  const dataDir = await newFolder();
  const child = fork(serviceFile, {
    env: {
      PATH: process.env.PATH,
      DATA_DIR: dataDir,
      TMPDIR: tmpdir(),
      PORT: "0",
      LOG_LEVEL: "warn",
      RATE_LIMIT: "0",
      MEDIA_UDP: "0",
      MEDIA_TCP: "0",
      PARLEY_ADMIN_PASSWORD: "the quiet harbour at dawn",
      PARLEY_ADMIN_EMAIL: "admin@example.org",
    },
  });
  t.after(() => child.kill("SIGKILL"));
  const [url] = await once(child, "message");
  const open = askAs(url, undefined);
  const login = { login: "admin@example.org", password: "the quiet harbour at dawn" };
  const { body: session } = await open("signIn", login);
  const ask = askAs(url, session.token);
  const { body } = await ask("createRoom", {
    name: "Kills",
    roomOwnerId: session.user.id,
    noOfModerators: 1,
    recordModerator: true,
  });
  const somebody = await enter(t, { url, ask }, body.roomSetting.room, { peerName: "Ada" });
  const organizationId = (await ask("getOrganization")).body.organization.id;
  const folder = await newFolder();
  child.send({
    organizationId,
    meetingId: meetingOf(somebody),
    purpose: "record",
    folder,
    picture: { width: 214, height: 120 },
  });
  assert.deepEqual(await once(child, "message"), ["capturing", undefined]);
  const recording = recordingIn(folder);
  await recording.lasts(4);
  const [browser] = browsersOf(child.pid);
  const writer = writerIn(folder);
  assert.ok(browser && writer);

  child.kill("SIGKILL");
  await until("the browser has ended", () => running(browser.folder).length === 0);
  await until("ffmpeg has ended", () => !isAlive(writer));
  assert.ok(recording.isComplete(), "ffmpeg wrote all that it had");
  assert.deepEqual(await recording.streams(), ["aac", "h264,214,120"]);
  assert.ok((await readdir(folder)).includes("init.mp4"));
});
