// Runs: sqlite, pictures, complete, alone
// Needs: browser, ffmpeg, media-engine, store
// Alone: the tracer is one of the process.

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { connectMedia, startMortalEngine, tryMedia } from "../meetings/engine.ts";
import { engineFound } from "../meetings/engine-found.ts";
import { enter } from "../meetings/inside.ts";
import { startMeetings } from "../meetings/people.ts";
import { segments } from "../recordings/recorders.ts";
import { recordingsIn } from "../recordings/rows.ts";
import { startS3 } from "../recordings/s3-server.ts";
import { noEngine } from "../run/engine.ts";
import { noStore } from "../run/store.ts";
import { askAs } from "../world/ask.ts";
import { until } from "../world/process.ts";
import { startCollector } from "./collector.ts";

const collector = await startCollector({ after });
const skip = noEngine || noStore;
const engine = skip ? undefined : await startMortalEngine({ after });
const store = skip ? undefined : await startS3({ after });
const meetings =
  engine &&
  (await startMeetings({
    ...engine.environment,
    ...store?.environment,
    PATH: process.env.PATH ?? "",
    RECORDERS: "1",
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  }));

test("the way of media and each step of a recording are traced, with IDs and without names and tickets", {
  skip,
}, async (t) => {
  assert.ok(meetings);
  const { service } = meetings;
  const { room, path } = await meetings.room({
    enableRecording: true,
    recordParticipant: true,
    recordingResolutions: ["480p", "1080p"],
  });
  await engineFound(service, room);
  const place = { url: service.url, ask: askAs(service.url, undefined) };
  const ada = await enter(t, place, path.split("/").at(-1) ?? "", { peerName: "Ada Unspoken" });
  await connectMedia(service.url, ada.ticket);
  assert.equal(await tryMedia(service.url, "no-ticket"), 403);

  await service.client.startRecording({ roomId: room });
  const newest = async () => (await recordingsIn(service, room)).at(-1);
  await until("it is recorded", async () => (await newest())?.state === "active");
  const row = (await newest()) ?? assert.fail("no recording");
  await segments(service.dataDir, row, 1);
  await service.client.stopRecording({ roomId: room });

  const inside = await collector.waitFor(
    "somebody's media are connected",
    ({ name, attributes }) =>
      name === "media connect" && attributes["parley.seat.id"] === ada.view?.you.peerId,
  );
  assert.deepEqual(
    [inside.kind, inside.attributes["parley.meeting.id"], inside.isError],
    ["server", ada.view?.meeting.meetingId, false],
  );
  const refused = await collector.waitFor(
    "a ticket is refused",
    ({ attributes }) => attributes["http.response.status_code"] === 403,
  );
  assert.equal(refused.name, "media connect");
  for (const step of ["start", "finish", "sizes", "upload"]) {
    const { attributes, isError } = await collector.waitFor(
      `the step ${step}`,
      ({ name }) => name === `recording ${step}`,
    );
    assert.equal(isError, false, step);
    assert.deepEqual(attributes, {
      "parley.organization.id": row.organization_id,
      "parley.meeting.id": row.meeting_id,
      "parley.recording.id": row.id,
    });
  }
  for (const text of ["Ada Unspoken", ada.ticket]) assert.ok(!collector.bytes().includes(text));
});
