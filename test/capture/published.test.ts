// Runs: sqlite, pictures, complete
// Needs: browser, ffmpeg, media-engine

import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { startEngineOfFile } from "../meetings/engine.ts";
import { engineFound } from "../meetings/engine-found.ts";
import { enter } from "../meetings/inside.ts";
import { isInside, leaveAll, startMeetings } from "../meetings/people.ts";
import { connectSdk, publishTone } from "../meetings/sdk.ts";
import { folderOf } from "../recordings/recorders.ts";
import { recordingsIn } from "../recordings/rows.ts";
import { askAs } from "../world/ask.ts";
import { until } from "../world/process.ts";
import { LOUD, recordingIn } from "./look.ts";
import { ada, ben, comeIn } from "./people.ts";

const { skip, engine } = await startEngineOfFile();
const meetings =
  engine && (await startMeetings({ ...engine.environment, PATH: process.env.PATH ?? "" }));

test(
  "a client that only publishes is shown as unmuted on the page, and heard in the recording",
  skip,
  async (t) => {
    assert.ok(meetings);
    const { service } = meetings;
    const { client, url } = service;
    const { room, path } = await meetings.room({
      enableRecording: true,
      recordModerator: true,
      recordParticipant: true,
      recordingResolutions: ["480p"],
    });
    await engineFound(service, room);
    const page = await comeIn(meetings, path, ada, true);
    await isInside(page);
    const place = { url, ask: askAs(url, undefined) };
    const code = path.split("/").at(-1) ?? "";
    const { ticket } = await enter(t, place, code, { peerName: ben.name });
    const sdk = await connectSdk(t, url, ticket);
    const muted = page.tile(ben.name).getByText("muted");
    await muted.waitFor();
    await publishTone(sdk, ben.tone);
    await muted.waitFor({ state: "detached" });
    await page.receivesOnly({ video: 0, audio: 1 });

    await client.startRecording({ roomId: room });
    const last = async () => (await recordingsIn(service, room)).at(-1);
    const becomes = (state: string) =>
      until(`it is ${state}`, async () => (await last())?.state === state);
    await becomes("active");
    const row = (await last()) ?? assert.fail("no recording");
    const folder = folderOf(service.dataDir, row);
    await recordingIn(join(folder, "capture")).lasts(6);
    await client.stopRecording({ roomId: room });
    await becomes("ready");
    const recording = recordingIn(join(folder, "480p"));
    const end = recording.seconds();
    assert.ok((await recording.volume(ben.tone, end - 3, 3)) > LOUD, "he is heard");
    await leaveAll(page);
  },
);
