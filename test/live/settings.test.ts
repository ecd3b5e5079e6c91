// Runs: postgres-first, waits

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { RunRow } from "../../server/db/live-tables.ts";
import { enter } from "../meetings/inside.ts";
import { newPlace } from "../meetings/place.ts";
import { addRecorder } from "../recordings/rows.ts";
import { until } from "../world/process.ts";
import { startWorld } from "../world/world.ts";
import { carryOut } from "./carry-out.ts";

const world = await startWorld(test, {
  environment: { SPEECH_COMMAND: "true", ALLOWED_NETWORKS: "loopback" },
});
await addRecorder(world.database);

const settings = {
  enableTranscription: true,
  enableLiveStreaming: true,
  enableRTMPStreaming: true,
  liveStreamUrl: "rtmp://127.0.0.1:9/app",
  liveStreamKey: "key",
};

/** Begins it in a room with these settings, and switches one of them off while it is carried out. */
const switchedOff = async (
  t: TestContext,
  topic: RunRow["topic"],
  setting: keyof typeof settings,
  changed: object = {},
): Promise<void> => {
  const { tenant, asAdmin, edit } = await newPlace(world, { ...settings, ...changed });
  const moderator = await enter(t, { url: world.url, ask: asAdmin }, "r");
  const { running, runner, hub } = carryOut(t, world.database, topic);
  const start = topic === "stream" ? "startStream" : "startTranscription";
  assert.equal(await moderator.do(start, {}), "ok");
  const { run, signal, tell } = await running;
  await tell("live");
  const { promise: isSeen, resolve } = Promise.withResolvers<void>();
  // It began to follow the meeting earlier, so it has decided by the time this resolves.
  hub.follow(run.meeting_id, (snapshot) => {
    if (snapshot?.room.roomAgenda) resolve();
  });
  await edit({ roomAgenda: "Other settings do not end it" });
  await isSeen;
  assert.equal(signal.aborted, false);
  await edit({ [setting]: false });
  await until("it ends", () => signal.aborted);
  await until("everybody knows", async () => {
    const rows = world.database.read.selectFrom("runs").select(["ended_at", "error"]);
    const { ended_at: endedAt, error } = await rows
      .where("id", "=", run.id)
      .executeTakeFirstOrThrow();
    assert.equal(error, null, "it ended as meant");
    return endedAt !== null;
  });
  await runner.stop();
  await tenant.ask("leaveRoom", { ticket: moderator.ticket });
};

test("a live stream ends when the room no longer allows it, for viewers or to a receiver", async (t) => {
  await switchedOff(t, "stream", "enableLiveStreaming", { enableRTMPStreaming: false });
  await switchedOff(t, "stream", "enableLiveStreaming");
});

test("a live stream to a receiver ends when the room no longer allows receivers", (t) =>
  switchedOff(t, "stream", "enableRTMPStreaming"));

test("a transcription ends when the room no longer allows it", (t) =>
  switchedOff(t, "transcription", "enableTranscription"));
