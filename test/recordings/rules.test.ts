// Runs: postgres-first, waits
// Needs: browser, ffmpeg

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { HistoryEntry } from "../../contract/history/history.ts";
import type { RecordingRow } from "../../server/db/recording-tables.ts";
import { continueRecording } from "../../server/recordings/again.ts";
import { openHold } from "../../server/recordings/hold.ts";
import { enter } from "../meetings/inside.ts";
import { newPlace } from "../meetings/place.ts";
import { recordsTwice } from "../twins/recordings.ts";
import { testTwin } from "../twins/test-twin.ts";
import type { Twin } from "../twins/twin.ts";
import { count } from "../world/seed.ts";
import { startWorld, type World } from "../world/world.ts";
import { addRecorder, recordingsOf, setRecording } from "./rows.ts";

const world = await startWorld(test);
await addRecorder(world.database);

const recorded = { enableRecording: true, recordModerator: true, recordParticipant: true };

/** A room that may be recorded, with its administrator inside. */
const meet = async (t: TestContext, settings: object = {}, where: World = world) => {
  const place = await newPlace(where, { ...recorded, ...settings });
  const { url } = where;
  const moderator = await enter(t, { url, ask: place.asAdmin }, "r", { peerName: "Mo" });
  const guest = (peerName: string) => enter(t, { url, ask: where.open }, place.code, { peerName });
  const rows = () => recordingsOf(where.database, place.tenant.id);
  return { ...place, moderator, guest, rows };
};

test("a moderator records, everybody sees it, also before entering, and the room's record says so", async (t) => {
  const { moderator, guest, rows, tenant, code } = await meet(t, {
    recordingResolutions: ["480p", "2160p"],
    recordingFormat: "mp4",
  });
  const ann = await guest("Ann");
  assert.equal(ann.view?.recorder, null, "only moderators know of recorders");
  assert.equal(await ann.do("startRecording", {}), "moderators_only");
  assert.equal(await moderator.do("startRecording", {}), "ok");
  await moderator.sees("it waits", ({ recorder }) => recorder?.state === "queued");
  const [row] = await rows();
  assert.ok(row);
  assert.equal(moderator.view?.meeting.recording, false, "nothing is recorded yet");
  await setRecording(world.database, row.id, { state: "active" });
  await ann.sees("it is recorded", ({ meeting }) => meeting.recording);
  const { body } = await world.open("fetchInvitation", { roomId: code });
  assert.equal(body.invitation.recording, true);
  assert.equal((await tenant.ask("startRecording", { roomId: "r" })).body.code, "recording_active");
  const stopped = await tenant.ask("stopRecording", { roomId: "r" });
  const { recordingId, meetingId, ...rest } = stopped.body.recording;
  assert.deepEqual([recordingId, meetingId], [row.id, moderator.view?.meeting.meetingId]);
  assert.deepEqual(rest, {
    roomId: "r",
    roomName: "R",
    name: "R",
    type: "av",
    format: "mp4",
    state: "active",
    resolutions: ["2160p", "480p"],
    startedBy: tenant.admin.name,
    startedAt: null,
    endedAt: null,
    seconds: null,
    bytes: null,
    error: null,
  });
  assert.equal((await rows())[0]?.stop_asked, true);
  const { meeting } = (await tenant.ask("getMeeting", { roomId: "r" })).body;
  assert.deepEqual(meeting.recordings, [stopped.body.recording]);
});

test("the room's settings decide what is recorded", async (t) => {
  const { tenant, edit, rows } = await meet(t, {
    recordModerator: false,
    recordParticipant: false,
  });
  const start = async (more: object = {}) =>
    (await tenant.ask("startRecording", { roomId: "r", ...more })).body;
  assert.equal((await start()).code, "nothing_to_record");
  await edit({ recordParticipant: true, enableRecording: false });
  assert.equal((await start()).code, "recording_off");
  await edit({ enableRecording: true, recordingStrategy: "mergedA" });
  assert.equal((await start({ recordingType: "av" })).code, "not_in_this_room");
  const sound = (await start()).recording;
  assert.deepEqual([sound.type, sound.resolutions, sound.format], ["a", [], "hls"]);
  // A waiting recording that is stopped has recorded nothing.
  const { recording } = (await tenant.ask("stopRecording", { recordingId: sound.recordingId }))
    .body;
  assert.deepEqual([recording.state, recording.error], ["failed", "not_begun"]);
  const again = await tenant.ask("stopRecording", { roomId: "r" });
  assert.deepEqual([again.status, again.body.code], [409, "no_recording"]);
  await edit({ recordingStrategy: "mergedAV", recordingResolutions: null });
  assert.deepEqual((await start({ recordingType: "av" })).recording.resolutions, ["1080p"]);
  assert.equal((await rows()).length, 2);
});

test("nothing is recorded without people inside, or without a recorder", async (t) => {
  const { tenant } = await newPlace(world, recorded);
  const empty = await tenant.ask("startRecording", { roomId: "r" });
  assert.deepEqual([empty.status, empty.body.code], [409, "no_meeting"]);
  const without = await startWorld(t);
  const place = await meet(t, {}, without);
  const missing = await place.tenant.ask("startRecording", { roomId: "r" });
  assert.deepEqual([missing.status, missing.body.code], [503, "recorder_missing"]);
  assert.equal(place.moderator.view?.recorder?.problem, "recorder_missing");
  // A recording that begins by itself waits for a recorder, and says so.
  const automatic = await meet(t, { recordingStrategy: "AmergedAV" }, without);
  await automatic.moderator.sees(
    "it waits for a recorder",
    ({ recorder }) => recorder?.state === "queued" && recorder.problem === "recorder_missing",
  );
  await automatic.moderator.do("leave", {});
  // The same when its recorder has gone.
  await addRecorder(without.database);
  assert.equal((await place.tenant.ask("startRecording", { roomId: "r" })).status, 200);
  await place.moderator.sees("it waits", ({ recorder }) => recorder?.state === "queued");
  assert.equal(place.moderator.view?.recorder?.problem, null);
  await without.database.change(async (tx) => {
    await tx.updateTable("processes").set({ recorders: 0 }).execute();
  });
  await place.moderator.sees(
    "why it waits",
    ({ recorder }) => recorder?.state === "queued" && recorder.problem === "recorder_missing",
  );
});

test("a room with AmergedAV does not try to record if the operator has switched recording off", async (t) => {
  const off = await startWorld(t, { environment: { RECORDERS: "0" } });
  const { moderator, rows, guest } = await meet(t, { recordingStrategy: "AmergedAV" }, off);
  assert.equal(await moderator.do("chat", { text: "Is this recorded?" }), "ok");
  assert.deepEqual(await rows(), []);
  assert.equal(moderator.view?.recorder?.state, "idle");
  // Another machine can record.
  await addRecorder(off.database);
  await guest("Ann");
  await moderator.sees("it waits", ({ recorder }) => recorder?.state === "queued");
});

test("recordings wait in the order of their requests, and the page shows how many are ahead", async (t) => {
  const meetings = [await meet(t), await meet(t), await meet(t)];
  for (const { moderator } of meetings) {
    assert.equal(await moderator.do("startRecording", {}), "ok");
  }
  const before = async () => {
    const [first, , last] = meetings;
    return (
      Number(last?.moderator.view?.recorder?.before) -
      Number(first?.moderator.view?.recorder?.before)
    );
  };
  await meetings[2]?.moderator.sees("two more are before it", () => true);
  await meetings[2]?.moderator.sees("it waits", ({ recorder }) => recorder?.state === "queued");
  assert.equal(await before(), 2);
});

test("a room with AmergedAV records as soon as a moderator is inside, once in a meeting", async (t) => {
  const place = await newPlace(world, { ...recorded, recordingStrategy: "AmergedAV" });
  const { url } = world;
  const rows = () => recordingsOf(world.database, place.tenant.id);
  const ann = await enter(t, { url, ask: world.open }, place.code, { peerName: "Ann" });
  assert.deepEqual(await rows(), [], "no moderator is inside");
  const mo = await enter(t, { url, ask: place.asAdmin }, "r", { peerName: "Mo" });
  await mo.sees("it waits", ({ recorder }) => recorder?.state === "queued");
  assert.equal(await mo.do("stopRecording", {}), "ok");
  assert.equal(await ann.do("hand", { up: true }), "ok");
  assert.equal(await mo.do("leave", {}), "ok");
  const again = await enter(t, { url, ask: place.asAdmin }, "r", { peerName: "Mo" });
  await again.sees("nothing is recorded", ({ recorder }) => recorder?.state === "idle");
  const all = await rows();
  assert.deepEqual(
    all.map(({ automatic, started_by_name }) => [automatic, started_by_name]),
    [[true, ""]],
  );
  const { entries } = (await place.tenant.ask("listHistory", { roomId: "r", limit: 2 })).body;
  assert.deepEqual(
    entries.map(({ kind, actor, subject }: HistoryEntry) => [
      kind,
      actor.kind,
      actor.address,
      subject.id,
    ]),
    [
      ["recordingStopped", "user", "127.0.0.1", all[0]?.id],
      ["recordingStarted", "service", null, all[0]?.id],
    ],
  );
});

test("a recording that could not begin is retried after growing pauses, unless somebody has just requested it", async (t) => {
  const hold = openHold(world.database, "a process");
  const take = async ({ id }: RecordingRow): Promise<RecordingRow> => {
    await setRecording(world.database, id, { lease_until: null });
    const taken = (await rowsNow()).find((row) => row.id === id);
    return (taken && (await hold.takeQueued(taken))) ?? assert.fail("It does not wait.");
  };
  const rowsNow = async () => [...(await asked.rows()), ...(await automatic.rows())];
  const asked = await meet(t);
  const automatic = await meet(t, { recordingStrategy: "AmergedAV" });
  assert.equal(await asked.moderator.do("startRecording", {}), "ok");
  const [byHand, byItself] = await rowsNow();
  assert.ok(byHand && byItself);
  assert.equal(await hold.tryAgain(await take(byHand)), false);

  /** @returns the milliseconds until its next try: lower and upper bound */
  const fail = async (waitedMs: number): Promise<readonly [number, number]> => {
    const requested_at = new Date(Date.now() - waitedMs).toISOString();
    await setRecording(world.database, byItself.id, { requested_at });
    const taken = await take(byItself);
    assert.deepEqual([taken.state, taken.error], ["starting", null]);
    const before = Date.now();
    assert.equal(await hold.tryAgain(taken), true);
    const after = Date.now();
    const [row] = await automatic.rows();
    assert.deepEqual([row?.state, row?.process], ["queued", null]);
    const next = Date.parse(row?.lease_until ?? "");
    return [next - after, next - before];
  };
  assert.ok((await fail(0))[1] >= 1_999);
  await automatic.moderator.sees(
    "it is tried again",
    ({ recorder }) => recorder?.state === "queued" && recorder.error === "capture_failed",
  );
  assert.ok((await fail(20_000))[1] >= 19_999);
  assert.ok((await fail(3_600_000))[0] <= 60_001);
  // A person who no longer wants it ends it.
  assert.equal(await automatic.moderator.do("stopRecording", {}), "ok");
  const [ended] = await automatic.rows();
  assert.deepEqual([ended?.state, ended?.error], ["failed", "capture_failed"]);
  assert.equal(ended?.lease_until, null);
});

test("a recording that keeps breaking off is continued ten times, after growing pauses", async (t) => {
  const { moderator, rows, tenant } = await meet(t);
  assert.equal(await moderator.do("startRecording", {}), "ok");
  const hourAgo = new Date(Date.now() - 3_600_000).toISOString();
  for (let n = 0; n < 20; n += 1) {
    const row = (await rows()).at(-1);
    if (row?.state !== "queued") break;
    await tenant.change(async (change) => {
      const update = (to: Partial<RecordingRow>) =>
        change.tx
          .updateTable("recordings")
          .set(to)
          .where("id", "=", row.id)
          .returningAll()
          .executeTakeFirstOrThrow();
      // The sixth recorded for a long time.
      const started_at = n === 5 ? hourAgo : null;
      await continueRecording(
        change,
        await update({ state: "ending", error: "interrupted", started_at }),
      );
      await update({ state: "failed", error: "not_begun" });
    });
  }
  const all = await rows();
  const pauses = all.map(({ requested_at, lease_until }) =>
    lease_until === null
      ? null
      : Math.round((Date.parse(lease_until) - Date.parse(requested_at)) / 1000),
  );
  assert.deepEqual(pauses, [null, null, 2, 4, 8, 16, null, 60, 60, 60, 60]);
  await moderator.sees("nothing is recorded", ({ recorder }) => recorder?.state === "idle");
});

test("the end of a meeting ends its recording, and frees the room for the next one", async (t) => {
  const { moderator, rows, asAdmin } = await meet(t);
  await moderator.do("startRecording", {});
  const [row] = await rows();
  await setRecording(world.database, row?.id ?? "", { state: "active" });
  await moderator.do("leave", {});
  const [ended] = await rows();
  assert.deepEqual([ended?.state, ended?.stop_asked], ["ending", true]);
  const next = await enter(t, { url: world.url, ask: asAdmin }, "r", { peerName: "Mo" });
  assert.equal(next.view?.meeting.recording, false);
  assert.equal(await next.do("startRecording", {}), "ok");
  await next.do("leave", {});
  assert.equal((await rows())[1]?.error, "not_begun");
});

/** Many requests begin a recording at the same time, at both processes, repeatedly. */
const rush = async (t: TestContext, twin?: Twin): Promise<void> => {
  const here = twin ? await startWorld(t, { twin }) : world;
  if (twin) await addRecorder(here.database);
  const { tenant, rows, moderator } = await meet(t, {}, here);
  const urls = [here.url, await here.second()];
  for (let round = 0; round < count(5, 50, 2); round += 1) {
    const answers = await Promise.all([
      moderator.do("startRecording", {}).then((code) => (code === "ok" ? 200 : 409)),
      ...Array.from({ length: 7 }, async (_, n) => {
        const url = urls[n % urls.length] ?? "";
        return (await tenant.askAt(url)("startRecording", { roomId: "r" })).status;
      }),
    ]);
    const living = (await rows()).filter(({ state }) => state === "queued");
    assert.equal(living.length, 1, `${living.length} recordings of one room in round ${round}`);
    assert.equal(answers.filter((status) => status === 200).length, 1);
    await tenant.ask("stopRecording", { roomId: "r" });
  }
};

test("a room has one recording at a time, however many begin it at once", (t) => rush(t));

testTwin("a twin that checks for a recording before its change starts two in a room", async (t) => {
  await assert.rejects(rush(t, recordsTwice), assert.AssertionError);
});
