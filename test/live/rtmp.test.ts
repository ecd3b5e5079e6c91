// Runs: sqlite, waits
// Needs: ffmpeg, nginx, rtmp

import assert from "node:assert/strict";
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createConnection, createServer as createTcpServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, type TestContext, test } from "node:test";
import { createServer } from "node:tls";
import type { IsAllowed } from "../../server/lib/dialing.ts";
import { isAlive } from "../../server/lib/processes.ts";
import { type AmfValue, decodeAmf, encodeAmf } from "../../server/live/amf.ts";
import { chunkReader, TYPE, writeChunks } from "../../server/live/chunks.ts";
import { RtmpError } from "../../server/live/rtmp.ts";
import type * as Send from "../../server/live/send.ts";
import { type SendState, sendStream } from "../../server/live/send.ts";
import { parseTarget } from "../../server/live/target.ts";
import { ffmpegsOf } from "../recordings/recorders.ts";
import { withoutReceiver } from "../run/programs.ts";
import { hasty, noticesNothing } from "../twins/still.ts";
import { testTwin } from "../twins/test-twin.ts";
import { importFrom, type Twin } from "../twins/twin.ts";
import { openCertificates, trust } from "../world/certificates.ts";
import { until } from "../world/process.ts";
import { argumentsOfChildren, probe, startReceiver } from "./receiver.ts";

const skip = { skip: withoutReceiver() };
const KEY = "sentinel-4f1c9d-key";

let folder: string;
let playlist: string;
let source: ChildProcess;
before(async () => {
  if (skip.skip) return;
  folder = await mkdtemp(join(tmpdir(), "parley-source-"));
  playlist = join(folder, "index.m3u8");
  const sample = join(folder, "sample.mp4");
  const picture = ["-f", "lavfi", "-i", "testsrc=size=320x180:rate=10"];
  const tone = ["-f", "lavfi", "-i", "sine=frequency=440"];
  const codecs = ["-c:v", "libx264", "-preset", "ultrafast", "-g", "10", "-c:a", "aac"];
  execFileSync("ffmpeg", ["-v", "error", ...picture, ...tone, ...codecs, "-t", "4", sample]);
  // In real time, like a capture.
  source = spawn(
    "ffmpeg",
    [
      ...["-v", "error", "-re", "-stream_loop", "-1", "-i", sample, "-c", "copy", "-f", "hls"],
      ...["-hls_segment_type", "fmp4", "-hls_time", "1", "-hls_playlist_type", "event", playlist],
    ],
    { stdio: "ignore", cwd: folder },
  );
  await until("the source has begun", () => existsSync(playlist) && readdirSync(folder).length > 5);
});
after(async () => {
  if (skip.skip) return;
  const ended = once(source, "exit");
  source.kill("SIGKILL");
  await ended;
  await rm(folder, { recursive: true, force: true });
});

interface Begun {
  readonly key?: string;
  readonly ffmpeg?: string;
  readonly isAllowed?: IsAllowed;
  /** That of a twin. */
  readonly send?: typeof sendStream;
}
const begin = (url: string, begun: Begun = {}) => {
  const { key = KEY, ffmpeg = "/usr/bin/ffmpeg", isAllowed = () => true } = begun;
  const { send = sendStream } = begun;
  const target = parseTarget(url, key);
  assert.ok(target);
  const over = new AbortController();
  const states: SendState[] = [];
  const lines: string[] = [];
  const write = (...line: readonly unknown[]) => void lines.push(JSON.stringify(line));
  const ended = send({
    target,
    organizationId: "o1",
    isAllowed,
    playlist,
    ffmpeg,
    wasLive: false,
    signal: over.signal,
    onState: (state) => void states.push(state),
    log: { info: write, warn: write },
  });
  ended.catch(() => {});
  return {
    states,
    lines,
    ended,
    async stop() {
      over.abort();
      await ended;
    },
  };
};

test(
  "a stream arrives with its key, and resumes after the receiver was killed",
  skip,
  async (t) => {
    const receiver = await startReceiver(t, KEY);
    const sending = begin(receiver.url);
    const arrives = async () => (await receiver.publishing())[0]?.codecs === "H264 AAC";
    await until("the stream arrives", arrives);
    assert.deepEqual(await receiver.publishing(), [{ name: KEY, codecs: "H264 AAC" }]);
    assert.deepEqual(sending.states.at(-1), { state: "live" });
    const processes = await argumentsOfChildren();
    assert.ok(
      processes.some((one) => one.includes("pipe:1")),
      processes.join("\n"),
    );
    assert.equal(processes.filter((one) => one.includes(KEY)).length, 0);

    /** Returns whether this many recordings have begun, and the last one is long enough to inspect. */
    const hasRecorded = (count: number) => async () => {
      const files = await receiver.recorded();
      return files.length >= count && (await readFile(files.at(-1) ?? "")).length > 50_000;
    };
    await until("much has been recorded", hasRecorded(1));
    await receiver.kill();
    await until("the sender notices", () => sending.states.at(-1)?.state === "reconnecting");
    await receiver.start();
    await until("the stream arrives again", arrives);
    assert.deepEqual(sending.states.at(-1), { state: "live" });
    await until("much has been recorded again", hasRecorded(2));
    await sending.stop();
    await until(
      "the receiver sees the end",
      async () => (await receiver.publishing()).length === 0,
    );
    for (const file of await receiver.recorded()) {
      const { codecs, seconds } = await probe(file);
      assert.deepEqual(codecs, ["aac", "h264"]);
      assert.ok(seconds > 0.5, `${seconds} s`);
    }
    assert.ok(sending.lines.length > 0);
    assert.equal(sending.lines.join("\n").includes(KEY), false);
  },
);

/** The ffmpeg that repacks a stream stands still. */
const standStill = async (t: TestContext, twin: Twin, patience?: number): Promise<void> => {
  const receiver = await startReceiver(t, KEY);
  const { sendStream: send } = await importFrom<typeof Send>(twin, "live/send.ts");
  const sending = begin(receiver.url, { send });
  t.after(() => sending.stop());
  const isLive = () => sending.states.at(-1)?.state === "live";
  const repacking = () => ffmpegsOf(`${playlist} -c copy -flvflags`);
  await until("the stream arrives", isLive);
  const [pid] = repacking();
  assert.ok(pid);
  process.kill(pid, "SIGSTOP");
  t.after(() => isAlive(pid) && process.kill(pid, "SIGKILL"));
  const isBroken = () => sending.states.some(({ state }) => state === "reconnecting");
  await until("it is noticed", isBroken, patience);
  const broken = sending.states.find(({ state }) => state === "reconnecting");
  assert.deepEqual(broken, { state: "reconnecting", error: "source" });
  await until("the stream arrives again", isLive);
  assert.equal(repacking().includes(pid), false);
};

test("a stream whose ffmpeg hangs goes on with another one", skip, (t) =>
  standStill(t, hasty({ repacker: 5_000 })),
);

testTwin(
  "a twin that does not notice it is detected",
  async (t) => {
    await assert.rejects(standStill(t, noticesNothing, 15_000), /in vain: it is noticed/);
  },
  { ...skip, onSqlite: true },
);

test("a wrong key ends the stream with the receiver's refusal", skip, async (t) => {
  const receiver = await startReceiver(t, KEY);
  const sending = begin(receiver.url, { key: "another" });
  await assert.rejects(sending.ended, (error) => {
    assert.ok(error instanceof RtmpError);
    assert.equal(error.failure, "refused");
    assert.equal(error.message.includes("another"), false);
    return true;
  });
  assert.deepEqual(await receiver.recorded(), []);
});

test(
  "over rtmps the stream arrives encrypted, and only at a receiver with a valid certificate",
  skip,
  async (t) => {
    const receiver = await startReceiver(t, KEY);
    const files = (await openCertificates(t)).make("receiver");
    const [cert, key] = [await readFile(files.cert), await readFile(files.key)];
    // A TLS proxy for receivers that do not support TLS themselves.
    const secured = createServer({ cert, key }, (socket) => {
      const behind = createConnection(receiver.port, "127.0.0.1");
      for (const one of [socket, behind]) one.on("error", () => {});
      socket.pipe(behind).pipe(socket);
      socket.on("close", () => behind.destroy());
    });
    secured.listen(0, "127.0.0.1");
    await once(secured, "listening");
    t.after(() => secured.close());
    const address = secured.address();
    assert.ok(typeof address === "object" && address !== null);
    const url = `rtmps://127.0.0.1:${address.port}/studio`;

    await assert.rejects(begin(url).ended, { failure: "certificate" });
    await trust(files);
    const sending = begin(url);
    await until("the stream arrives", async () => (await receiver.publishing()).length > 0);
    await sending.stop();
  },
);

/** A receiver that accepts each stream, and closes the connection once it has got something of it. */
const startFickleReceiver = async (t: TestContext, onTag: () => void): Promise<string> => {
  const server = createTcpServer((socket) => {
    const read = chunkReader();
    const answer = (stream: number, ...values: AmfValue[]) => {
      const message = { type: TYPE.command, stream, timestamp: 0, body: encodeAmf(...values) };
      socket.write(writeChunks(3, message, 128));
    };
    /** The bytes of the handshake that are still to come. */
    let left = 1 + 2 * 1536;
    socket.write(Buffer.alloc(left, 3));
    socket.on("error", () => {});
    socket.on("data", (bytes: Buffer) => {
      const skipped = Math.min(left, bytes.length);
      left -= skipped;
      for (const { type, stream, body } of read(bytes.subarray(skipped))) {
        const [name, transaction] = type === TYPE.command ? decodeAmf(body) : [];
        if (name === "publish") {
          answer(stream, "onStatus", 0, null, { code: "NetStream.Publish.Start" });
        } else if (name !== undefined) answer(stream, "_result", transaction, null, 1);
        else if (type === TYPE.video && !socket.destroyed) {
          onTag();
          socket.destroy();
        }
      }
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => server.close());
  const address = server.address();
  assert.ok(typeof address === "object" && address !== null);
  return `rtmp://127.0.0.1:${address.port}/studio`;
};

/** Writes FLV without end. */
const FFMPEG = `#!/bin/sh
printf 'FLV\\001\\005\\000\\000\\000\\011\\000\\000\\000\\000'
while :; do printf '\\011\\000\\000\\001\\000\\000\\000\\000\\000\\000\\000x\\000\\000\\000\\014'; done
`;

test("a receiver that accepts and then closes is tried less and less often, until a connection lasts", async (t) => {
  const programs = await mkdtemp(join(tmpdir(), "parley-programs-"));
  t.after(() => rm(programs, { recursive: true, force: true }));
  const ffmpeg = join(programs, "ffmpeg");
  await writeFile(ffmpeg, FFMPEG, { mode: 0o700 });
  const now = performance.now.bind(performance);
  let connections = 0;
  // The third one lasts a minute.
  t.mock.method(performance, "now", () => now() + (connections >= 3 ? 60_000 : 0));
  const url = await startFickleReceiver(t, () => {
    connections += 1;
  });
  const sending = begin(url, { ffmpeg });
  await until("it is tried three times", () => sending.lines.length >= 3);
  await sending.stop();
  const pauses = sending.lines.map((line) => JSON.parse(line)[0].pauseMs);
  assert.deepEqual(pauses.slice(0, 3), [1_000, 2_000, 1_000]);
  const states = sending.states.map(({ state }) => state);
  assert.deepEqual(states.slice(0, 6), Array(3).fill(["live", "reconnecting"]).flat());
});
