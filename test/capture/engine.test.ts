// Runs: sqlite, pictures, complete
// Needs: browser, ffmpeg, media-engine

import assert from "node:assert/strict";
import { join } from "node:path";
import { after, test } from "node:test";
import type { RecordingRow } from "../../server/db/recording-tables.ts";
import { connectMedia, startMortalEngine } from "../meetings/engine.ts";
import { engineFound } from "../meetings/engine-found.ts";
import { enter } from "../meetings/inside.ts";
import { isInside, leaveAll, startMeetings } from "../meetings/people.ts";
import { decode } from "../recordings/files.ts";
import { folderOf } from "../recordings/recorders.ts";
import { recordingsIn } from "../recordings/rows.ts";
import { noEngine } from "../run/engine.ts";
import { askAs } from "../world/ask.ts";
import { until } from "../world/process.ts";
import { LOUD, QUIET, recordingIn, WHOLE } from "./look.ts";
import { ada, ben, comeIn } from "./people.ts";

const engine = noEngine ? undefined : await startMortalEngine({ after });
const meetings =
  engine && (await startMeetings({ ...engine.environment, PATH: process.env.PATH ?? "" }));

test("the engine gives a recorder only the recorded roles, lists it nowhere, and may die meanwhile", {
  skip: noEngine,
}, async (t) => {
  assert.ok(engine && meetings);
  const { service } = meetings;
  const { client } = service;
  const { room, path } = await meetings.room({
    enableRecording: true,
    recordModerator: true,
    recordParticipant: false,
    recordingResolutions: ["480p"],
  });
  await engineFound(service, room);
  const one = await comeIn(meetings, path, ada, true);
  const other = await comeIn(meetings, path, ben);
  await Promise.all([one, other].map(isInside));
  const before = (await client.getMeeting({ roomId: room })).meeting;
  await client.startRecording({ roomId: room });
  const rows = () => recordingsIn(service, room);
  const becomes = async (state: RecordingRow["state"]): Promise<RecordingRow> => {
    const of = async () => (await rows()).at(-1);
    await until(`it is ${state}`, async () => (await of())?.state === state);
    return (await of()) ?? assert.fail("no recording");
  };
  const row = await becomes("active");
  const folder = folderOf(service.dataDir, row);
  const running = recordingIn(join(folder, "capture"));
  /** Waits until the film written after so many seconds shows her. */
  const seesHer = async (what: string, from: number): Promise<void> => {
    await until(what, async () => {
      const seconds = running.seconds();
      if (seconds < from) return false;
      await running.lasts(seconds + 4);
      return running.isColor(running.seconds() - 1, WHOLE, ada.color);
    }).catch(() => running.shows(what, running.seconds() - 1, WHOLE, ada.color));
  };
  await seesHer("the recorder sees her", 0);

  const { peers, seats } = (await client.getMeeting({ roomId: room })).meeting;
  assert.deepEqual([peers.length, seats], [2, before.seats], "it has nobody's seat");
  for (const { page } of [one, other]) {
    const people = page.getByRole("list", { name: /People and shared/ }).locator("li");
    assert.equal(await people.count(), 2);
  }
  // The engine's own message to a client that joins later.
  const place = { url: service.url, ask: askAs(service.url, undefined) };
  const sam = await enter(t, place, path.split("/").at(-1) ?? "", { peerName: "Sam" });
  const told = await (await connectMedia(service.url, sam.ticket)).next("join");
  const known = told.otherParticipants.map(({ identity }) => identity).toSorted();
  assert.deepEqual(known, peers.map(({ peerId }) => peerId).toSorted());

  const killedAt = running.seconds();
  await engine.kill();
  await seesHer("the recorder sees her again", killedAt + 8);
  await client.stopRecording({ roomId: room });
  const ready = await becomes("ready");
  assert.deepEqual([ready.id, ready.error], [row.id, null], "the same recording went on");

  const playlist = join(folder, "480p", "index.m3u8");
  assert.equal(await decode(playlist), "");
  const recording = recordingIn(join(folder, "480p"));
  const end = recording.seconds();
  assert.ok(Math.abs(end - (ready.seconds ?? 0)) <= 1);
  assert.deepEqual(await recording.streams(), ["aac", "h264,854,480"]);
  await recording.shows("the moderator alone is seen", killedAt - 1, WHOLE, ada.color);
  assert.ok((await recording.volume(ada.tone, killedAt - 3, 3)) > LOUD);
  assert.ok((await recording.volume(ada.tone, end - 3, 3)) > LOUD, "heard again");
  assert.ok((await recording.volume(ben.tone, 0, end)) < QUIET, "the participant never is");
  await leaveAll(one, other);
});
