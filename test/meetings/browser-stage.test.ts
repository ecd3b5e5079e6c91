// Runs: sqlite, pictures, complete
// Needs: browser

import assert from "node:assert/strict";
import { test } from "node:test";
import { press } from "../console/visit.ts";
import { until } from "../world/process.ts";
import { isInside, leaveAll, type Person, startMeetings } from "./people.ts";

const { service, room, enter, sit } = await startMeetings();

const tilesOf = ({ page }: Person): Promise<string[]> =>
  page
    .getByRole("region", { name: "People and shared screens" })
    .getByRole("listitem")
    .locator("p")
    .allInnerTexts();

test("people who do not fit are on further pages, a pinned person or the speaker is large, and a person who cannot connect reads why", async () => {
  const { path, room: roomId } = await room();
  const still = ["Cleo", "Dan", "Eve", "Fay"];
  await sit(path, still);
  const ada = await enter(path, "Ada", {
    asAdministrator: true,
    viewport: { width: 320, height: 320 },
  });
  const ben = await enter(path, "Ben");
  await Promise.all([isInside(ada), isInside(ben)]);
  await ada.receivesOnly({ video: 1, audio: 1 });

  const next = ada.button("Next page of people");
  await next.waitFor();
  const seen = new Set<string>();
  const look = async (): Promise<void> => {
    for (const name of ["You", "Ben", ...still]) {
      if ((await tilesOf(ada)).some((text) => text.includes(name))) {
        assert.ok(!seen.has(name), `${name} is on two pages`);
        seen.add(name);
      }
    }
  };
  await look();
  while (await next.isEnabled()) {
    await next.click();
    await look();
  }
  assert.equal(seen.size, 6);
  const focused = "document.activeElement.ariaLabel";
  assert.equal(await ada.page.evaluate(focused), "Next page of people", "the focus stays");

  // The network is down for as long as it takes until the page says that others cannot be reached.
  await press(ben.page, "m");
  // As while the way from browser to browser is broken.
  await ada.page.evaluate(`{
    globalThis.broken = connections.filter((pc) => pc.connectionState === "connected");
    for (const pc of broken) {
      Object.defineProperty(pc, "connectionState", { value: "disconnected", configurable: true });
      pc.onconnectionstatechange();
    }
  }`);
  await ben.cut();
  await until("Ben is away", async () => {
    const { meeting } = await service.client.getMeeting({ roomId });
    return meeting.peers.some(({ peerName, state }) => peerName === "Ben" && state === "away");
  });
  await ada.page.setViewportSize({ width: 1280, height: 800 });
  const { tile } = ada;
  const hint = "A firewall may be blocking it";
  for (const name of still) await tile(name).getByText(hint).waitFor();
  await ben.context.setOffline(false);
  await tile("Ben").getByText("reconnecting").waitFor({ state: "detached" });
  const again = tile("Ben").getByText("Trying to reconnect");
  await again.waitFor();
  assert.equal(await tile("Ben").getByText(hint).count(), 0);
  await ada.page.evaluate(`for (const pc of broken) {
    delete pc.connectionState;
    pc.onconnectionstatechange();
  }`);
  await again.waitFor({ state: "detached" });
  await ben.button("Turn the microphone on").click();
  await ada.receivesOnly({ video: 1, audio: 1 });

  const large = (name: string) => ada.page.getByRole("list", { name, exact: true });
  await ada.button("Pin Dan").click();
  await large("Dan").waitFor();
  await ada.button("Unpin Dan").click();
  await large("Dan").waitFor({ state: "detached" });
  await press(ada.page, "l");
  await large("Ben").waitFor();
  await press(ada.page, "l");
  await large("Ben").waitFor({ state: "detached" });
  await leaveAll(ada, ben);
});

test("a person inside switches camera and microphone without a break for the others; a device that the browser gives too late is closed", async () => {
  const { path, room: roomId } = await room({ enablePresenters: true });
  const ada = await enter(path, "Ada", { asAdministrator: true });
  const ben = await enter(path, "Ben");
  await Promise.all([isInside(ada), isInside(ben)]);
  const sent = () =>
    ben.page.evaluate<Record<string, string>>(
      `Object.fromEntries(globalThis.connections.flatMap((pc) => pc.getSenders())
        .flatMap(({ track }) => track ? [[track.kind, track.getSettings().deviceId]] : []))`,
    );
  await ada.receivesOnly({ video: 1, audio: 1 });
  const before = await sent();
  const dialog = ben.page.getByRole("dialog");
  const chooseDevices = async (): Promise<void> => {
    await ben.button("More").click();
    await ben.page.getByRole("menuitem", { name: "Devices" }).click();
  };
  const closeDialog = async (): Promise<void> => {
    await press(ben.page, "Escape");
    await dialog.waitFor({ state: "detached" });
  };
  await chooseDevices();
  for (const name of ["Microphone", "Camera"]) {
    const field = dialog.getByLabel(name, { exact: true });
    const choices = await field.locator("option").count();
    // Chromium's second fake camera measures depth, which cannot be sent.
    await field.selectOption({ index: choices - 1 });
  }
  await until("both are sent", async () => {
    const now = await sent();
    return ["audio", "video"].every(
      (kind) => now[kind] !== undefined && now[kind] !== before[kind],
    );
  });
  await ada.receivesOnly({ video: 1, audio: 1 });
  await closeDialog();

  /** The tracks that Ben's page has open: kind and device of each. */
  const isOpen = () =>
    ben.page.evaluate<readonly (readonly [kind: string, device: string])[]>(
      `opened.filter(({ readyState }) => readyState === "live")
        .map((track) => [track.kind, track.getSettings().deviceId])`,
    );
  const kindsOpen = async () => (await isOpen()).map(([kind]) => kind).toSorted();
  /**
   * Does something that opens this many tracks and changes what is wanted; only then does the page get the
   * tracks.
   */
  const meanwhile = async (steps: readonly (() => Promise<unknown>)[]): Promise<void> => {
    await ben.page.evaluate("void (globalThis.held = Promise.withResolvers())");
    for (const step of steps) await step();
    await ben.page.evaluate("held.resolve()");
    // One turn of the page's event loop.
    await ben.page.evaluate("new Promise((done) => setTimeout(done))");
    await ben.page.evaluate("delete globalThis.held");
  };
  const asks = (name: string) => async (): Promise<void> => {
    const count = () => ben.page.evaluate<number>("opened.length");
    const had = await count();
    await ben.button(name).click();
    await until("the browser has something for the page", async () => (await count()) > had);
  };
  const click = (name: string) => () => ben.button(name).click();

  // Where the room does not allow a microphone, not even a silent one stays open.
  const { microphone } = await ben.page.evaluate<Record<string, unknown>>(
    `JSON.parse(localStorage.getItem("parley-meeting"))`,
  );
  const allow = (audioStatus: boolean) =>
    service.client.editRoom({ room: roomId, roomOwnerId: service.adminId, audioStatus });
  await allow(false);
  await until("the microphone is closed", async () => (await kindsOpen()).join() === "video");
  await allow(true);
  await ben.button("Turn the microphone on").click();
  await ada.receivesOnly({ video: 1, audio: 1 });

  await ben.button("Turn the camera off").click();
  await meanwhile([asks("Turn the camera on"), click("Turn the camera off")]);
  assert.deepEqual(await kindsOpen(), ["audio"]);

  let first: string | null = "";
  await meanwhile([
    asks("Turn the camera on"),
    async () => {
      await chooseDevices();
      const camera = dialog.getByLabel("Camera");
      first = await camera.locator("option").first().getAttribute("value");
      await camera.selectOption({ index: 0 });
      await closeDialog();
    },
  ]);
  await ada.receivesOnly({ video: 1, audio: 1 });
  assert.deepEqual(await kindsOpen(), ["audio", "video"]);
  assert.equal(new Map(await isOpen()).get("video"), first);

  await ben.button("Turn the camera off").click();
  await meanwhile([asks("Turn the camera on"), asks("Share a screen"), click("Leave")]);
  await ben.page.getByRole("heading", { name: "You have left the meeting" }).waitFor();
  assert.deepEqual(await kindsOpen(), []);

  // A camera that is gone does not change the microphone.
  await ben.page.evaluate(`{
    const devices = navigator.mediaDevices;
    const give = devices.getUserMedia;
    devices.getUserMedia = (wanted) =>
      wanted.video?.deviceId ? Promise.reject(new OverconstrainedError("deviceId")) : give(wanted);
  }`);
  await ben.button("Rejoin").click();
  await until("both are open", async () => (await kindsOpen()).join() === "audio,video");
  assert.equal(new Map(await isOpen()).get("audio"), microphone);
  await leaveAll(ada, ben);
});
