// Runs: sqlite, pictures, complete
// Needs: browser, media-engine

import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { after, before, test } from "node:test";
import { SignalResponse } from "@livekit/protocol";
import type { Browser, Page } from "playwright-core";
import { openBrowser } from "../console/browser.ts";
import { noEngine } from "../run/engine.ts";
import { findChromium } from "../run/programs.ts";
import { enter as connect, type Gate, mayAll, openGate } from "./gate.ts";
import { type OwnEngine, ownEngine, until } from "./world.ts";

const skip = { skip: noEngine || (findChromium() === undefined && "Chromium is not installed") };

let own: OwnEngine;
let gate: Gate;
let browser: Browser;
if (!skip.skip) {
  browser = await openBrowser(test, [
    ...["--use-fake-device-for-media-stream=fps=10", "--use-fake-ui-for-media-stream"],
    ...["--allow-loopback-in-peer-connection", "--autoplay-policy=no-user-gesture-required"],
  ]);
}
before(async () => {
  if (skip.skip) return;
  own = await ownEngine();
  await own.engine.start();
  gate = await openGate(own.engine);
});
after(async () => {
  if (skip.skip) return;
  // The gate stops once nobody is connected.
  await Promise.all(browser.contexts().map((context) => context.close()));
  await gate.stop();
  await own.engine.stop();
  await rm(own.dataDir, { recursive: true, force: true });
});

/** The part of LiveKit's client that the page's script uses: text, because it runs in the browser. */
const enterRoom = (url: string, ticket: string): string => `(async () => {
  const room = (window.room = new LivekitClient.Room());
  window.ended = new Promise((resolve) => room.once("disconnected", resolve));
  await room.connect(${JSON.stringify(url)}, ${JSON.stringify(ticket)});
  // A picture of its own: where pages open the browser's pretended camera again at once, it may stand still.
  const canvas = Object.assign(document.createElement("canvas"), { width: 320, height: 180 });
  const brush = canvas.getContext("2d");
  let drawn = 0;
  setInterval(() => {
    brush.fillStyle = "hsl(" + (drawn++ * 7 % 360) + " 80% 50%)";
    brush.fillRect(0, 0, 320, 180);
  }, 66);
  const [camera] = canvas.captureStream(15).getVideoTracks();
  await room.localParticipant.publishTrack(camera, { source: "camera" });
  await room.localParticipant.setMicrophoneEnabled(true);
})()`;

/** The number of frames decoded from each other person's camera. */
const decoded = `(async () => {
  const frames = {};
  for (const person of room.remoteParticipants.values()) {
    frames[person.identity] = 0;
    for (const { track } of person.trackPublications.values()) {
      if (track?.kind !== "video") continue;
      for (const report of (await track.receiver.getStats()).values()) {
        if (report.type === "inbound-rtp") frames[person.identity] = report.framesDecoded ?? 0;
      }
    }
  }
  return frames;
})()`;

const framesOf = (page: Page): Promise<Record<string, number>> => page.evaluate(decoded);

/** Waits until a page has decoded this many more frames of a person. */
const watches = async (page: Page, seat: string, more = 20): Promise<void> => {
  const before = (await framesOf(page))[seat] ?? 0;
  // A new connection counts from 0 again.
  await until(async () => Math.abs(((await framesOf(page))[seat] ?? 0) - before) > more);
};

const enter = async (seat: string, see = (_: string): "all" | "none" => "all"): Promise<Page> => {
  gate.tickets.set(`ticket-${seat}`, { seat, grant: mayAll, see });
  const page = await browser.newPage();
  await page.goto(gate.url.replace("ws:", "http:"));
  await page.evaluate(enterRoom(`${gate.url}/api/meeting`, `ticket-${seat}`));
  return page;
};

test(
  "people in browsers see each other through the gate, and under privacy participants see only the moderator",
  skip,
  async () => {
    const onlyModerator = (seat: string) => (seat === "mod" ? "all" : "none");
    const moderator = await enter("mod");
    const ann = await enter("ann", onlyModerator);
    const bob = await enter("bob", onlyModerator);
    await Promise.all([
      watches(moderator, "ann"),
      watches(moderator, "bob"),
      watches(ann, "mod"),
      watches(bob, "mod"),
    ]);
    assert.deepEqual(Object.keys(await framesOf(ann)), ["mod"]);
    assert.deepEqual(Object.keys(await framesOf(bob)), ["mod"]);

    // Privacy ends, and they see each other without joining again; then it begins again.
    for (const seat of ["ann", "bob"])
      gate.tickets.set(`ticket-${seat}`, { seat, grant: mayAll, see: () => "all" });
    for (const seat of ["ann", "bob"]) gate.relay.look(seat, () => "all");
    await Promise.all([watches(ann, "bob"), watches(bob, "ann")]);
    gate.relay.look("ann", onlyModerator);
    await until(async () => !Object.hasOwn(await framesOf(ann), "bob"));
    await watches(ann, "mod");
    await watches(bob, "ann");
    for (const page of [moderator, ann, bob]) await page.close();
  },
);

test(
  "a cut connection resumes, the same ticket joins a restarted engine, and a removed person stays out",
  skip,
  async () => {
    const one = await enter("one");
    const two = await enter("two");
    await Promise.all([watches(one, "two"), watches(two, "one")]);

    gate.relay.cut("one");
    await until(async () => gate.ended.some(({ seat }) => seat === "one"));
    await until(async () => gate.relay.seats().has("one"));
    await watches(one, "two");

    process.kill(await own.pid(), "SIGKILL");
    await until(
      async () => (await own.engine.list().catch(() => new Map())).get("meeting")?.size === 2,
    );
    await Promise.all([watches(one, "two"), watches(two, "one")]);

    gate.tickets.delete("ticket-one");
    await own.engine.remove("meeting", "one");
    await one.evaluate("ended");
    // The page may know it before the gate does.
    await until(async () => !gate.relay.seats().has("one"));
    await assert.rejects(one.evaluate(enterRoom(`${gate.url}/api/meeting`, "ticket-one")));
    for (const page of [one, two]) await page.close();
  },
);

/** As `enterRoom`, for a page that attacks: it publishes six pictures with long texts. */
const enterLoudly = (url: string, ticket: string): string => `(async () => {
  const room = (window.room = new LivekitClient.Room());
  await room.connect(${JSON.stringify(url)}, ${JSON.stringify(ticket)});
  const text = "x".repeat(240_000);
  for (let at = 0; at < 6; at++) {
    const canvas = Object.assign(document.createElement("canvas"), { width: 32, height: 32 });
    const brush = canvas.getContext("2d");
    setInterval(() => brush.fillRect(0, 0, 32, 32), 100);
    const [camera] = canvas.captureStream(5).getVideoTracks();
    const as = { source: "camera", simulcast: false, name: text };
    await room.localParticipant.publishTrack(camera, as);
  }
})()`;

test(
  "guests whose tracks have long names keep nobody out, and of 1,200 mutes a few reach the others",
  skip,
  async () => {
    const loud = ["loud-1", "loud-2", "loud-3"];
    const pages = await Promise.all(
      loud.map(async (seat) => {
        gate.tickets.set(`ticket-${seat}`, { seat, grant: mayAll, see: () => "all" });
        const page = await browser.newPage();
        await page.goto(gate.url.replace("ws:", "http:"));
        await page.evaluate(enterLoudly(`${gate.url}/api/meeting`, `ticket-${seat}`));
        return page;
      }),
    );
    gate.tickets.set("ticket-late", { seat: "late", grant: mayAll, see: () => "all" });
    const late = await connect(gate, "ticket-late");
    const { otherParticipants } = await late.next("join");
    const tracks = new Map(
      otherParticipants.map(({ identity, tracks: { length } }) => [identity, length]),
    );
    assert.deepEqual(
      loud.map((seat) => tracks.get(seat)),
      [6, 6, 6],
    );
    const bytes = () =>
      late.messages.reduce(
        (sum, message) => sum + new SignalResponse({ message }).toBinary().length,
        0,
      );
    assert.ok(bytes() < 100_000, `${bytes()} bytes`);

    const before = late.messages.length;
    const [page] = pages;
    await page?.evaluate(`(async () => {
      const [{ trackSid }] = room.localParticipant.trackPublications.values();
      for (let at = 0; at < 1_200; at++) room.engine.client.sendMuteTrack(trackSid, at % 2 === 0);
      room.engine.client.sendMuteTrack(trackSid, true);
    })()`);
    const updates = () =>
      late.messages
        .slice(before)
        .flatMap((message) => (message.case === "update" ? message.value.participants : []));
    await until(async () => updates().some(({ tracks }) => tracks.some(({ muted }) => muted)));
    // Everything sent before this answer has arrived.
    await page?.evaluate(`room.engine.client.sendPing()`);
    assert.ok(updates().length < 100, `${updates().length} updates`);
    late.socket.terminate();
    for (const one of pages) await one.close();
  },
);
