// Runs: sqlite, complete
// Needs: browser, ffmpeg

import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { createRoom as contract } from "../../contract/rooms/rooms.ts";
import { MAKING, recordingPath, recordingsFolder } from "../../server/recordings/folder.ts";
import { createRoom } from "../../server/rooms/rooms.ts";
import { leavesHalves, outlived } from "../twins/recordings.ts";
import { testTwin } from "../twins/test-twin.ts";
import type { Twin } from "../twins/twin.ts";
import { askAs } from "../world/ask.ts";
import { filesBelow } from "../world/files.ts";
import { openHouse } from "../world/house.ts";
import { startProcess, until } from "../world/process.ts";
import { PATIENCE, probe, writeSegments } from "./files.ts";
import { addRecording } from "./films.ts";
import { ffmpegsOf, variablesOf } from "./recorders.ts";
import { openSlowFfmpeg } from "./wrapped-programs.ts";

const SECONDS = 6;
const sizes = ["1080p", "480p"] as const;

/** A recording that has ended, in a separate service, which has not begun to finish it. */
const endRecording = async (t: TestContext) => {
  const folder = mkdtempSync(join(tmpdir(), "parley-half-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  await writeSegments(join(folder, "capture"), SECONDS);
  const ffmpeg = openSlowFfmpeg(t);
  const house = await openHouse(t, { environment: ffmpeg.environment });
  const dataDir = house.environment.DATA_DIR ?? "";
  const ended = await house.beside(async (world) => {
    const { token, admin, change } = await world.tenant();
    const room = contract.input.parse({ name: "R", room: "r", roomOwnerId: admin.id });
    await change((one) => createRoom(one, room));
    const row = await addRecording({ dataDir, change }, { hls: folder, mp4: folder }, "r", {
      state: "ending",
      resolutions: JSON.stringify(sizes),
      complete: false,
      seconds: null,
      bytes: null,
      files: null,
      process: "dead",
      lease_until: new Date(0).toISOString(),
    });
    return { token, row };
  });
  return { ...ended, house, dataDir, hurry: ffmpeg.hurry };
};

const kill = (pid: number): void => {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // This is fine: it has ended already.
  }
};

/** The service is killed while a smaller size and a file for download are being made. */
const dieMaking = async (t: TestContext, twin?: Twin): Promise<void> => {
  const { token, row, house, dataDir, hurry } = await endRecording(t);
  const folder = join(recordingsFolder(dataDir), recordingPath(row));
  const start = () => startProcess(t, house.environment, { ...(twin && { twin }) });
  let service = await start();
  const download = async (resolution: string) =>
    (await askAs(service.url, token)("downloadRecording", { recordingId: row.id, resolution }))
      .status;
  await until("a file of it is asked for", async () => (await download("1080p")) === 202);
  const makers = () => ffmpegsOf(row.id);
  await until(
    "the smaller size and the file are being made",
    () => makers().length === 2,
    PATIENCE,
  );
  const left = makers();
  t.after(() => left.forEach(kill));
  const settings = Object.keys(house.environment);
  assert.deepEqual(
    left.flatMap(variablesOf).filter((name) => settings.includes(name)),
    [],
    "the service's settings and secrets are in no other program",
  );
  await service.end("SIGKILL");
  assert.ok(readdirSync(folder).some((name) => name.endsWith(".part")));
  await until("nothing is made for nobody", () => makers().length === 0);

  hurry();
  service = await start();
  for (const size of sizes) {
    await until(`${size} is there as a file`, async () => (await download(size)) === 200, PATIENCE);
  }
  const making = join(recordingsFolder(dataDir), MAKING);
  await until("what was left of the file is removed", () => filesBelow(making).length === 0);
  await service.end();
  const rows = await house.beside(({ database }) =>
    database.read.selectFrom("recordings").selectAll().execute(),
  );
  assert.deepEqual(
    rows.map(({ state, complete, resolutions, seconds }) => [
      state,
      Boolean(complete),
      resolutions,
      seconds,
    ]),
    [["ready", true, JSON.stringify(sizes), SECONDS]],
  );
  const files = JSON.parse(rows[0]?.files ?? "[]") as readonly {
    readonly name: string;
    readonly bytes: number;
  }[];
  assert.deepEqual(files.map(({ name }) => name).toSorted(), filesBelow(folder));
  assert.deepEqual(readdirSync(folder).toSorted(), [
    "1080p",
    "480p",
    "download-480p.mp4",
    "download.mp4",
    "index.m3u8",
  ]);
  assert.equal(
    files.reduce((sum, { bytes }) => sum + bytes, 0),
    Number(rows[0]?.bytes),
  );
  for (const size of ["480p/index.m3u8", "download-480p.mp4"]) {
    const { height, seconds } = await probe(join(folder, size));
    assert.ok(height === 480 && Math.abs(seconds - SECONDS) < 0.5, `${height}, ${seconds} s`);
  }
};

test("sizes and downloads that a killed service was making are made once after the restart, and no ffmpeg outlives the service", (t) =>
  dieMaking(t));

testTwin("a twin whose ffmpegs outlive it is detected", async (t) => {
  await assert.rejects(dieMaking(t, outlived), /in vain: nothing is made for nobody/);
});

testTwin("a twin that leaves half-made files is detected", async (t) => {
  await assert.rejects(dieMaking(t, leavesHalves), assert.AssertionError);
});
