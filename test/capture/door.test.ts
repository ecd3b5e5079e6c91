// Runs: sqlite, pictures
// Needs: browser, ffmpeg

import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { WebSocket } from "ws";
import { openCaptures } from "../../server/capture/captures.ts";
import { openDoor } from "../../server/capture/door.ts";
import type { Database } from "../../server/db/open.ts";

const pages = await mkdtemp(join(tmpdir(), "parley-pages-"));
await writeFile(join(pages, "capture.html"), "the page");
await writeFile(join(pages, "secret.txt"), "not a page");
const door = await openDoor(pages, []);
after(async () => {
  await door.stop();
  await rm(pages, { recursive: true });
});
const { origin, host } = new URL(door.expect().url);

/** The status of a GET. */
const get = (path: string, headers: Record<string, string> = {}): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    request(`${origin}${path}`, { headers }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    })
      .on("error", reject)
      .end();
  });

/** Connects with a code. @returns the outcome: the status of a refusal, or whether it was let in or cut */
const comeIn = (code: string, headers: Record<string, string> = {}): Promise<number | string> =>
  new Promise((resolve) => {
    const socket = new WebSocket(`${origin.replace("http", "ws")}/capture/socket`, {
      origin: headers.origin ?? origin,
      headers,
    });
    socket.once("unexpected-response", (_, { statusCode }) => resolve(statusCode ?? 0));
    socket.once("error", () => {});
    socket.once("open", () => socket.send(JSON.stringify({ type: "hello", code })));
    socket.once("message", (data) => resolve(String(data)));
    socket.once("close", () => resolve("cut"));
  });

test("only the page and its files are served, and only under the expected host name", async () => {
  assert.equal(await get("/"), 200);
  const { pathname, search } = new URL(door.expect("ja").url);
  assert.equal(search, "?lang=ja", "the page of the organization's language");
  assert.equal(await get(pathname + search), 200);
  assert.equal(await get("/secret.txt"), 404);
  assert.equal(await get("/assets/../secret.txt"), 404);
  assert.equal(await get("/assets/%2e%2e%2fsecret.txt"), 404);
  assert.equal(await get("/", { host: `attacker.example:${host.split(":")[1]}` }), 403);
});

test("another site's page cannot connect, and a code works once", async () => {
  const { url, socket } = door.expect();
  void socket.then((opened) => opened.send("welcome"));
  const code = new URL(url).hash.slice(1);
  assert.equal(await comeIn(code, { origin: "http://attacker.example" }), 403);
  assert.equal(await comeIn(code, { host: "attacker.example" }), 403);
  assert.equal(await comeIn("a guess"), "cut");
  assert.equal(await comeIn(code), "welcome", "none of these has used it up");
  assert.equal(await comeIn(code), "cut");
  const forgotten = door.expect();
  forgotten.forget();
  assert.equal(await comeIn(new URL(forgotten.url).hash.slice(1)), "cut");
});

test("a door that failed to open once opens for the next capture", async (t) => {
  const captures = openCaptures({
    database: {} as Database,
    config: { chromium: "/nowhere", ffmpeg: undefined, path: "" },
    pages,
    entrances: [],
    hosts: [],
    log: { warn: () => {} },
  });
  const options = { organizationId: "o", meetingId: "m", purpose: "live", picture: null } as const;
  const listening = t.mock.method(Server.prototype, "listen", function (this: Server) {
    return this.emit("error", new Error("no file descriptor")) && this;
  });
  await assert.rejects(captures.start(options), /no file descriptor/);
  listening.mock.restore();
  await assert.rejects(captures.start(options), { code: "recorder_missing" });
  await captures.stop();
});
