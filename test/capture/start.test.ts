// Runs: sqlite, pictures
// Needs: browser, ffmpeg

import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { pino } from "pino";
import type { WebSocket } from "ws";
import { launchBrowser } from "../../server/capture/browser.ts";
import type * as Module from "../../server/capture/capture.ts";
import { findFfmpeg } from "../../server/capture/programs.ts";
import { finishRecording } from "../../server/recordings/finish.ts";
import { enter } from "../meetings/inside.ts";
import { newPlace } from "../meetings/place.ts";
import { decode, slowPictures } from "../recordings/files.ts";
import { ffmpegsOf } from "../recordings/recorders.ts";
import { hasty, noticesNothing } from "../twins/still.ts";
import { testTwin } from "../twins/test-twin.ts";
import { importFrom, type Twin } from "../twins/twin.ts";
import { until } from "../world/process.ts";
import { startWorld } from "../world/world.ts";

/*
 * When a capture counts as begun, and as standing still. Its browser does nothing here, and the test speaks
 * for the page.
 */

const world = await startWorld(test);

/** A page that sends nothing by itself, and closes on `stop`. */
class Page extends EventEmitter {
  readonly ordered = Promise.withResolvers<void>();
  isStopped = false;
  isStill = false;
  send(message: string): void {
    this.isStopped = JSON.parse(message).type === "stop";
    if (this.isStopped && !this.isStill) this.emit("close");
    else this.ordered.resolve();
  }
  sends(bytes: Buffer | string): void {
    this.emit("message", Buffer.from(bytes), true);
  }
  says(type: string): void {
    this.emit("message", JSON.stringify({ type }), false);
  }
}

const programIn = async (folder: string, name: string, script: string): Promise<string> => {
  const path = join(folder, name);
  await writeFile(path, `#!/bin/sh\n${script}\n`, { mode: 0o700 });
  return path;
};

/** Begins to capture a meeting whose page is the test. */
const begin = async (
  t: TestContext,
  twin: Twin,
  purpose: "record" | "transcribe",
  ffmpegScript?: string,
) => {
  const folder = await mkdtemp(join(tmpdir(), "parley-begins-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const chromium = await programIn(folder, "chromium", "exec sleep 600");
  const ffmpeg =
    ffmpegScript === undefined
      ? findFfmpeg({ ffmpeg: undefined, path: process.env.PATH ?? "" })
      : await programIn(folder, "ffmpeg", ffmpegScript);
  const { tenant, asAdmin } = await newPlace(world);
  const moderator = await enter(t, { url: world.url, ask: asAdmin }, "r");
  const { startCapture } = await importFrom<typeof Module>(twin, "capture/capture.ts");
  const page = new Page();
  const socket = Promise.resolve(page as unknown as WebSocket);
  const own = join(folder, "recording");
  const starting = startCapture(
    {
      database: world.database,
      config: { chromium, ffmpeg, path: "" },
      door: {
        expect: () => ({ url: "", socket, forget: () => {} }),
        stop: async () => {},
      },
      hosts: [],
      log: pino({ level: "silent" }),
    },
    {
      organizationId: tenant.id,
      meetingId: moderator.view?.meeting.meetingId ?? "",
      purpose,
      picture: purpose === "record" ? { width: 256, height: 144 } : null,
      ...(purpose === "record" ? { folder: join(own, "capture") } : { onSound: () => {} }),
    },
  );
  await page.ordered.promise;
  return { page, starting, folder: own };
};

test("a capture may begin slowly, but once begun, a silent page ends it", async (t) => {
  const read = "exec cat > /dev/null";
  const { page, starting } = await begin(t, hasty({ page: 500 }), "record", read);
  // Four times as long as a begun page may be silent.
  await sleep(2_000);
  assert.equal(page.isStopped, false, "it is given up before it has begun");
  page.sends("the first bytes");
  const capture = await starting;
  assert.deepEqual(await capture.ended, { how: "failed", code: "silent" });
});

test("an impossible message from a page ends its capture, and nothing else", async (t) => {
  const texts = ["", "null", "<!doctype html>", "[".repeat(100_000)];
  for (const text of texts) {
    const { page, starting } = await begin(t, hasty({}), "record", "exec cat > /dev/null");
    page.emit("message", text, false);
    await assert.rejects(starting, { name: "CaptureFailed", code: "page_failed" });
  }
  for (const bytes of ["", "a", "\u0000\u0004null"]) {
    const { page, starting } = await begin(t, hasty({}), "transcribe");
    page.sends(bytes);
    const ended = starting.then(({ ended }) => ended);
    assert.deepEqual(await ended, { how: "failed", code: "page_failed" });
  }
});

test("a program that does not behave like Chromium, or does not exit, is ended", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "parley-no-browser-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  for (const words of ["printf 'no json\\0' >&4", "printf 'null\\0' >&4", "yes >&4"]) {
    const program = await programIn(folder, "chromium", `${words}\nexec sleep 600`);
    const browser = await launchBrowser({ program, folder, hosts: [] });
    await assert.rejects(browser.open("about:blank"), /The browser has ended/);
    await browser.ended;
  }
});

test("a transcription whose page hangs ends; silence alone does not end one", async (t) => {
  const { page, starting } = await begin(t, hasty({ page: 2_000 }), "transcribe");
  page.says("begun");
  const capture = await starting;
  let hasEnded = false;
  void capture.ended.then(() => {
    hasEnded = true;
  });
  const listening = setInterval(() => page.says("listening"), 50);
  t.after(() => clearInterval(listening));
  // Twice as long as a page may be silent.
  await sleep(4_000);
  assert.equal(hasEnded, false, "nobody has spoken, and the page has said that it listens");
  clearInterval(listening);
  assert.deepEqual(await capture.ended, { how: "failed", code: "silent" });
});

test("a recording that ends while its page hangs has failed, and what was written plays", async (t) => {
  const { page, starting, folder } = await begin(t, hasty({ end: 1_000 }), "record");
  page.sends(await slowPictures(6));
  const recording = await starting;
  await until("a part of it is written", () => existsSync(join(folder, "capture", "0.m4s")));
  page.isStill = true;
  assert.deepEqual(await recording.stop(), { how: "failed", code: "silent" });
  const recorded = { folder, format: "hls", sizes: ["480p"] } as const;
  const fails = (error: unknown) => assert.fail(`${error}`);
  assert.equal((await finishRecording(undefined, recorded, 0, fails))?.seconds, 6);
});

/** The ffmpeg of a capture stops in the middle of a recording, while its page goes on. */
const standStill = async (t: TestContext, twin: Twin): Promise<void> => {
  const { page, starting, folder } = await begin(t, twin, "record");
  const capture = join(folder, "capture");
  const film = await slowPictures(12);
  page.sends(film);
  const recording = await starting;
  await until("a part of it is written", () => existsSync(join(capture, "0.m4s")));
  const [ffmpeg] = ffmpegsOf(capture);
  assert.ok(ffmpeg);
  process.kill(ffmpeg, "SIGSTOP");
  t.after(() => {
    for (const pid of ffmpegsOf(capture)) process.kill(pid, "SIGKILL");
  });
  const sending = setInterval(() => page.sends("more"), 100);
  t.after(() => clearInterval(sending));
  let how: unknown;
  void recording.ended.then((end) => {
    how = end;
  });
  await until("it has ended", () => how !== undefined, 60_000);
  assert.deepEqual(how, { how: "failed", code: "writer_silent" });
  assert.deepEqual(ffmpegsOf(capture), [], "nothing of it is left");
  const recorded = { folder, format: "hls", sizes: ["480p"] } as const;
  const finished = await finishRecording(undefined, recorded, 0, (error) =>
    assert.fail(`${error}`),
  );
  assert.ok((finished?.seconds ?? 0) >= 4, `${finished?.seconds} s`);
  assert.equal(await decode(join(folder, "index.m3u8")), "");
};

test("a capture whose ffmpeg hangs ends, and what was written plays", (t) =>
  standStill(t, hasty({ writer: 10_000 })));

testTwin(
  "a twin that does not notice it is detected",
  async (t) => {
    await assert.rejects(standStill(t, noticesNothing), /in vain: it has ended/);
  },
  { onSqlite: true },
);
