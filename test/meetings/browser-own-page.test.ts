// Runs: sqlite, pictures
// Needs: browser, media-engine

import assert from "node:assert/strict";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { openBrowser } from "../console/browser.ts";
import { until } from "../world/process.ts";
import { startWorld } from "../world/world.ts";
import { begin, startEngineOfFile } from "./engine.ts";
import { invite } from "./invited.ts";
import { connectSdk, publishTone } from "./sdk.ts";

const files: Readonly<Record<string, readonly [string, string]>> = {
  "/meeting.html": ["docs/samples/meeting.html", "text/html"],
  "/meeting.js": ["docs/samples/meeting.js", "text/javascript"],
  "/livekit-client.esm.mjs": [
    "node_modules/livekit-client/dist/livekit-client.esm.mjs",
    "text/javascript",
  ],
};

/** The server of somebody's own page. */
const pages = createServer(async ({ url = "" }, response) => {
  const [file, type] = files[url] ?? [];
  if (file === undefined || type === undefined) return void response.writeHead(404).end();
  const body = await readFile(new URL(`../../${file}`, import.meta.url));
  response.writeHead(200, { "content-type": type }).end(body);
}).listen(0, "127.0.0.1");
await once(pages, "listening");
test.after(() => {
  pages.closeAllConnections();
  pages.close();
});
const { port } = pages.address() as AddressInfo;
const origin = `http://127.0.0.1:${port}`;

const { skip, engine } = await startEngineOfFile();
const world =
  engine &&
  (await startWorld(test, { environment: { ...engine.environment, CORS_ORIGINS: origin } }));

test("the sample page meets from another origin, which CORS_ORIGINS names", skip, async (t) => {
  const { url, guest, moderator, tenant } = await begin(world);
  const [mod, ann] = [await moderator(t), await guest(t, "Ann")];
  const browser = await openBrowser(t, [
    "--use-fake-device-for-media-stream",
    "--use-fake-ui-for-media-stream",
    "--allow-loopback-in-peer-connection",
    "--autoplay-policy=no-user-gesture-required",
  ]);
  const context = await browser.newContext();
  t.after(() => context.close());
  const open = async (from: string) => {
    const page = await context.newPage();
    const invitation = await invite(tenant, "r", "Olga");
    const order = new URLSearchParams({ url, room: "r", invitation });
    await page.goto(`${from}/meeting.html#${order}`);
    return page;
  };
  const page = await open(origin);
  await page.getByText("Inside as Olga").waitFor();
  const olga = () => mod.view?.peers.find(({ peerName }) => peerName === "Olga");
  await until("she is inside", () => olga()?.audio === false);
  await page.getByRole("button", { name: "Turn the microphone on" }).click();
  await until("her microphone is on", () => olga()?.audio === true);
  await page.getByRole("button", { name: "Turn the microphone off" }).click();
  await until("it is muted", () => olga()?.audio === false);

  await page.getByText("Ann (muted)").waitFor();
  await publishTone(await connectSdk(t, url, ann.ticket), 440);
  await page.getByText("Ann", { exact: true }).waitFor();
  const playing = `[...document.querySelectorAll("li audio")]
    .some(({ paused, srcObject }) => !paused && srcObject.getAudioTracks()[0]?.muted === false)`;
  await until("Ann is heard", () => page.evaluate<boolean>(playing));

  await page.getByRole("textbox", { name: "Message" }).fill("Hello from our page");
  await page.getByRole("button", { name: "Send" }).click();
  await until("it is read", () => mod.chat.some(({ text }) => text === "Hello from our page"));
  assert.equal(await ann.do("chat", { text: "Hello, Olga" }), "ok");
  await page.getByText("Ann: Hello, Olga").waitFor();

  await page.getByRole("button", { name: "Leave" }).click();
  await until("she has left", () => olga() === undefined);
  await page.getByText("Inside").waitFor({ state: "detached" });

  const strange = await open(origin.replace("127.0.0.1", "localhost"));
  const [refused] = await Promise.all([strange.waitForEvent("requestfailed"), strange.reload()]);
  assert.match(refused.url(), /joinRoom$/);
  assert.equal(olga(), undefined);
});
