// Runs: sqlite, pictures
// Needs: browser

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import ICAL from "ical.js";
import { assertAccessible, shoot } from "../console/looks.ts";
import { press } from "../console/visit.ts";
import { isInside, leaveAll, NO_DEVICES, type Person, startMeetings } from "./people.ts";

const { service, room, enter, open } = await startMeetings();

const DAY = 86_400_000;
const plain = { script: NO_DEVICES };
const heading = ({ page }: Person, name: string) => page.getByRole("heading", { name }).waitFor();

test("a link opens its room however it was pasted, and the page without one asks for it", async () => {
  const { path } = await room({ roomPermaLink: true });
  const code = path.slice("/m/".length);
  const ben = await open("/m", plain);
  await heading(ben, "Join a meeting");
  await assertAccessible(ben.page, "a page without a link");
  await shoot(ben.page, "links-no-link");
  await ben.page
    .getByLabel("Link or code")
    .fill(`Dear all, ${service.url}/m/${code.toUpperCase()}. See you!`);
  await press(ben.page, "Enter");
  await heading(ben, "Quarterly review");
  for (const spelled of [
    `/m/${code.toUpperCase()}`,
    `/M/${code}`,
    `/m//${code}/`,
    `/m/${code}.`,
    `/m/${code}%20`,
    `/m/${code.replaceAll("-", "%E2%80%93")}`,
    `/m/${encodeURIComponent(`<${service.url}${path}>`)}`,
    `${path}?utm_source=mail#utm_medium=email`,
  ]) {
    await ben.page.goto(`${service.url}${spelled}`);
    await heading(ben, "Quarterly review");
  }
  await leaveAll(ben);
});

test("a room's ID refers a guest to the host, whether or not the room exists; a wrong code opens nothing", async () => {
  const { room: roomId } = await room();
  const texts: string[] = [];
  for (const path of [`/m/${roomId}`, "/m/nothing-here"]) {
    const gus = await open(path, plain);
    await heading(gus, "Ask the host for the link");
    await gus.page.getByLabel("Link or code").waitFor();
    texts.push(await gus.page.locator("main").innerText());
    if (texts.length === 1) {
      await assertAccessible(gus.page, "a room's ID");
      await shoot(gus.page, "links-ask-host");
    }
    await leaveAll(gus);
  }
  assert.equal(texts[0], texts[1]);
  const late = await open("/m/2222-2222-2222", plain);
  await heading(late, "There is no such room");
  await leaveAll(late);
});

test("a host who opens a room by its ID, or by an ended link, has the current link in the address, also after a reload", async () => {
  const { room: roomId, path } = await room();
  const ada = await open(`/m/${roomId}`, { asAdministrator: true, ...plain });
  await heading(ada, "Quarterly review");
  await ada.page.waitForURL(`**${path}`);
  await ada.page.getByLabel("Your name").fill("Ada");
  await ada.button("Join").click();
  await isInside(ada);
  const ben = await enter(new URL(ada.page.url()).pathname, "Ben", plain);
  await isInside(ben);
  await ada.page.reload();
  await isInside(ada);
  await service.client.closeRoom({ roomId });
  await heading(ada, "The meeting has ended");
  await heading(ben, "The meeting has ended");
  await ben.page.reload();
  await heading(ben, "This link has ended");
  // The host plans the next meeting, for which there is no link yet.
  await service.client.editSchedule({
    roomId,
    startsAt: new Date(Date.now() + 3 * DAY).toISOString(),
  });
  await ben.page.reload();
  await ben.page.getByText(/^The next meeting is on [^.]*\.$/).waitFor();
  assert.equal(await ben.page.getByText(/ask the person who invited you/i).count(), 1, "said once");
  await assertAccessible(ben.page, "a link that has ended, with a next date");
  await shoot(ben.page, "links-ended-next");
  const saving = ben.page.waitForEvent("download");
  await ben.button("Add to calendar").click();
  assert.doesNotMatch(await readFile(await (await saving).path(), "utf8"), /^URL/m);
  await ada.page.reload();
  await heading(ada, "Quarterly review");
  const { url } = await service.client.getRoomLink({ roomId });
  await ada.page.waitForURL(`**${new URL(url).pathname}`);
  await leaveAll(ada, ben);
});

test("guests who come before the host see the agenda, the date in their own time zone and a calendar file, and come in by themselves", async () => {
  const scheduledDateTime = new Date(Date.now() + 3 * DAY).toISOString();
  const { room: roomId, path } = await room({ scheduledDateTime, roomAgenda: "Numbers first" });
  await service.client.roomDoor({ roomId, waitsForHost: true });
  const gus = await open(path, { ...plain, timezoneId: "Asia/Tokyo" });
  await gus.page.getByText("The meeting begins when the host comes.").waitFor();
  await gus.page.getByText(/^Scheduled for .*GMT\+9/).waitFor();
  await assertAccessible(gus.page, "before a meeting that waits for its host");
  await shoot(gus.page, "links-before-host");
  await gus.page.getByLabel("Your name").fill("Gus");
  await gus.button("Join").click();
  await heading(gus, "Waiting for the host");
  await gus.page.getByText("Numbers first").waitFor();
  const saving = gus.page.waitForEvent("download");
  await gus.button("Add to calendar").click();
  const file = await saving;
  assert.equal(file.suggestedFilename(), "meeting.ics");
  const event = new ICAL.Component(
    ICAL.parse(await readFile(await file.path(), "utf8")),
  ).getFirstSubcomponent("vevent");
  assert.equal(event?.getFirstPropertyValue("url"), `${service.url}${path}`);
  await assertAccessible(gus.page, "waiting for the host");
  await shoot(gus.page, "links-waiting-host");
  await gus.page.setViewportSize({ width: 390, height: 800 });
  await gus.page.emulateMedia({ colorScheme: "dark" });
  await shoot(gus.page, "links-waiting-host-narrow-dark");
  await gus.page.reload();
  await heading(gus, "Waiting for the host");
  const ada = await enter(path, "Ada", { asAdministrator: true, ...plain });
  await Promise.all([ada, gus].map(isInside));
  await leaveAll(ada, gus);
});

test("a person at a full room waits for a seat, also across a reload, and is inside when one is free", async () => {
  const { path } = await room({ noOfParticipants: 1, noOfViewers: 0 });
  const ben = await enter(path, "Ben", plain);
  await isInside(ben);
  const gus = await enter(path, "Gus", plain);
  await gus.button("Wait for a seat").waitFor();
  await assertAccessible(gus.page, "a full room");
  await shoot(gus.page, "links-full");
  await gus.button("Wait for a seat").click();
  await heading(gus, "Waiting for a seat");
  await assertAccessible(gus.page, "waiting for a seat");
  await shoot(gus.page, "links-waiting-seat");
  await gus.page.reload();
  await heading(gus, "Waiting for a seat");
  await ben.button("Leave").click();
  await isInside(gus);
  await leaveAll(ben, gus);
});

test("a link that opens nothing offers signed-in people their rooms and recordings, and guests nothing", async () => {
  const ada = await open("/m/2222-2222-2222", { asAdministrator: true, ...plain });
  await heading(ada, "There is no such room");
  await ada.page.getByRole("link", { name: "Recordings" }).waitFor();
  await assertAccessible(ada.page, "a link that opens nothing, signed in");
  const ben = await open("/m/2222-2222-2222", plain);
  await heading(ben, "There is no such room");
  assert.equal(await ben.page.getByRole("link", { name: "My rooms" }).count(), 0);
  await ada.page.getByRole("link", { name: "My rooms" }).click();
  await heading(ada, "Rooms");
  await leaveAll(ada, ben);
});

test("after the meeting an invited person goes on to where the invitation names, and nobody by the link", async (t) => {
  const portal = createServer((_, reply) => reply.end("The portal"));
  await new Promise<void>((resolve) => portal.listen(0, "127.0.0.1", resolve));
  t.after(() => portal.close());
  const { port } = portal.address() as AddressInfo;
  const returnUrl = `http://127.0.0.1:${port}/after`;
  const { path, room: roomId } = await room();
  const { accessKey, secretAccessKey } = (await service.client.createAccessKey()).accessKey;
  const asked = { accessKey, secretAccessKey, roomId, peerName: "Cleo", returnUrl };
  const { joinUrl } = await service.client.createSessionToken(asked);
  const cleo = await open(`${path}${new URL(joinUrl).hash}`, plain);
  await cleo.button("Join").click();
  await isInside(cleo);
  await cleo.button("Leave").click();
  const goesOn = cleo.page.getByText(/^You go on to .* in a few seconds\.$/);
  await goesOn.waitFor();
  await assertAccessible(cleo.page, "the way on");
  await shoot(cleo.page, "links-goes-on");
  await cleo.page.waitForURL(returnUrl);
  await cleo.page.goBack();
  await cleo.button("Join").click();
  await isInside(cleo);
  await cleo.button("Leave").click();
  await cleo.button("Stay here").click();
  await goesOn.waitFor({ state: "detached" });
  await cleo.page.getByRole("link", { name: /^Continue to / }).click();
  await cleo.page.waitForURL(returnUrl);

  const gus = await open(`${path}?returnUrl=${encodeURIComponent(returnUrl)}`, plain);
  await gus.page.getByLabel("Your name").fill("Gus");
  await gus.button("Join").click();
  await isInside(gus);
  await gus.button("Leave").click();
  await heading(gus, "You have left the meeting");
  assert.equal(await gus.page.getByRole("link", { name: /^Continue/ }).count(), 0);
  await leaveAll(cleo, gus);
});
