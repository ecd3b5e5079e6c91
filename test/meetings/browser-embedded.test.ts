// Runs: sqlite, complete, pictures
// Needs: browser, ffmpeg

import assert from "node:assert/strict";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { createClient } from "../../contract/client.ts";
import type { PeerType } from "../../contract/meetings/meetings.ts";
import { assertAccessible, shoot } from "../console/looks.ts";
import { until } from "../world/process.ts";
import { openSocket } from "./inside.ts";
import { leaveAll, startMeetings } from "./people.ts";

/** Notes every event of a meeting, and what its calls come to. */
const NOTES = `
  globalThis.heard = [];
  const events = ["joined", "left", "peer-joined", "peer-left", "muted", "unmuted", "camera",
    "share", "hand", "message", "recording", "ended", "error"];
  globalThis.note = (meeting, mark = "") => {
    for (const name of events) meeting.addEventListener(name, ({ detail }) => heard.push({ name: mark + name, detail }));
    return meeting;
  };
  globalThis.call = (method, input) => document.querySelector("parley-meeting")[method](input)
    .then(() => "done", ({ name, code }) => name + " " + code);`;

/** Another site than the service's, with the sample page and an empty one. */
const pages = createServer(async ({ url = "" }, answer) => {
  answer.setHeader("content-type", "text/html");
  const sample = await readFile(new URL("../../deploy/embed.html", import.meta.url), "utf8");
  if (url.startsWith("/embed.html")) {
    answer.end(sample.replaceAll("https://meet.example.org", service.url));
  } else if (url.startsWith("/around")) {
    const inner = decodeURIComponent(url.split("?")[1] ?? "");
    answer.end(`<!doctype html><title>Around</title><iframe src="${inner}"></iframe>`);
  } else {
    answer.end(`<!doctype html><html lang="en"><title>Portal</title><main><h1>Portal</h1></main><script type="module">
      import { embedMeeting } from "${service.url}/embed.js"; ${NOTES}
      globalThis.embedMeeting = embedMeeting;</script>`);
  }
}).listen(0, "127.0.0.1");
await once(pages, "listening");
test.after(() => pages.close().closeAllConnections());
const { port } = pages.address() as AddressInfo;
const portal = `http://localhost:${port}`;

const { service, room, open } = await startMeetings({
  EMBED_ORIGINS: portal,
  PATH: process.env.PATH ?? "",
  RECORDERS: "1",
});
const { client } = service;
const key = (await client.createAccessKey()).accessKey;

const invite = async (
  roomId: string,
  peerName: string,
  peerType: PeerType = "participant",
): Promise<{ readonly sessionToken: string; readonly joinUrl: string }> => {
  const { accessKey, secretAccessKey } = key;
  const asked = { accessKey, secretAccessKey, roomId, peerName, peerType, peerId: peerName };
  return client.createSessionToken(asked);
};

interface Heard {
  readonly name: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** A page on another site, and what its meeting says. */
const openPortal = async (path = "/") => {
  const person = await open(portal + path);
  const { page } = person;
  const heard = () => page.evaluate<readonly Heard[]>("heard");
  return {
    ...person,
    heard,
    frame: page.frameLocator("parley-meeting iframe"),
    call: (method: string, input?: unknown) =>
      page.evaluate<string>(`call(${JSON.stringify(method)}, ${JSON.stringify(input)})`),
    run: (script: string) => page.evaluate(script),
    hears: (name: string, ...details: readonly Readonly<Record<string, unknown>>[]) =>
      until(`it hears ${name}`, async () => {
        const found = (await heard()).filter((one) => one.name === name);
        const has = (wanted: Readonly<Record<string, unknown>>) =>
          found.some(({ detail }) =>
            Object.entries(wanted).every(([field, value]) => detail[field] === value),
          );
        return found.length > 0 && details.every(has);
      }),
  };
};

test("a meeting in another page has the language that the page gives it", async () => {
  const { room: roomId } = await room({});
  const { joinUrl } = await invite(roomId, "Layla");
  const { run, frame, leave } = await openPortal();
  await run(
    `embedMeeting(document.querySelector("main"), { address: ${JSON.stringify(joinUrl)}, language: "ar" })`,
  );
  await frame.getByRole("button", { name: "انضمام", exact: true }).waitFor();
  assert.equal(await frame.locator("html").getAttribute("lang"), "ar");
  assert.equal(await frame.locator("html").getAttribute("dir"), "rtl");
  await leave();
});

test("a page of another origin embeds a meeting, uses each method and hears each event", async (t) => {
  const { room: roomId } = await room({ enableRecording: true, recordParticipant: true });
  const { joinUrl } = await invite(roomId, "Mo", "moderator");
  const { call, hears, heard, run, frame, page, leave } = await openPortal();
  await run(
    `note(embedMeeting(document.querySelector("main"), { address: ${JSON.stringify(joinUrl)}, theme: "dark", hide: ["link", "hand"], label: "Our meeting" })).style.height = "700px"`,
  );
  // A call before the page is ready waits for it.
  assert.equal(await call("leave"), "MeetingError not_inside");
  assert.equal(await call("raiseHand"), "MeetingError not_inside");
  assert.equal(await call("mute"), "done");
  await frame.getByRole("button", { name: "Turn the microphone on" }).waitFor();
  await assertAccessible(page, "a meeting in another page");
  await frame.getByRole("button", { name: "Join" }).click();
  await hears("joined", { roomName: "Quarterly review", microphone: false, recording: false });
  const own = { you: true };

  // A hidden part has neither a button nor a key; it still works by its method.
  await frame.getByRole("button", { name: "Turn the microphone on" }).waitFor();
  assert.equal(await frame.getByRole("button", { name: "Raise your hand" }).count(), 0);
  assert.equal(await frame.getByRole("button", { name: "Copy the link" }).count(), 0);
  assert.equal(await frame.locator("html").getAttribute("data-mantine-color-scheme"), "dark");
  await frame.getByRole("button", { name: "Turn the microphone on" }).press("h");
  assert.equal(await call("raiseHand"), "done");
  await hears("hand", { ...own, up: true });
  assert.equal(await call("lowerHand"), "done");
  await hears("hand", { ...own, up: false });
  assert.equal((await heard()).filter(({ name }) => name === "hand").length, 2);

  assert.equal(await call("unmute"), "done");
  await hears("unmuted", own);
  assert.equal(await call("mute"), "done");
  await hears("muted", own);
  assert.equal(await call("stopCamera"), "done");
  await hears("camera", { ...own, on: false });
  assert.equal(await call("startCamera"), "done");
  await hears("camera", { ...own, on: true });
  assert.equal(await call("setLayout", "speaker"), "done");
  await frame.getByRole("button", { name: "Show everybody" }).waitFor();
  assert.equal(await call("setLayout", "grid"), "done");
  await frame.getByRole("button", { name: "Show the speaker" }).waitFor();
  assert.equal(await call("setLayout", "circle"), "MeetingError invalid_call");
  // In the frame, where the click is.
  await frame.getByRole("button", { name: "Share a screen" }).click();
  await hears("share", { ...own, on: true });
  assert.equal(await call("stopShare"), "done");
  await hears("share", { ...own, on: false });
  // By a button of the page around it: the click is passed on.
  await run(`Object.assign(document.body.appendChild(document.createElement("button")),
    { textContent: "Show my screen", onclick: () => call("startShare").then((end) => { globalThis.shared = end; }) })`);
  await page.getByRole("button", { name: "Show my screen" }).click();
  await until("it is shared", async () => (await run("globalThis.shared")) === "done");
  assert.equal((await heard()).filter(({ name }) => name === "share").length, 3);
  assert.equal(await call("stopShare"), "done");
  await until("it is not shared", async () => {
    const shares = (await heard()).filter(({ name }) => name === "share");
    return shares.at(-1)?.detail.on === false;
  });

  const { ticket, peer } = await createClient({ baseUrl: service.url }).joinRoom({
    roomId,
    sessionToken: (await invite(roomId, "Ann")).sessionToken,
  });
  const ann = await openSocket(t, service.url, { ticket, peerId: peer.peerId });
  await hears("peer-joined", { peerId: peer.peerId, peerName: "Ann", peerType: "participant" });
  await until("she is inside", () => ann.view !== undefined);
  assert.equal(await ann.do("chat", { text: "Hello, <b>Mo</b>" }), "ok");
  await hears("message", { you: false, peerName: "Ann", text: "Hello, <b>Mo</b>" });
  assert.equal(await ann.do("hand", { up: true }), "ok");
  await hears("hand", { you: false, peerId: peer.peerId, up: true });

  assert.equal(await call("startRecording"), "done");
  await hears("recording", { on: true });
  assert.equal(await call("stopRecording"), "done");
  await hears("recording", { on: false });

  // Attributes changed inside take effect at once; the meeting goes on.
  await run(`document.querySelector("parley-meeting").setAttribute("hide", "chat people")`);
  await frame.getByRole("button", { name: "Raise your hand" }).waitFor();
  assert.equal(await frame.getByRole("button", { name: /^Chat/ }).count(), 0);
  await run(`document.querySelector("parley-meeting").setAttribute("theme", "light")`);
  await frame.locator("html[data-mantine-color-scheme=light]").waitFor();
  await shoot(page, "embedded");

  // A flood, and messages that make no sense, harm nobody.
  await run(`{
    const { contentWindow } = document.querySelector("parley-meeting").shadowRoot.querySelector("iframe");
    for (let id = 1e6; id < 1e6 + 3000; id += 1) {
      for (const more of [{ type: "call", id, method: "constructor" }, { type: "appearance", appearance: null }, {}]) {
        contentWindow.postMessage({ parley: 1, ...more }, "*");
      }
    }
  }`);
  assert.equal(await ann.do("leave"), "ok");
  await hears("peer-left", { peerName: "Ann" });
  assert.equal(await call("end"), "done");
  await hears("left", { reason: "closed" });
  await hears("ended", { reason: "closed" });
  assert.equal(await call("end"), "MeetingError not_inside");
  await leave();
});

/** Waits until no participant is in a room. */
const isFree = (roomId: string) =>
  until("the seat is free", async () => {
    const { meeting } = await client.getMeeting({ roomId }).catch(() => ({
      meeting: { seats: { participant: { taken: 0 } } },
    }));
    return meeting.seats.participant.taken === 0;
  });

test("each of two meetings on a page has its own events; one that is removed while it joins leaves, and comes back", async () => {
  const [first, second] = [await room(), await room()];
  const ada = await openPortal();
  const addressOf = async (roomId: string) => JSON.stringify((await invite(roomId, "Ada")).joinUrl);
  await ada.run(`globalThis.a = note(embedMeeting(document.body, { address: ${await addressOf(first.room)} }), "a ");
    globalThis.b = note(embedMeeting(document.body, { address: ${await addressOf(second.room)} }), "b ")`);
  const join = (at: number) =>
    ada.page
      .frameLocator(`parley-meeting >> nth=${at} >> iframe`)
      .getByRole("button", { name: /^Join$/ })
      .click();
  await join(1);
  await ada.hears("b joined");
  assert.equal((await ada.heard()).filter(({ name }) => name.startsWith("a ")).length, 0);
  // Removed in the moment in which it joins, with a call that waits for its answer.
  await join(0);
  const lost = await ada.run(`{ const waits = a.raiseHand().then(() => "done", ({ code }) => code);
    a.remove(); waits }`);
  assert.equal(lost, "gone");
  assert.equal(await ada.run("a.mute().catch(({ code }) => code)"), "gone");
  await isFree(first.room);
  await ada.run("document.body.prepend(a)");
  await join(0);
  await ada.hears("a joined");
  // Moved with its frame, where the browser can, it stays inside.
  await ada.run(`a.before(document.createElement("hr"));
    document.body.moveBefore(a, null); b.remove()`);
  assert.equal(await ada.run(`a.raiseHand().then(() => "done", ({ code }) => code)`), "done");
  await ada.hears("a hand", { up: true });
  assert.equal((await ada.heard()).filter(({ name }) => name === "a left").length, 0);
  // Changed and changed back in one turn: nothing happens.
  await ada.run(`{ const { address } = a.attributes; const { value } = address;
    address.value = "https://nowhere.example/m/x"; address.value = value; }`);
  assert.equal(await ada.run(`a.lowerHand().then(() => "done", ({ code }) => code)`), "done");
  // Its page is loaded again, and comes back by itself.
  await ada.run("heard.length = 0");
  await ada.page
    .frames()
    .find((one) => one.url().includes(first.path))
    ?.evaluate("location.reload()");
  await ada.hears("a joined");
  // Another invitation is somebody else, who sees it first.
  const { sessionToken } = await invite(first.room, "Bea");
  await ada.run(`a.setAttribute("invitation", "${sessionToken}")`);
  await ada.hears("a left", { reason: "left" });
  await ada.run("heard.length = 0");
  await join(0);
  await ada.hears("a joined");
  const you = (await ada.heard()).find(({ name }) => name === "a joined")?.detail.you;
  assert.equal((you as { readonly peerName: string }).peerName, "Bea");
  // Without an address nobody is inside any more.
  await ada.run(`a.removeAttribute("address")`);
  await ada.hears("a error", { code: "invalid_address" });
  await isFree(first.room);
  await leaveAll(ada);
});

test("the sample page of deploy/ works; pages of other origins, around it too, get nothing, and a meeting in no frame does not listen", async () => {
  const { room: roomId, path } = await room();
  const address = async () => (await invite(roomId, "Olga")).joinUrl;
  const sample = await openPortal(`/embed.html#${await address()}`);
  await sample.frame.getByRole("button", { name: /^Join$/ }).click();
  await sample.page.getByText("In Quarterly review").waitFor();
  await sample.page.getByRole("button", { name: "Raise your hand" }).click();
  await sample.frame.getByRole("button", { name: "Lower your hand" }).waitFor();
  await sample.page.getByRole("button", { name: "Leave" }).click();
  await sample.page.getByText("Left: left").waitFor();

  const kit = await fetch(`${service.url}/embed.js`, {
    headers: { origin: portal, "accept-encoding": "identity" },
  });
  assert.equal(kit.headers.get("access-control-allow-origin"), "*");
  assert.match(kit.headers.get("content-type") ?? "", /javascript/);
  assert.ok((await kit.arrayBuffer()).byteLength < 10_000);
  const allowed = await (await fetch(`${service.url}/embed.json`)).json();
  assert.deepEqual(allowed, { origins: [portal] });

  // The browser says what it refuses, which must not appear in the page of somebody else.
  const other = portal.replace("localhost", "127.0.0.1");
  const stranger = await sample.context.newPage();
  await stranger.goto(`${other}/#`);
  await stranger.evaluate(
    `note(embedMeeting(document.querySelector("main"), { address: ${JSON.stringify(await address())} }))`,
  );
  const refused = await stranger.evaluate(`call("mute")`);
  assert.equal(refused, "MeetingError unreachable");
  assert.deepEqual(
    await stranger.evaluate("heard.map(({ name, detail }) => [name, detail.code])"),
    [["error", "unreachable"]],
  );
  // A page that is allowed, in a page that is not.
  const nested = encodeURIComponent(`${portal}/embed.html#${await address()}`);
  await stranger.goto(`${other}/around?${nested}`);
  await until("the innermost frame is there", () => stranger.frames().length === 3);
  const innermost = () => stranger.frames()[2]?.url() ?? "";
  await until("it is refused", () => innermost().startsWith("chrome-error:"));
  await stranger.close();

  // Opened as a window, by a page that may embed meetings.
  const opener = await sample.context.newPage();
  await opener.goto(portal);
  const [popup] = await Promise.all([
    opener.waitForEvent("popup"),
    opener.evaluate(`globalThis.meeting = open(${JSON.stringify(service.url + path)}); 0`),
  ]);
  await popup.getByRole("button", { name: /^Join$/ }).waitFor();
  await opener.evaluate(`for (const type of ["appearance", "call"]) meeting.postMessage(
    { parley: 1, type, id: 1, method: "mute", appearance: { name: "Mallory", theme: "dark" } }, "*")`);
  await popup.getByRole("button", { name: "Turn the microphone off" }).waitFor();
  assert.notEqual(await popup.getByLabel("Your name").inputValue(), "Mallory");
  const asked = await popup.evaluate<readonly string[]>(
    `performance.getEntriesByType("resource").map(({ name }) => name)`,
  );
  assert.deepEqual(
    asked.filter((name) => /embed\.json|bridge/.test(name)),
    [],
  );
  await leaveAll(sample);
});
