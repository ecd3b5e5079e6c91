// Runs: postgres, pictures, complete, unsteady
// Needs: ffmpeg, nginx, rtmp, speech

import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { mkdtemp, rename, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { buildConsole } from "../../console/build.ts";
import { findFfmpeg } from "../../server/capture/programs.ts";
import { openRtmpPublisher, type RtmpPublisher } from "../../server/live/rtmp.ts";
import { parseTarget } from "../../server/live/target.ts";
import { enter, openSocket } from "../meetings/inside.ts";
import { withoutReceiver, withoutSpeech } from "../run/programs.ts";
import { startSpeechService } from "../transcription/speech.ts";
import { askAs } from "../world/ask.ts";
import { openHouse } from "../world/house.ts";
import { startProcess, until } from "../world/process.ts";
import { startReceiver } from "./receiver.ts";

const skip = { skip: withoutReceiver() || withoutSpeech() };
const KEY = "sentinel-5d02-stream-key";
const SPEECH_KEY = "sentinel-81aa-speech-key";

const read = (path: string): string => {
  try {
    return readFileSync(path, "latin1");
  } catch {
    // A process or file that has disappeared meanwhile.
    return "";
  }
};

/** Arguments and environment of all programs below one, as other processes see them (Linux). */
const programsBelow = (pid: number): readonly { readonly pid: number; readonly text: string }[] =>
  globSync("/proc/[0-9]*").flatMap((folder) => {
    const after = read(`${folder}/stat`).replace(/^.*\) /s, "");
    if (Number(after.split(" ")[1]) !== pid) return [];
    const child = Number(folder.slice("/proc/".length));
    const text = read(`${folder}/cmdline`) + read(`${folder}/environ`);
    return [{ pid: child, text }, ...programsBelow(child)];
  });

/**
 * Publishes as soon as the receiver allows it: stands for a publisher that is gone, but that the receiver
 * still holds.
 */
const takePlace = async (url: string): Promise<RtmpPublisher> => {
  const target = parseTarget(url, KEY);
  assert.ok(target);
  let publisher: RtmpPublisher | undefined;
  await until("the receiver has a place", async () => {
    const dialing = { organizationId: "o1", isAllowed: () => true };
    const signal = AbortSignal.timeout(60_000);
    publisher = await openRtmpPublisher(target, dialing, signal).catch(() => undefined);
    return publisher !== undefined;
  });
  return publisher ?? assert.fail();
};

test(
  "another process takes over the stream and the transcription of a killed one, and their keys are nowhere",
  skip,
  async (t) => {
    await buildConsole();
    const folder = await mkdtemp(join(tmpdir(), "parley-live-kills-"));
    t.after(() => rm(folder, { recursive: true, force: true }));
    const speech = await startSpeechService(t, folder, SPEECH_KEY);
    const receiver = await startReceiver(t, KEY);
    const ffmpeg = join(folder, "ffmpeg");
    const house = await openHouse(t, {
      environment: {
        LOG_LEVEL: "debug",
        ALLOWED_NETWORKS: "loopback",
        RECORDERS: "2",
        FFMPEG: ffmpeg,
        SPEECH_URL: speech.url,
        SPEECH_KEY,
      },
    });
    const { token, admin } = await house.beside((world) => world.tenant());
    let service = await startProcess(t, house.environment);
    const ask = () => askAs(service.url, token);
    const flags = {
      enableLiveStreaming: true,
      enableRTMPStreaming: true,
      enableTranscription: true,
    };
    await ask()("createRoom", { name: "R", room: "r", roomOwnerId: admin.id, ...flags });
    let somebody = await enter(t, { url: service.url, ask: ask() }, "r", { peerName: "Mo" });
    const answers: string[] = [];
    const stream = { roomId: "r", url: receiver.url, key: KEY };
    const start = async (): Promise<number> => {
      const answer = await ask()("startStream", stream);
      answers.push(answer.text);
      return answer.status;
    };
    assert.equal(await start(), 503);
    await symlink(findFfmpeg({ ffmpeg: undefined, path: process.env.PATH ?? "" }) ?? "", ffmpeg);
    await until("ffmpeg is found", async () => (await start()) === 200);
    const transcription = await ask()("startTranscription", { roomId: "r" });
    assert.equal(transcription.status, 200, transcription.text);

    const streamNow = async () => {
      const answer = await ask()("getMeeting", { roomId: "r" });
      answers.push(answer.text);
      return answer.body.meeting.liveStream;
    };
    const areLive = async (): Promise<boolean> => {
      const liveStream = await streamNow();
      assert.notEqual(liveStream, null, service.said());
      return liveStream.state === "live" && (await receiver.publishing()).length === 1;
    };
    /** The receiver still holds the former publisher, and releases it at last. */
    const isRefusedFor = async (held: Promise<RtmpPublisher>): Promise<void> => {
      const former = await held;
      await until("the receiver refuses the stream", async () => {
        const liveStream = await streamNow();
        assert.notEqual(liveStream, null, "the stream has ended");
        return liveStream.state === "reconnecting" && liveStream.error === "refused";
      });
      await former.close();
      await until("the stream is live again", areLive);
    };
    const breakCapture = (): void => {
      const programs = programsBelow(service.child.pid ?? 0);
      const writer = programs.find(({ text }) => text.includes("hls_playlist_type"));
      process.kill(writer?.pid ?? assert.fail("nothing is captured"), "SIGKILL");
    };
    /** The stored runs, sorted by topic. */
    const runs = async () => {
      const rows = await house.beside(({ database }) =>
        database.read.selectFrom("runs").select(["id", "topic", "state", "ended_at"]).execute(),
      );
      return rows.toSorted((a, b) => a.topic.localeCompare(b.topic));
    };
    const showsNoKey = (): void => {
      const programs = programsBelow(service.child.pid ?? 0);
      assert.ok(programs.some(({ text }) => text.includes("parley-capture-")));
      assert.ok(programs.some(({ text }) => text.includes("pipe:1")));
      const files = globSync("**/*", {
        cwd: house.environment.DATA_DIR ?? "",
        withFileTypes: true,
      }).filter((one) => one.isFile());
      assert.ok(files.length > 0);
      const places = {
        "the programs": programs.map(({ text }) => text).join("\n"),
        "the service's arguments": read(`/proc/${service.child.pid}/cmdline`),
        "the log": service.said(),
        "the answers": answers.join("\n"),
        "what people inside get": JSON.stringify(somebody.messages),
        "the data folder": files.map((one) => read(join(one.parentPath, one.name))).join("\n"),
      };
      for (const [place, text] of Object.entries(places)) {
        for (const key of [KEY, SPEECH_KEY]) assert.equal(text.includes(key), false, place);
      }
    };

    await until("the stream is live", areLive);
    await somebody.sees("that it is transcribed", ({ meeting }) => meeting.transcribing);
    showsNoKey();
    const heldHere = takePlace(receiver.url);
    // Without ffmpeg it waits and says why; the transcription, which needs none, continues.
    await rename(ffmpeg, `${ffmpeg}-away`);
    breakCapture();
    await until("the stream waits for ffmpeg", async () => {
      const liveStream = await streamNow();
      assert.notEqual(liveStream, null, "the stream has ended");
      return liveStream.state === "queued" && liveStream.error === "recorder_missing";
    });
    await rename(`${ffmpeg}-away`, ffmpeg);
    await isRefusedFor(heldHere);
    // This process has no work, and keeps checking.
    const other = await startProcess(t, house.environment);
    const heldThere = takePlace(receiver.url);
    await service.end("SIGKILL");
    const before = await runs();
    assert.deepEqual(
      before.map(({ topic, ended_at }) => [topic, ended_at]),
      [
        ["stream", null],
        ["transcription", null],
      ],
    );

    service = other;
    somebody = await openSocket(t, service.url, somebody);
    await isRefusedFor(heldThere);
    await somebody.sees("that it is transcribed again", ({ meeting }) => meeting.transcribing);
    showsNoKey();
    assert.equal((await ask()("stopStream", { roomId: "r" })).status, 200);
    await until("the stream ends", async () => (await streamNow()) === null);
    await until(
      "the receiver sees the end",
      async () => (await receiver.publishing()).length === 0,
    );
    await service.end();
    const after = await runs();
    assert.deepEqual(
      after.map(({ id }) => id),
      before.map(({ id }) => id),
    );
    const left = await house.beside(({ database }) =>
      database.read.selectFrom("runs").selectAll().where("topic", "=", "stream").execute(),
    );
    assert.deepEqual(
      left.map(({ state, receiver: sealed, error }) => [state, sealed, error]),
      [["ended", null, null]],
    );
  },
);
