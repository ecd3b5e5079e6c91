// Runs: sqlite, pictures
// Needs: browser

import assert from "node:assert/strict";
import { test } from "node:test";
import { press } from "../console/visit.ts";
import { until } from "../world/process.ts";
import { isInside, leaveAll, NO_DEVICES, type Person, startMeetings } from "./people.ts";

const { service, room, enter, open } = await startMeetings();

/** A person's tile on the stage. */
const tile = ({ page }: Person, name: string) =>
  page.getByRole("listitem").filter({ hasText: name }).first();

/** Refuses the first descriptions of a connection that a page sends, as the service does after a flood. */
const REFUSE_FIRST = `{
  const { send } = WebSocket.prototype;
  globalThis.refused = 0;
  WebSocket.prototype.send = function (text) {
    const { id, do: name, data } = JSON.parse(text);
    const isRefused = name === "signal" && JSON.parse(data).description && globalThis.refused < 2;
    if (!isRefused) return send.call(this, text);
    globalThis.refused += 1;
    const reply = { type: "reply", id, ok: false, code: "too_many_requests", message: "" };
    setTimeout(() => this.onmessage({ data: JSON.stringify(reply) }));
  };
}`;

test("two people see and hear each other directly, even after refused offers and answers", async () => {
  const { path } = await room({ roomType: "p2p" });
  const ada = await enter(path, "Ada", { asAdministrator: true, script: REFUSE_FIRST });
  await isInside(ada);
  const ben = await enter(path, "Ben", { script: REFUSE_FIRST });
  await isInside(ben);
  const none = { frames: 0, energy: 0 };
  await Promise.all([
    ada.receivesMore(none, { frames: 10, energy: 0.0001 }),
    ben.receivesMore(none, { frames: 10, energy: 0.0001 }),
  ]);
  for (const { page } of [ada, ben]) assert.equal(await page.evaluate("globalThis.refused"), 2);
  await ada.page.getByRole("log").getByText("Ben has joined.").waitFor({ state: "attached" });
  await leaveAll(ben);
  await ada.page.getByRole("log").getByText("Ben has left.").waitFor({ state: "attached" });
  await leaveAll(ada);
});

/** Keeps the messages from a page to other browsers, even after a reload. */
const KEEP_SIGNALS = `{
  const { send } = WebSocket.prototype;
  WebSocket.prototype.send = function (text) {
    if (String(text).includes('"do":"signal"')) {
      const all = JSON.parse(sessionStorage.signals ?? "[]");
      sessionStorage.signals = JSON.stringify([...all, text]);
    }
    return send.call(this, text);
  };
}`;

test("late messages from before a page's reload disturb nobody", async () => {
  const { path } = await room({ roomType: "p2p" });
  const ada = await enter(path, "Ada", { asAdministrator: true });
  const ben = await enter(path, "Ben", { script: KEEP_SIGNALS });
  const none = { frames: 0, energy: 0 };
  await Promise.all([ada, ben].map((one) => one.receivesMore(none)));
  const late = await ben.page.evaluate<string[]>("JSON.parse(sessionStorage.signals)");
  assert.ok(late.length > 0, "the browsers have exchanged signals");
  await ben.page.reload();
  await isInside(ben);
  await ben.receivesMore(none);
  const connections = () => ada.page.evaluate<number>("globalThis.connections.length");
  const before = await connections();
  // As if they had been on their way all the time.
  await ben.page.evaluate(
    `for (const text of ${JSON.stringify(late)}) globalThis.sockets.at(-1).send(text)`,
  );
  await Promise.all([
    ada.receivesMore(await ada.received()),
    ben.receivesMore(await ben.received()),
  ]);
  assert.equal(await connections(), before, "nobody has connected again");
  await leaveAll(ada, ben);
});

test("three people meet without a media engine; mute, camera, hand and chat reach the others", async () => {
  const { path } = await room();
  const ada = await enter(path, "Ada", { asAdministrator: true });
  const ben = await enter(path, "Ben");
  const cleo = await enter(path, "Cleo");
  const all = [ada, ben, cleo];
  await Promise.all(all.map(isInside));
  await Promise.all(all.map((one) => one.receivesMore({ frames: 0, energy: 0 }, { frames: 20 })));

  await ben.button("Turn the microphone off").click();
  await tile(ada, "Ben").getByText("muted").waitFor({ state: "attached" });
  await press(ben.page, "m");
  await tile(ada, "Ben").getByText("muted").waitFor({ state: "detached" });

  await press(ben.page, "v");
  await tile(ada, "Ben").locator("video").waitFor({ state: "detached" });
  await press(ben.page, "v");
  await tile(ada, "Ben").locator("video").waitFor();

  await press(cleo.page, "h");
  await tile(ada, "Cleo").getByText("hand raised").waitFor({ state: "attached" });

  await press(ben.page, "c");
  await ben.page.getByRole("textbox", { name: "Message to everybody" }).fill("Hello M");
  await press(ben.page, "Enter");
  await ada.button(/Chat, 1 unread message/).click();
  await ada.page.getByRole("complementary").getByText("Hello M").waitFor();
  // Typing an M must not trigger the shortcut.
  assert.equal(await tile(ada, "Ben").getByText("muted").count(), 0);

  // Everybody except the moderators is muted, and may unmute.
  await ada.button(/^People/).click();
  await ada.button("Mute everybody").click();
  for (const one of [ben, cleo]) {
    await one.page.getByText(/has turned your microphone off/).waitFor();
    await one.button("Turn the microphone on").waitFor();
    await tile(ada, one === ben ? "Ben" : "Cleo")
      .getByText("muted")
      .waitFor({ state: "attached" });
    await one.button("Dismiss").click();
  }
  await ada.button("Turn the microphone off").waitFor();
  await cleo.button("Turn the microphone on").click();
  await ada.receivesOnly({ video: 2, audio: 1 });
  await ben.receivesOnly({ video: 2, audio: 2 });

  // No message goes to somebody whose microphone is already off.
  await ada.button("Mute everybody").click();
  await cleo.page.getByText(/has turned your microphone off/).waitFor();
  await ada.button("Raise your hand").click();
  await tile(ben, "Ada").getByText("hand raised").waitFor({ state: "attached" });
  assert.equal(await ben.page.getByText(/has turned your microphone off/).count(), 0);
  await leaveAll(...all);
});

test("a moderator admits, mutes, removes and locks out a person", async () => {
  const { path } = await room({ authenticationRequired: true });
  const ada = await enter(path, "Ada", { asAdministrator: true });
  await isInside(ada);
  const ben = await enter(path, "Ben", { viewport: { width: 320, height: 640 } });
  await ben.page.getByRole("heading", { name: "Waiting for a moderator" }).waitFor();
  await ada.page.getByText("Ben is waiting", { exact: true }).waitFor();
  const panel = ada.page.getByRole("complementary", { name: "People" });
  const focused = () => ada.page.evaluate<string>("document.activeElement.tagName");
  const escapes = async (): Promise<void> => {
    await press(ada.page, "Escape");
    await panel.waitFor({ state: "detached" });
    // The element that opened the panel, or had the focus in it, is gone.
    await until("the heading has the focus", async () => (await focused()) === "H1");
  };
  await ada.button("See all").click();
  await panel.waitFor();
  await escapes();
  await ada.button("See all").click();
  await ada.button("Admit Ben").click();
  await ada.button("Admit Ben").waitFor({ state: "detached" });
  await isInside(ben);
  await escapes();

  await ben.button("Chat").click();
  await press(ada.page, "p");
  await ada.button("Actions for Ben").click();
  const mute = ada.page.getByRole("menuitem", { name: "Turn the microphone off" });
  await mute.waitFor();
  await press(ada.page, "Escape");
  await mute.waitFor({ state: "detached" });
  assert.equal(await panel.count(), 1);
  await ada.button("Actions for Ben").click();
  await mute.click();
  // It stays while the pointer is on it. The chat's field is above the bar.
  await ben.page.getByText(/has turned your microphone off/).hover();
  const covers = await ben.page.evaluate<boolean>(`
    document.querySelector("[aria-live=polite] > div").getBoundingClientRect().bottom >
      document.querySelector("form").getBoundingClientRect().top`);
  assert.equal(covers, false);
  await ben.button("Turn the microphone on").waitFor();

  await ada.button("More").click();
  await ada.page.getByRole("menuitem", { name: "Lock the meeting" }).click();
  await ben.page.getByText("Locked", { exact: true }).waitFor();
  const late = await open(path);
  await late.page.getByLabel("Your name").fill("Late");
  await late.button("Try again").click();
  await late.page.getByText("A moderator has locked this meeting.").waitFor();

  await ada.button("Actions for Ben").click();
  await ada.page.getByRole("menuitem", { name: "Remove" }).click();
  await ada.page.getByRole("dialog").getByLabel("Not to this meeting").check();
  await ada.page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await ben.page.getByRole("heading", { name: "You were excluded" }).waitFor();
  assert.equal(await ben.button("Rejoin").count(), 0);
  await leaveAll(ada, ben, late);
});

test("a shared screen is large for others until it stops", async () => {
  const { path } = await room({ enablePresenters: true });
  const ada = await enter(path, "Ada", { asAdministrator: true });
  const ben = await enter(path, "Ben");
  await Promise.all([isInside(ada), isInside(ben)]);
  await ben.button("Share a screen").click();
  await tile(ada, "Screen of Ben").locator("video").waitFor();
  await ada.receivesMore(await ada.received());
  await ada.button(/^People/).click();
  await ada.page.getByRole("img", { name: "sharing a screen" }).waitFor();
  await ben.button("Stop sharing").click();
  await tile(ada, "Screen of Ben").waitFor({ state: "detached" });
  await leaveAll(ada, ben);
});

test("after a cut the page says so, returns by itself with messages written meanwhile, and stays muted", async () => {
  const { path } = await room();
  const ada = await enter(path, "Ada", { asAdministrator: true });
  const ben = await enter(path, "Ben");
  await Promise.all([isInside(ada), isInside(ben)]);
  await press(ben.page, "m");
  await tile(ada, "Ben").getByText("muted").waitFor({ state: "attached" });
  await ben.cut();
  await tile(ada, "Ben").getByText("reconnecting").waitFor();
  await ada.button(/^Chat/).click();
  await ada.page.getByRole("textbox", { name: "Message to everybody" }).fill("Come back");
  await press(ada.page, "Enter");
  await ada.page.getByRole("list", { name: "Messages" }).getByText("Come back").waitFor();
  await ben.context.setOffline(false);
  await ben.page.getByText("The connection is lost").waitFor({ state: "detached" });
  await tile(ada, "Ben").getByText("reconnecting").waitFor({ state: "detached" });
  await ben.button("Chat, 1 unread message").waitFor();
  await ben.page.getByRole("log").getByText("Ada: Come back").waitFor({ state: "attached" });
  await ben.button("Turn the microphone on").waitFor();
  await tile(ada, "Ben").getByText("muted").waitFor({ state: "attached" });
  const before = await ben.received();
  await ben.receivesMore(before);
  await leaveAll(ada, ben);
});

test("a person who leaves can enter again; a moderator who ends the meeting ends it for everybody", async () => {
  const { path } = await room();
  const ada = await enter(path, "Ada", { asAdministrator: true });
  const ben = await enter(path, "Ben");
  await Promise.all([isInside(ada), isInside(ben)]);
  await ben.button("Leave").click();
  await ben.page.getByRole("heading", { name: "You have left the meeting" }).waitFor();
  await ben.button("Rejoin").click();
  await isInside(ben);
  await ada.button("More").click();
  await ada.page.getByRole("menuitem", { name: "End for everybody" }).click();
  await ada.page.getByRole("dialog").getByRole("button", { name: "End for everybody" }).click();
  for (const one of [ada, ben]) {
    await one.page.getByRole("heading", { name: "The meeting has ended" }).waitFor();
  }
  await leaveAll(ada, ben);
});

test("a missing name and a wrong password are shown at their fields, which take the focus", async () => {
  const { path } = await room({ roomPassword: "tea time" });
  const ben = await open(path);
  const focused = (name: string) => ben.page.locator(`input[name=${name}]:focus`).waitFor();
  await ben.button("Join").click();
  await focused("name");
  await ben.page.getByLabel("Your name").fill("Ben");
  await ben.button("Join").click();
  await focused("room-password");
  await ben.page.getByLabel("Room password").fill("coffee time");
  await ben.button("Join").click();
  await ben.page.getByText("The room password is incorrect.").waitFor();
  await focused("room-password");
  await ben.page.getByLabel("Room password").fill("tea time");
  await ben.button("Join").click();
  await isInside(ben);
  await leaveAll(ben);
});

test("the page offers other roles where one is full", async () => {
  const { path } = await room({ noOfParticipants: 1 });
  const ada = await enter(path, "Ada");
  await isInside(ada);
  const ben = await enter(path, "Ben");
  await ben.page.getByText("All seats of this role are taken.").waitFor();
  await ben.button("Join as viewer").click();
  await isInside(ben);
  await ben.button("People (2)").click();
  await ben.page.getByText("Ben (you)").waitFor();
  await leaveAll(ada, ben);
});

test("an invitation by name asks for nothing, and the page does not call a person alone who may not see everybody", async () => {
  const { room: roomId, path } = await room({ roomPassword: "tea time", participantPrivacy: true });
  const { accessKey, secretAccessKey } = (await service.client.createAccessKey()).accessKey;
  const { joinUrl } = await service.client.createSessionToken({
    accessKey,
    secretAccessKey,
    roomId,
    peerName: "Cleo",
  });
  const cleo = await open(`${path}${new URL(joinUrl).hash}`);
  assert.equal(await cleo.page.getByLabel("Your name").count(), 0);
  await cleo.button("Join").click();
  await isInside(cleo);
  await cleo.page.getByText("Nobody you can see is here yet", { exact: true }).waitFor();
  await cleo.button(/^People$/).click();
  await cleo.page.getByRole("heading", { name: "Visible to you (1)" }).waitFor();
  await cleo.page.getByText("Cleo (you)").waitFor();
  await leaveAll(cleo);
});

test("a person without devices can join, and the page says why each device that the room allows does not work until the person dismisses that", async () => {
  const { path } = await room({ videoStatus: false });
  const ben = await open(path, { script: NO_DEVICES });
  await ben.page.getByText("Your browser is blocking the microphone and the camera.").waitFor();
  assert.equal(await ben.page.getByText("Your browser is blocking").count(), 1, "said once");
  await ben.page.getByText("You can join without a camera or microphone").waitFor();
  await ben.page.getByLabel("Your name").fill("Ben");
  await ben.button("Join").click();
  await isInside(ben);
  const noMicrophone = ben.page.getByText("Your browser is blocking the microphone.");
  await noMicrophone.waitFor();
  assert.equal(await ben.page.getByText("Your browser is blocking the camera.").count(), 0);
  await ben.button("OK: Your browser is blocking the microphone.").click();
  await noMicrophone.waitFor({ state: "detached" });
  await ben.button("Turn the microphone on").click();
  await noMicrophone.waitFor();
  await leaveAll(ben);
});
