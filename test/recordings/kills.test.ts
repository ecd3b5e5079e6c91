// Runs: sqlite, pictures, complete, unsteady
// Needs: browser, ffmpeg

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { buildConsole } from "../../console/build.ts";
import { SEGMENT_SECONDS } from "../../server/capture/ffmpeg.ts";
import type { RecordingRow } from "../../server/db/recording-tables.ts";
import { enter, openSocket, type Somebody } from "../meetings/inside.ts";
import { askAs } from "../world/ask.ts";
import { openHouse } from "../world/house.ts";
import { type Process, startProcess, until } from "../world/process.ts";
import { type Dice, rollDice, soaking } from "../world/seed.ts";
import { decode, probe } from "./files.ts";
import { completeIn, folderOf, killRecorder, segments } from "./recorders.ts";
import { openFragileChromium } from "./wrapped-programs.ts";

const ways = ["chromium", "ffmpeg", "still ffmpeg", "still chromium", "kill", "stop"] as const;

/** A meeting that is recorded by a separate service, and what becomes of its recordings. */
const record = async (t: TestContext) => {
  await buildConsole();
  const chromium = openFragileChromium(t);
  const environment = { LOG_LEVEL: "info", ...chromium.environment };
  const house = await openHouse(t, { environment });
  const dataDir = house.environment.DATA_DIR ?? "";
  const { token, admin } = await house.beside((world) => world.tenant());
  let service: Process = await startProcess(t, house.environment);
  const ask = () => askAs(service.url, token);
  const flags = { enableRecording: true, recordModerator: true, recordingResolutions: ["480p"] };
  await ask()("createRoom", { name: "R", room: "r", roomOwnerId: admin.id, ...flags });
  let somebody: Somebody = await enter(t, { url: service.url, ask: ask() }, "r", {
    peerName: "Mo",
  });
  assert.equal(await somebody.do("startRecording", {}), "ok");
  return {
    dataDir,
    chromium,
    service: () => service,
    somebody: () => somebody,
    /**
     * All recordings, the newest last; read through the interface, because no other process may open the
     * database.
     */
    records: async () => (await ask()("listRecordings", {})).body.recordings.toReversed(),
    again: async () => {
      service = await startProcess(t, house.environment);
      somebody = await openSocket(t, service.url, somebody);
    },
    rows: () =>
      house.beside(({ database }) =>
        database.read.selectFrom("recordings").selectAll().orderBy("requested_at").execute(),
      ),
  };
};

/**
 * Whatever is killed or stands still while a meeting is recorded: the recording plays except for its last segment, its state
 * says so, and a new recording continues the meeting.
 */
const survive = async (t: TestContext, dice: Dice, rounds: number): Promise<void> => {
  const meeting = await record(t);
  for (let round = 0; round < rounds; round += 1) {
    const way = ways[round % ways.length];
    const sees = (what: string, is: () => Promise<boolean>) => until(`${what}, ${way}`, is);
    await sees("it is recorded", async () => (await meeting.records()).at(-1)?.state === "active");
    const rows: readonly RecordingRow[] = await meeting.rows();
    const row = rows.at(-1);
    assert.ok(row);
    await segments(meeting.dataDir, row, 1 + dice.roll(2));
    // A random moment within a segment.
    await new Promise((resolve) => setTimeout(resolve, dice.roll(4_000)));
    const complete = completeIn(meeting.dataDir, row);
    const { child, end } = meeting.service();
    if (way === "chromium") meeting.chromium.damage();
    if (way === "chromium" || way === "ffmpeg") await killRecorder(child.pid ?? 0, way);
    else if (way === "still ffmpeg") await killRecorder(child.pid ?? 0, "ffmpeg", "SIGSTOP");
    else if (way === "still chromium") await killRecorder(child.pid ?? 0, "chromium", "SIGSTOP");
    else {
      await end(way === "kill" ? "SIGKILL" : "SIGTERM");
      await meeting.again();
    }
    await sees("it plays", async () => (await meeting.records())[round]?.state === "ready");
    const { error, seconds } = (await meeting.records())[round];
    assert.equal(error, "interrupted", `${way}: ${error}`);
    if (way === "chromium") {
      await sees("the next one waits for another try", async () => {
        const next = (await meeting.records()).at(-1);
        return next?.state === "queued" && next.error === "capture_failed";
      });
      meeting.chromium.mend();
    }
    const playlist = `${folderOf(meeting.dataDir, row)}/index.m3u8`;
    const found = await probe(playlist);
    assert.equal(await decode(playlist), "");
    assert.ok(
      found.seconds >= complete * SEGMENT_SECONDS - 1,
      `${way}: ${found.seconds} s of ${complete} segments play`,
    );
    assert.ok(Math.abs(found.seconds - seconds) <= 1);
  }
  assert.equal(await meeting.somebody().do("stopRecording", {}), "ok");
  await until("nothing is recorded", async () => {
    const { state } = (await meeting.records()).at(-1);
    return state === "ready" || state === "failed";
  });
};

test("a recording survives that browser, ffmpeg or service dies or hangs, and continues in a new one", async (t) => {
  const dice = rollDice(t);
  // A recording is continued ten times per meeting.
  for (const rounds of soaking ? [10, 10] : [ways.length]) await survive(t, dice, rounds);
});
