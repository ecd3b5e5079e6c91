import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { pino } from "pino";
import type { WebSocket } from "ws";
import { startCapture } from "../../server/capture/capture.ts";
import { enter } from "../meetings/inside.ts";
import { newPlace } from "../meetings/place.ts";
import { startWorld } from "../world/world.ts";

/*
 * When a capture counts as begun, and as stalled. Its programs do nothing here, and the test speaks for the
 * page of its browser.
 */

const world = await startWorld(test);

/** A page that sends nothing by itself, and closes on `stop`. */
class Page extends EventEmitter {
  readonly ordered = Promise.withResolvers<void>();
  isStopped = false;
  send(message: string): void {
    this.isStopped = JSON.parse(message).type === "stop";
    if (this.isStopped) this.emit("close");
    else this.ordered.resolve();
  }
}

test("a capture may begin slowly; once it has begun, half a minute without bytes ends it", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "parley-begins-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const program = async (name: string, script: string): Promise<string> => {
    const path = join(folder, name);
    await writeFile(path, `#!/bin/sh\n${script}\n`, { mode: 0o700 });
    return path;
  };
  const chromium = await program("chromium", "exec sleep 600");
  const ffmpeg = await program("ffmpeg", "exec cat > /dev/null");
  const { tenant, asAdmin } = await newPlace(world);
  const moderator = await enter(t, { url: world.url, ask: asAdmin }, "r");

  const intervals = t.mock.method(globalThis, "setInterval");
  const now = performance.now.bind(performance);
  /** Lets the capture look at its clock as if a minute had passed. */
  const waitAMinute = () => {
    const later = t.mock.method(performance, "now", () => now() + 60_000);
    for (const { arguments: given } of intervals.mock.calls) {
      const [look, ms] = given as [() => void, number];
      if (ms === 1_000) look();
    }
    later.mock.restore();
  };
  const page = new Page();
  const socket = Promise.resolve(page as unknown as WebSocket);
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
      purpose: "record",
      picture: null,
      folder: join(folder, "recording"),
    },
  );
  await page.ordered.promise;
  waitAMinute();
  await new Promise(setImmediate);
  assert.equal(page.isStopped, false, "it is given up before it has begun");
  page.emit("message", Buffer.from("the first bytes"), true);
  const capture = await starting;
  waitAMinute();
  assert.deepEqual(await capture.ended, { how: "failed", code: "silent" });
});
