// Runs: sqlite, pictures, complete
// Needs: browser

import assert from "node:assert/strict";
import { test } from "node:test";
import { assertAccessible, assertNothingSticksOut, prefer, shoot } from "../console/looks.ts";
import { press } from "../console/visit.ts";
import { until } from "../world/process.ts";
import { choose, isInside, leaveAll, type Person, startMeetings } from "./people.ts";

const { service, room, enter, open } = await startMeetings();

const own = ({ page }: Person) => page.getByRole("listitem").filter({ hasText: "You" });

test("moderators let people enter with the microphone off, and end the meeting beside Leave; everybody sees connections and hides their own picture", async () => {
  const { path, room: roomId } = await room();
  const ada = await enter(path, "Ada", { asAdministrator: true });
  await isInside(ada);
  await choose(ada, "More", "Turn microphones off on entry");
  const ben = await enter(path, "Ben");
  await isInside(ben);
  await ben.page.getByText(/in this meeting people enter with the microphone off/).waitFor();
  const on = ben.button("Turn the microphone on");
  await on.click();
  await ben.button("Turn the microphone off").waitFor();

  // The devices: the level of the microphone, and a test of the speaker.
  await choose(ben, "More", "Devices");
  const dialog = ben.page.getByRole("dialog");
  await dialog.getByRole("meter", { name: "Level of your microphone" }).waitFor();
  await ben.button("Test the speaker").click();
  await dialog.getByText(/You should hear three tones/).waitFor();
  await shoot(ben.page, "controls-devices-light");
  await press(ben.page, "Escape");
  await dialog.waitFor({ state: "detached" });

  // Each page reports its connection once it has measured it twice.
  const bars = ada.page.getByRole("img", { name: /^(good|fair|poor) connection$/ });
  await bars.first().waitFor();
  const { peers } = (await service.client.getMeeting({ roomId })).meeting;
  assert.ok(peers.some(({ quality }) => quality !== null));

  assert.equal(await own(ben).count(), 1);
  await choose(ben, "More", "Hide my own picture from me");
  await own(ben).waitFor({ state: "detached" });
  await choose(ben, "More", "Show my own picture to me");
  await own(ben).waitFor();

  await ben.button("Show Ada on the full screen").click();
  await ben.button("Leave the full screen").click();
  await ben.button("Show Ada on the full screen").waitFor();

  for (const [name, size] of [
    ["wide", { width: 1440, height: 900 }],
    ["narrow", { width: 390, height: 844 }],
  ] as const) {
    await ada.page.setViewportSize(size);
    await press(ada.page, "p");
    await ada.page.getByRole("heading", { name: "People" }).waitFor();
    await assertNothingSticksOut(ada.page, name);
    await assertAccessible(ada.page, name);
    await prefer(ada.page, name === "wide" ? "light" : "dark");
    await shoot(ada.page, `controls-people-${name}`);
    await press(ada.page, "p");
  }
  await ada.page.setViewportSize({ width: 1280, height: 800 });
  await choose(ada, "Ways to end", "End for everybody");
  await ada.page.getByRole("dialog").getByRole("button", { name: "End for everybody" }).click();
  await ben.page.getByRole("heading", { name: "The meeting has ended" }).waitFor();
  await leaveAll(ada, ben);
});

test("after a meeting people rate the connection where the organization asks, find their rooms, and are not told to rejoin once removed", async () => {
  const { path, room: roomId } = await room({ roomPermaLink: true });
  await service.client.editOrganization({ rateMeetings: true });
  const ada = await enter(path, "Ada", { asAdministrator: true });
  const ben = await enter(path, "Ben");
  await Promise.all([isInside(ada), isInside(ben)]);
  await ben.button("Leave").click();
  await ben.button("4 stars").click();
  await ben.page.getByText("Thank you.").waitFor();
  await assertAccessible(ben.page, "rating");
  await shoot(ben.page, "controls-ended-light");
  const { meetings } = await service.client.listMeetings({ roomId, page: 1, limit: 10 });
  assert.deepEqual([meetings[0]?.rating, meetings[0]?.ratings], [4, 1]);
  const rejoin = ben.button("Rejoin");
  assert.equal(await rejoin.getAttribute("data-variant"), "filled");
  await rejoin.click();
  await isInside(ben);
  const { peers } = (await service.client.getMeeting({ roomId })).meeting;
  const { peerId = "" } = peers.find(({ peerName }) => peerName === "Ben") ?? {};
  await service.client.removePeer({ roomId, peerId });
  await ben.page.getByRole("heading", { name: "You were removed" }).waitFor();
  assert.equal(await rejoin.getAttribute("data-variant"), "subtle");
  await ben.page.setViewportSize({ width: 390, height: 844 });
  await prefer(ben.page, "dark");
  await shoot(ben.page, "controls-removed-dark");
  await ada.button("Leave").click();
  const rooms = ada.page.getByRole("link", { name: "My rooms" });
  assert.equal(await rooms.getAttribute("href"), "/");
  await service.client.editOrganization({ rateMeetings: false });
  await leaveAll(ada, ben);
});

/** A browser that counts how often the screen is kept on, and how often that ends. */
const KEPT_ON = `{
  globalThis.screen_ = { asked: 0, released: 0 };
  const sentinel = { release: async () => void (globalThis.screen_.released += 1) };
  const wakeLock = { request: async () => ((globalThis.screen_.asked += 1), sentinel) };
  Object.defineProperty(navigator, "wakeLock", { value: wakeLock });
  let visibility = "visible";
  Object.defineProperty(document, "visibilityState", { get: () => visibility });
  globalThis.show = (now) => {
    visibility = now;
    document.dispatchEvent(new Event("visibilitychange"));
  };
}`;

test("before entering, people see the level of their microphone and test their speaker; inside, the screen stays on, also after the page was away, and no longer than the meeting", async () => {
  const { path } = await room();
  const ben = await open(path, { script: KEPT_ON });
  const { page } = ben;
  const kept = () => page.evaluate<{ asked: number; released: number }>("screen_");
  await page.getByRole("meter", { name: "Level of your microphone" }).waitFor();
  await ben.button("Devices").click();
  await ben.button("Test the speaker").click();
  await page.getByText(/You should hear three tones/).waitFor();
  assert.deepEqual(await kept(), { asked: 0, released: 0 });
  await page.getByLabel("Your name").fill("Ben");
  await ben.button("Join").click();
  await isInside(ben);
  await until("the screen is kept on", async () => (await kept()).asked === 1);
  // The browser ends it while the page is hidden.
  await page.evaluate("show('hidden')");
  await page.evaluate("show('visible')");
  await until("it is kept on again", async () => (await kept()).asked === 2);
  await ben.button("Leave").click();
  await page.getByRole("heading", { name: "You have left the meeting" }).waitFor();
  await until("it may go off", async () => (await kept()).released > 0);
  await page.evaluate("show('visible')");
  assert.equal((await kept()).asked, 2);
  await leaveAll(ben);
});

test("the pages can be installed as an application", async () => {
  const ada = await open("/m/2222-2222-2222");
  await ada.page.getByRole("heading").first().waitFor();
  const href = await ada.page.locator("link[rel=manifest]").getAttribute("href");
  const answer = await fetch(new URL(href ?? "", service.url));
  assert.equal(answer.headers.get("cache-control"), "no-cache");
  assert.match(answer.headers.get("content-type") ?? "", /manifest\+json/);
  const { start_url, scope, icons } = (await answer.json()) as {
    readonly start_url: string;
    readonly scope: string;
    readonly icons: readonly { readonly src: string; readonly type: string }[];
  };
  // Relative to the manifest, so that they hold below a path too.
  assert.deepEqual([start_url, scope], [".", "."]);
  for (const { src, type } of icons) {
    const icon = await fetch(new URL(src, answer.url));
    assert.equal(icon.headers.get("content-type"), type);
  }
  await ada.context.close();
});
