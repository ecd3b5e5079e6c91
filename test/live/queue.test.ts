// Runs: postgres-first

import assert from "node:assert/strict";
import { once } from "node:events";
import { type TestContext, test } from "node:test";
import { pino } from "pino";
import type { Database } from "../../server/db/open.ts";
import type * as Runners from "../../server/live/runner.ts";
import { openCaptureQueue } from "../../server/meetings/captures/queue.ts";
import { continueRecording } from "../../server/recordings/again.ts";
import { enter } from "../meetings/inside.ts";
import { newPlace } from "../meetings/place.ts";
import { addRecorder, setRecording } from "../recordings/rows.ts";
import { countsLate, streamsTwice, takesOthers } from "../twins/runs.ts";
import { testTwin } from "../twins/test-twin.ts";
import { importFrom, type Twin } from "../twins/twin.ts";
import { until } from "../world/process.ts";
import { count } from "../world/seed.ts";
import { startWorld, type World } from "../world/world.ts";

/*
 * Recordings, live streams and transcriptions in one queue. No process here captures anything, so what waits
 * keeps waiting. Tests with browsers cover captures.
 */

const world = await startWorld(test, {
  environment: { SPEECH_COMMAND: "true", ALLOWED_NETWORKS: "loopback" },
});
await addRecorder(world.database);

const settings = {
  enableRecording: true,
  recordModerator: true,
  enableLiveStreaming: true,
  enableTranscription: true,
};

/** A room in which every capture is allowed, with its administrator inside. */
const meet = async (t: TestContext, where: World = world) => {
  const place = await newPlace(where, settings);
  const moderator = await enter(t, { url: where.url, ask: place.asAdmin }, "r", { peerName: "Mo" });
  return { ...place, moderator };
};

test("captures wait in one queue, and the page shows how many are ahead", async (t) => {
  const [one, two] = [await meet(t), await meet(t)];
  assert.equal(await one.moderator.do("startStream", {}), "ok");
  assert.equal(await two.moderator.do("startRecording", {}), "ok");
  assert.equal(await two.moderator.do("startTranscription", {}), "ok");
  const guest = await enter(t, { url: world.url, ask: world.open }, two.code, { peerName: "Ann" });
  assert.deepEqual(guest.view?.runs, [], "only moderators know of recorders");
  await one.moderator.sees("it waits", ({ meeting }) => meeting.liveStream?.state === "queued");
  assert.deepEqual(one.moderator.view?.runs, [{ topic: "stream", before: 0, error: null }]);
  await two.moderator.sees("two are before it", ({ runs }) => runs[0]?.before === 2);
  assert.equal(two.moderator.view?.recorder?.before, 1);
  assert.equal(guest.view?.meeting.transcribing, false, "nothing is written down yet");

  // Nothing is carried out that is no longer wanted, or whose meeting is over.
  assert.equal(await one.moderator.do("stopStream", {}), "ok");
  await one.moderator.sees("it waits no more", ({ meeting }) => meeting.liveStream === null);
  assert.deepEqual(one.moderator.view?.failed, [], "it ended as meant");
  for (const somebody of [guest, two.moderator]) await somebody.do("leave", {});
  const left = await world.database.read
    .selectFrom("runs")
    .select("id")
    .where("ended_at", "is", null)
    .execute();
  assert.deepEqual(left, []);
});

test("moderators see why a live stream failed, until it starts again", async (t) => {
  const { tenant, moderator, code } = await meet(t);
  const guest = await enter(t, { url: world.url, ask: world.open }, code, { peerName: "Ann" });
  const meetingId = moderator.view?.meeting.meetingId ?? "";
  assert.equal(await moderator.do("startStream", {}), "ok");
  const endedAt = new Date().toISOString();
  // The steps of the process that carries it out.
  await tenant.change(async ({ tx, announce }) => {
    await tx
      .updateTable("runs")
      .set({ state: "ended", error: "refused", ended_at: endedAt })
      .where("meeting_id", "=", meetingId)
      .execute();
    announce(meetingId);
  });
  await moderator.sees("it has failed", ({ failed }) => failed.length === 1);
  assert.deepEqual(moderator.view?.failed, [{ topic: "stream", endedAt, error: "refused" }]);
  assert.deepEqual(guest.view?.failed, []);
  assert.equal(await moderator.do("startStream", {}), "ok");
  await moderator.sees("it waits", ({ failed, runs }) => failed.length === 0 && runs.length === 1);
  // Leaves nothing in the queue that other tests would wait for.
  for (const somebody of [guest, moderator]) await somebody.do("leave", {});
});

test("a moderator who does not manage the room streams to its own receiver only", async (t) => {
  const { moderator, code, asMember, edit } = await meet(t);
  await edit({ enableRTMPStreaming: true, liveStreamUrl: "rtmp://127.0.0.1:9/app/name" });
  const { url, open } = world;
  const guest = await enter(t, { url, ask: open }, code, { peerName: "Ann" });
  const member = await enter(t, { url, ask: asMember }, "r");
  for (const { peerId } of [guest, member]) {
    await moderator.do("changePeer", { peerId, peerType: "moderator" });
  }
  const another = { url: "rtmp://127.0.0.1:6379/app/name" };
  for (const somebody of [guest, member]) {
    assert.equal(await somebody.do("startStream", another), "invalid_input");
    assert.equal(await somebody.do("startStream", { key: "another" }), "invalid_input");
    assert.equal(await somebody.do("startStream", {}), "ok");
    assert.equal(await moderator.do("stopStream", {}), "ok");
  }
  assert.equal(await moderator.do("startStream", { ...another, key: "another" }), "ok");
  for (const somebody of [guest, member, moderator]) await somebody.do("leave", {});
});

/** Renews its leases, and loses them, a hundred times as fast. */
const hasty: Twin = {
  name: "renews leases of runs often",
  replaced: [
    {
      file: "live/runner.ts",
      lines: "const RUN_LEASE_MS = 15_000;",
      by: "const RUN_LEASE_MS = 150;",
    },
    { file: "live/runner.ts", lines: "const RENEW_MS = 5_000;", by: "const RENEW_MS = 50;" },
  ],
};

test("a live stream whose lease was lost while the database was away goes on", async (t) => {
  const { tenant, moderator } = await meet(t);
  assert.equal(await moderator.do("startStream", {}), "ok");
  const runOf = () =>
    world.database.read
      .selectFrom("runs")
      .selectAll()
      .where("organization_id", "=", tenant.id)
      .executeTakeFirstOrThrow();
  const { id } = await runOf();
  let isAway = false;
  const change: Database["change"] = (...given) =>
    isAway ? Promise.reject(new Error("The database is away.")) : world.database.change(...given);
  const carried: AbortSignal[] = [];
  const ending = Promise.withResolvers<null>();
  const { Runner } = await importFrom<typeof Runners>(hasty, "live/runner.ts");
  const runner = new Runner(
    { ...world.database, change },
    {
      topic: "stream",
      hub: { follow: () => () => {} },
      queue: {
        take: async () => ({ id, organization_id: tenant.id, leave: () => {} }),
        moveUp: async () => {},
      },
      processId: "carrying",
      canRun: () => carried.length < 2,
      async carryOut({ signal }) {
        carried.push(signal);
        if (carried.length === 2) return ending.promise;
        isAway = true;
        await once(signal, "abort");
        isAway = false;
        return null;
      },
      log: pino({ level: "silent" }),
    },
  );
  await until(
    "it is taken up again",
    async () => carried.length === 2 || (await runOf()).ended_at !== null,
  );
  const { process, ended_at: endedAt } = await runOf();
  assert.deepEqual([process, endedAt], ["carrying", null]);
  ending.resolve(null);
  await until("it has ended", async () => (await runOf()).ended_at !== null);
  await runner.stop();
  await moderator.do("leave", {});
});

const topics = ["recording", "stream"] as const;

/** Two places for five meetings, in a process that could capture all of them. */
const fillPlaces = async (t: TestContext, twin?: Twin): Promise<void> => {
  const meetings = [await meet(t), await meet(t), await meet(t)];
  const [first, second, third] = meetings.map(({ moderator }) => moderator);
  await first?.do("startStream", {});
  await second?.do("startRecording", {});
  await third?.do("startStream", {});
  const idsOf = async (table: "runs" | "recordings") =>
    world.database.read
      .selectFrom(table)
      .select(["id", "meeting_id"])
      .where(
        "meeting_id",
        "in",
        meetings.map(({ moderator }) => moderator.view?.meeting.meetingId ?? ""),
      )
      .orderBy("requested_at")
      .execute();
  const [streams, [recording]] = [await idsOf("runs"), await idsOf("recordings")];
  const real = { openCaptureQueue };
  const module = twin ? await importFrom<typeof real>(twin, "meetings/captures/queue.ts") : real;
  const queue = module.openCaptureQueue(world.database, 2, topics);

  const turns = await Promise.all(Array.from({ length: 5 }, () => queue.take("stream")));
  assert.equal(turns.filter((turn) => turn !== undefined).length, 2, "more than it has places");
  for (const turn of turns) turn?.leave();
  for (const turn of turns) turn?.leave();

  for (const [id, expected] of [
    [streams[0]?.id, "stream"],
    [recording?.id, "recording"],
    [streams[1]?.id, "stream"],
  ] as const) {
    for (const topic of topics) {
      const turn = await queue.take(topic);
      assert.equal(turn?.id, topic === expected ? id : undefined, `${topic} is not next`);
      turn?.leave();
    }
    // The steps of the process that has the place.
    if (expected === "recording") await setRecording(world.database, id ?? "", { state: "active" });
    else {
      const carried = { process: "another", lease_until: "2999-01-01T00:00:00.000Z" };
      await world.database.change(async (tx) => {
        await tx
          .updateTable("runs")
          .set(carried)
          .where("id", "=", id ?? "")
          .execute();
      });
    }
  }
  assert.equal(await queue.take("stream"), undefined, "what others carry out is not taken");

  // An interrupted recording resumes before captures that were requested meanwhile.
  await first?.do("startRecording", {});
  await meetings[1]?.tenant.change(async (change) => {
    const row = await change.tx
      .updateTable("recordings")
      .set({ state: "ready", error: "interrupted" })
      .where("id", "=", recording?.id ?? "")
      .returningAll()
      .executeTakeFirstOrThrow();
    await continueRecording(change, row);
  });
  await second?.sees("it is the next one", ({ recorder }) => recorder?.before === 0);
  await first?.sees("it comes later", ({ recorder }) => recorder?.before === 1);
  for (const { moderator } of meetings) await moderator.do("leave", {});
};

test("a process has no more captures than places, and the oldest comes first, whatever its kind", (t) =>
  fillPlaces(t));

testTwin("twins that count late, or take other processes' captures, are detected", async (t) => {
  for (const twin of [countsLate, takesOthers]) {
    await assert.rejects(fillPlaces(t, twin), assert.AssertionError, twin.name);
  }
});

/** Many requests begin a stream at the same time, at both processes, repeatedly. */
const rush = async (t: TestContext, twin?: Twin): Promise<void> => {
  const here = twin ? await startWorld(t, { twin }) : world;
  if (twin) await addRecorder(here.database);
  const { tenant, moderator } = await meet(t, here);
  const urls = [here.url, await here.second()];
  for (let round = 0; round < count(3, 50); round += 1) {
    const answers = await Promise.all(
      Array.from({ length: 8 }, async (_, n) => {
        const url = urls[n % urls.length] ?? "";
        return (await tenant.askAt(url)("startStream", { roomId: "r" })).status;
      }),
    );
    assert.equal(answers.filter((status) => status === 200).length, 1, answers.join(" "));
    assert.equal(await moderator.do("stopStream", {}), "ok");
  }
};

test("a meeting has one live stream at a time, however many begin it at once", (t) => rush(t));

testTwin("a twin that checks for a stream before its change starts two in a meeting", async (t) => {
  await assert.rejects(rush(t, streamsTwice), assert.AssertionError);
});
