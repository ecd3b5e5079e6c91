// Runs: waits

import assert from "node:assert/strict";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { uuid7 } from "../../server/lib/id.ts";
import { openHold } from "../../server/recordings/hold.ts";
import { makeRecording } from "../../server/recordings/make.ts";
import { openSettler } from "../../server/recordings/settle.ts";
import { carryOut } from "../live/carry-out.ts";
import { enter } from "../meetings/inside.ts";
import { newPlace } from "../meetings/place.ts";
import { writeSegments } from "../recordings/files.ts";
import { folderOf } from "../recordings/recorders.ts";
import { addRecorder, recordingsOf } from "../recordings/rows.ts";
import { until } from "../world/process.ts";
import { startWorld } from "../world/world.ts";
import { startReceiver } from "./receiver.ts";

/*
 * The webhook events of recordings and live streams. A browser and an RTMP receiver would only determine when
 * each thing happens; here the test does.
 */

const world = await startWorld(test, {
  environment: { ALLOWED_NETWORKS: "loopback", WEBHOOK_RETRY_SECONDS: "0.05" },
});
const { database, config, url } = world;
await addRecorder(database);
const log = { info: () => {}, warn: () => {}, error: () => {} };

const settings = {
  enableRecording: true,
  recordModerator: true,
  enableLiveStreaming: true,
  enableRTMPStreaming: false,
};

/** A meeting with its moderator inside, and a receiver of these events. */
const meet = async (t: TestContext, events: readonly string[]) => {
  const place = await newPlace(world, settings);
  const receiver = await startReceiver(t);
  const made = await place.tenant.ask("createWebhook", { url: receiver.url, events });
  assert.equal(made.status, 201, made.text);
  const moderator = await enter(t, { url, ask: place.asAdmin }, "r");
  const meetingId = moderator.view?.meeting.meetingId ?? "";
  const told = () => receiver.arrivals.map(({ event: { type, data } }) => [type, data.error]);
  return { ...place, receiver, moderator, meetingId, told };
};

const recordingEvents = [
  "recordingStarted",
  "recordingReady",
  "recordingFailed",
  "recordingEdited",
  "recordingDeleted",
];

test("a recording sends events for its start, readiness, new name and deletion, in order", async (t) => {
  const { tenant, receiver, meetingId } = await meet(t, recordingEvents);
  const { recordingId } = (await tenant.ask("startRecording", { roomId: "r" })).body.recording;
  const hold = openHold(database, uuid7());
  const { dataDir } = config;
  const stopping = new AbortController().signal;
  const parts = { dataDir, leastFree: 0, hold, log };
  const settler = openSettler({ ...parts, ffmpeg: () => undefined, stopping });
  const taken = await hold.takeQueued({ id: recordingId, organization_id: tenant.id });
  assert.equal(taken?.id, recordingId);
  assert.ok(taken);
  const begun = Promise.withResolvers<{ readonly how: "stopped" }>();
  const making = makeRecording(
    {
      ...parts,
      settler,
      captures: {
        start: async ({ folder = "" }) => {
          await mkdir(folder, { recursive: true });
          await writeSegments(folder, 2);
          const ending = begun.promise.then(() => {});
          const stop = async () => begun.resolve({ how: "stopped" });
          return { ending, ended: begun.promise, stop };
        },
      } as never,
    },
    taken,
  );
  await receiver.waitFor(1);
  making.end(null);
  await making.done;
  await receiver.waitFor(2);
  await tenant.ask("renameRecording", { recordingId, name: "Minutes" });
  await tenant.ask("deleteRecording", { recordingId });
  const arrivals = await receiver.waitFor(4);
  assert.deepEqual(
    arrivals.map(({ event }) => [event.type, event.data.recordingName]),
    [
      ["recordingStarted", "R"],
      ["recordingReady", "R"],
      ["recordingEdited", "Minutes"],
      ["recordingDeleted", "Minutes"],
    ],
  );
  assert.ok(arrivals.every(({ event }) => event.data.recordingId === recordingId));
  const { seconds, roomId, error } = arrivals[1]?.event.data ?? {};
  assert.deepEqual([seconds, roomId, error], [2, "r", null]);
  assert.equal(arrivals[0]?.event.data.meetingId, meetingId);
});

test("a recording that ends while it waits, with its meeting or without, has failed", async (t) => {
  const { tenant, receiver, moderator } = await meet(t, recordingEvents);
  await tenant.ask("startRecording", { roomId: "r" });
  await tenant.ask("stopRecording", { roomId: "r" });
  await receiver.waitFor(1);
  await tenant.ask("startRecording", { roomId: "r" });
  assert.equal(await moderator.do("closeRoom", { message: "" }), "ok");
  const arrivals = await receiver.waitFor(2);
  const rows = await recordingsOf(database, tenant.id);
  assert.deepEqual(
    arrivals.map(({ event }) => [event.type, event.data.recordingId, event.data.error]),
    rows.map(({ id }) => ["recordingFailed", id, "not_begun"]),
  );
});

test("a recording with nothing to play has failed", async (t) => {
  const { tenant, receiver } = await meet(t, recordingEvents);
  const { recordingId } = (await tenant.ask("startRecording", { roomId: "r" })).body.recording;
  const hold = openHold(database, uuid7());
  const row = await hold.takeQueued({ id: recordingId, organization_id: tenant.id });
  assert.ok(row);
  await mkdir(join(folderOf(config.dataDir, row), "capture"), { recursive: true });
  const ending = await hold.set(row, { state: "ending" });
  const stopping = new AbortController().signal;
  const parts = { dataDir: config.dataDir, leastFree: 0, hold, log, stopping };
  const settler = openSettler({ ...parts, ffmpeg: () => undefined });
  await settler.settle(ending ?? row, "capture_failed");
  const [arrival] = await receiver.waitFor(1);
  assert.deepEqual(
    [arrival?.event.type, arrival?.event.data.error],
    ["recordingFailed", "capture_failed"],
  );
});

const streamEvents = [
  "streamStarted",
  "streamInterrupted",
  "streamResumed",
  "streamFailed",
  "streamEnded",
];

test("a live stream sends an event for each change, once, and none when it restarts elsewhere", async (t) => {
  const { tenant, receiver, told, meetingId } = await meet(t, streamEvents);
  const first = carryOut(t, database, "stream");
  assert.equal((await tenant.ask("startStream", { roomId: "r" })).status, 200);
  const { tell } = await first.running;
  await tell("reconnecting", "receiver");
  for (const _ of ["once", "and again"]) await tell("live");
  await tell("reconnecting", "receiver");
  await tell("reconnecting", "still");
  await tell("live");
  // Its process drains; another one continues.
  await first.runner.stop();
  const second = carryOut(t, database, "stream");
  await (await second.running).tell("live");
  await tenant.ask("stopStream", { roomId: "r" });
  await until("its end is told", () => told().some(([type]) => type === "streamEnded"));
  assert.deepEqual(told(), [
    ["streamStarted", null],
    ["streamInterrupted", "receiver"],
    ["streamResumed", null],
    ["streamInterrupted", null],
    ["streamResumed", null],
    ["streamEnded", null],
  ]);
  const ids = new Set(receiver.arrivals.map(({ event }) => event.data.streamId));
  assert.equal(ids.size, 1);
  assert.ok(receiver.arrivals.every(({ event }) => event.data.meetingId === meetingId));
});

test("a live stream that ends by itself has failed, and says why", async (t) => {
  const { tenant, receiver } = await meet(t, streamEvents);
  const streams = carryOut(t, database, "stream");
  await tenant.ask("startStream", { roomId: "r" });
  await streams.running;
  streams.end("source");
  const [arrival] = await receiver.waitFor(1);
  const { error, kind, target } = arrival?.event.data ?? {};
  assert.deepEqual(
    [arrival?.event.type, error, kind, target],
    ["streamFailed", "source", "hls", null],
  );
});
